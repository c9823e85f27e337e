//! The rows of the mode table, one file each; [`crate::mode::TABLE`] lists them.

pub mod idling;
pub mod one_shotting;
pub mod pausing;
pub mod sleeping;
pub mod soloing;
pub mod working_solo;
