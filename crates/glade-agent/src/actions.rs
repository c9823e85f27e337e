//! The actions, one file each; [`crate::action::REGISTRY`] lists them in their order.

pub mod add_detail;
pub mod align;
pub mod bring_to_front;
pub mod clear;
pub mod count;
pub mod create;
pub mod create_task;
pub mod delete;
pub mod delete_personal_todo_items;
pub mod distribute;
pub mod fly_to_bounds;
pub mod label;
pub mod mark_task_done;
pub mod message;
pub mod move_shape;
pub mod pen;
pub mod place;
pub mod resize;
pub mod review;
pub mod rotate;
pub mod send_to_back;
pub mod stack;
pub mod start_task;
pub mod think;
pub mod update;
pub mod upsert_personal_todo_item;
