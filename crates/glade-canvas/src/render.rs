//! Pictures of a page.

pub mod rough;
