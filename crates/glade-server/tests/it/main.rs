//! The server through its real doors: a data folder, a port, sockets.

mod client;
mod hostile;
mod hostile_bytes;
mod hostile_doors;
mod stage;
