//! The parts of prompts, one file each; [`crate::part::REGISTRY`] lists them in their order.

pub mod agent_viewport;
pub mod blurry_shapes;
pub mod chat_history;
pub mod messages;
pub mod mode;
pub mod peripheral_shapes;
pub mod selected_shapes;
pub mod user_viewport;
