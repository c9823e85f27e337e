//! The rows of the mode table, one file each; [`crate::mode::TABLE`] lists them.

pub mod idling;
pub mod one_shotting;
