//! What a tool is, and the list of all.

use glade_agent::action::Described;
use serde_json::Value;

use crate::cancel::Cancel;
use crate::change::PlannedChange;
use crate::error::ToolError;
use crate::path::ProjectPath;
use crate::project::Project;
use crate::seen::Seen;
use crate::tools;

/// All of them, in the order in which prompts list them.
pub static TOOLS: &[&dyn Tool] = &[
    &tools::read_file::ReadFile,
    &tools::list_files::ListFiles,
    &tools::grep_search::GrepSearch,
    &tools::glob::Glob,
    &tools::multi_edit::MultiEdit,
    &tools::overwrite_file::OverwriteFile,
    &tools::move_file::MoveFile,
    &tools::delete_file::DeleteFile,
];

/// The tool of that name, or of a name that it had.
pub fn find(name: &str) -> Option<&'static dyn Tool> {
    let called = |tool: &&&dyn Tool| tool.action().facts().is_called(name);
    TOOLS.iter().find(called).copied()
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

/// How one action of the code project is carried out. It looks and plans; see the crate's page for who
/// writes.
pub trait Tool: Sync {
    /// What there is to know of it.
    fn action(&self) -> &'static dyn Described;
    /// The parameters that name the files a call is about; calls about one file keep their order.
    fn file_parameters(&self) -> &'static [&'static str] {
        &[]
    }
    fn plan(&self, context: ToolContext<'_>, input: &Value) -> Result<Planned, ToolError>;
    /// What it said, as a model reads it; `None`: it is not of the form that it has today.
    fn print(&self, output: &Value) -> Option<String>;
}

impl dyn Tool {
    /// On the wire.
    pub fn name(&self) -> &'static str {
        self.action().facts().name
    }

    /// Whether a person may want to be asked first.
    pub fn asks_first(&self) -> bool {
        self.action().facts().asks_first
    }

    /// The files that a call is about, as far as its input names them.
    pub fn files(&self, project: &Project, input: &Value) -> Vec<ProjectPath> {
        let named = self.file_parameters().iter();
        let given = named.filter_map(|name| input.get(name)?.as_str());
        given
            .filter_map(|given| ProjectPath::parse_file(given, project.root()).ok())
            .collect()
    }
}
