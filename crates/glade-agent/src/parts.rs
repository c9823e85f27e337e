//! The parts of prompts, one file each; [`crate::part::REGISTRY`] lists them in their order.

pub mod agent_viewport;
pub mod blurry_shapes;
pub mod canvas_lints;
pub mod chat_history;
pub mod comments;
pub mod context_items;
pub mod current_project;
pub mod data;
pub mod diagrams;
pub mod messages;
pub mod mode;
pub mod other_fairies;
pub mod pages;
pub mod peripheral_shapes;
pub mod screenshot;
pub mod selected_shapes;
pub mod sign;
pub mod tasks;
pub mod text_blocks;
pub mod text_changes;
pub mod time;
pub mod todo_list;
pub mod user_action_history;
pub mod user_viewport;
