//! What holds over all crates: who knows whom, what the pure ones reach, how large types are, how things are named, and
//! that the map of it is true.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod dependencies;
mod facts;
mod map;
mod pure;
mod sources;
mod struct_sizes;
mod surfaces;
mod words;
