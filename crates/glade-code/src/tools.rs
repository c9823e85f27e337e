//! The tools, one file each.

pub mod delete_file;
pub mod glob;
pub mod grep_search;
pub mod list_files;
pub mod move_file;
pub mod multi_edit;
pub mod overwrite_file;
pub mod read_file;
