//! What holds over all crates: who knows whom, what the pure ones reach, how large types are, and how things are named.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod dependencies;
mod pure;
mod sources;
mod struct_sizes;
mod words;
