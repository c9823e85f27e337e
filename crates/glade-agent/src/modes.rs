//! The rows of the mode table, one file each; [`crate::mode::TABLE`] lists them.

pub mod duo_orchestrating_active;
pub mod duo_orchestrating_waiting;
pub mod idling;
pub mod one_shotting;
pub mod orchestrating_active;
pub mod orchestrating_waiting;
pub mod pausing;
pub mod sleeping;
pub mod soloing;
pub mod standing_by;
pub mod working_drone;
pub mod working_orchestrator;
pub mod working_solo;
