//! Walking over a project: what is closed is left out, links are not followed.

use std::path::Path;

use globset::{GlobBuilder, GlobMatcher};
use ignore::{DirEntry, WalkBuilder};

use crate::error::{Code, ToolError};
use crate::files::io_error;
use crate::path::ProjectPath;
use crate::project::Project;

/// A walk from a folder that is known to lie inside the project.
pub fn walker(project: &Project, from: &ProjectPath) -> Result<WalkBuilder, ToolError> {
    project.check_open(from)?;
    let told = project
        .dir()
        .metadata(from.as_path())
        .map_err(|error| io_error(from, &error))?;
    if !told.is_dir() {
        return Err(ToolError::new(
            Code::NotADirectory,
            format!("{from} is not a folder."),
        ));
    }
    let mut builder = WalkBuilder::new(project.root().join(from.as_str()));
    let closed = project.closed();
    builder
        .standard_filters(false)
        .follow_links(false)
        .filter_entry(move |entry| {
            let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
            entry.depth() == 0 || !closed.names(entry.path(), is_folder)
        });
    Ok(builder)
}

/// The name of what was met. `None` for names that are not Unicode, and for what can no longer be
/// reached from the project's own handle: the walk goes by paths, and a folder on the way may have
/// been swapped for a link that leads out.
pub fn met(project: &Project, entry: &DirEntry) -> Option<ProjectPath> {
    let path = relative(project, entry.path())?;
    project.dir().symlink_metadata(path.as_path()).ok()?;
    Some(path)
}

/// The name alone, for callers that open it through the project anyway.
pub fn relative(project: &Project, path: &Path) -> Option<ProjectPath> {
    ProjectPath::parse(path.to_str()?, project.root()).ok()
}

/// A pattern over whole relative paths, where `*` stays inside a folder and `**` does not; a pattern
/// without a slash is meant for names anywhere below.
pub fn pattern(parameter: &'static str, given: &str) -> Result<GlobMatcher, ToolError> {
    let anywhere = if given.contains('/') {
        given.to_owned()
    } else {
        format!("**/{given}")
    };
    GlobBuilder::new(anywhere.trim_start_matches("./"))
        .literal_separator(true)
        .build()
        .map(|glob| glob.compile_matcher())
        .map_err(|error| {
            ToolError::new(
                Code::Invalid(parameter),
                format!("{given:?} is not a pattern: {}.", error.kind()),
            )
        })
}
