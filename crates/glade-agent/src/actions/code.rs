//! The actions of the code project. They are calls with results, carried out over the files of a folder
//! (`glade-code`): what a model looks for is part of its next request.

pub mod delete_file;
pub mod glob;
pub mod grep_search;
pub mod list_files;
pub mod move_file;
pub mod multi_edit;
pub mod overwrite_file;
pub mod read_file;

use serde_json::{Value, json};

/// The schema of what a call found.
fn found(properties: Value) -> Value {
    json!({"type": "object", "properties": properties})
}
