//! The actions, one file each; [`crate::action::REGISTRY`] lists them in their order.

pub mod create;
pub mod delete;
pub mod label;
pub mod message;
pub mod move_shape;
pub mod think;
pub mod update;
