//! What a tool is, and the list of all.

use serde_json::{Value, json};

use crate::cancel::Cancel;
use crate::change::PlannedChange;
use crate::error::ToolError;
use crate::path::ProjectPath;
use crate::project::Project;
use crate::seen::Seen;
use crate::tools;

/// The seven, in the order in which prompts list them.
pub static TOOLS: &[&dyn Tool] = &[
    &tools::read_file::ReadFile,
    &tools::list_files::ListFiles,
    &tools::grep_search::GrepSearch,
    &tools::glob::Glob,
    &tools::multi_edit::MultiEdit,
    &tools::overwrite_file::OverwriteFile,
    &tools::delete_file::DeleteFile,
];

pub fn find(name: &str) -> Option<&'static dyn Tool> {
    TOOLS.iter().find(|tool| tool.name() == name).copied()
}

/// What a call works with.
#[derive(Debug, Clone, Copy)]
pub struct ToolContext<'a> {
    pub project: &'a Project,
    pub seen: &'a Seen,
    pub cancel: &'a Cancel,
}

/// What a call would say and do.
#[derive(Debug, Clone, PartialEq)]
pub struct Planned {
    /// For the model.
    pub output: Value,
    pub change: Option<PlannedChange>,
}

impl Planned {
    /// Of a tool that only looks.
    pub fn looked(output: Value) -> Self {
        Self {
            output,
            change: None,
        }
    }
}

/// One tool. It looks and plans; see the crate's page for who writes.
pub trait Tool: Sync {
    /// On the wire.
    fn name(&self) -> &'static str;
    /// For the model: what it does and when to use it.
    fn about(&self) -> &'static str;
    /// The parameters' schema: `(name, schema, required)`.
    fn parameters(&self) -> Vec<(&'static str, Value, bool)>;
    /// Whether a person may want to be asked first.
    fn writes(&self) -> bool {
        false
    }
    /// The parameter that names the file a call is about; calls about one file keep their order.
    fn file_parameter(&self) -> Option<&'static str> {
        None
    }
    fn plan(&self, context: ToolContext<'_>, input: &Value) -> Result<Planned, ToolError>;
}

impl dyn Tool {
    pub fn schema(&self) -> Value {
        let parameters = self.parameters();
        let required: Vec<&str> = parameters
            .iter()
            .filter(|(.., required)| *required)
            .map(|(name, ..)| *name)
            .collect();
        let properties: serde_json::Map<String, Value> = parameters
            .iter()
            .map(|(name, schema, _)| ((*name).to_owned(), schema.clone()))
            .collect();
        json!({
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        })
    }

    /// The file that a call is about, if its input names one.
    pub fn file(&self, project: &Project, input: &Value) -> Option<ProjectPath> {
        let given = input.get(self.file_parameter()?)?.as_str()?;
        ProjectPath::parse_file(given, project.root()).ok()
    }
}
