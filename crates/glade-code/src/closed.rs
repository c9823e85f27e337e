//! What of a project is closed to people's interface and to models' tools: what ignore files name,
//! what holds secrets, version control, and the server's own data.

use std::path::{Path, PathBuf};

use crate::error::{Code, ToolError};
use crate::ignored::{IGNORE_FILES, Ignored};
use crate::path::{PROTECTED, ProjectPath};
use crate::project::Project;
use crate::secrets::is_secret;

/// As the ignore files are when it is asked for.
#[derive(Debug)]
pub struct Closed {
    ignored: Ignored,
    kept_out: Vec<PathBuf>,
}

impl Closed {
    /// Whether this very file or folder, given by its whole path, is closed.
    pub fn names(&self, path: &Path, is_folder: bool) -> bool {
        // A name that is not Unicode could not be asked for anyway.
        let by_name = path.file_name().is_none_or(|name| {
            let name = name.to_string_lossy();
            name.eq_ignore_ascii_case(PROTECTED) || is_secret(&name)
        });
        by_name
            || self.kept_out.iter().any(|folder| folder == path)
            || self.ignored.names(path, is_folder)
    }
}

impl Project {
    pub(crate) fn closed(&self) -> Closed {
        Closed {
            ignored: Ignored::of(self.root()),
            kept_out: self.kept_out.clone(),
        }
    }

    /// Whether people and tools may reach it: it itself, every folder that it lies in, and what it
    /// leads to where links are on the way.
    pub fn is_open(&self, path: &ProjectPath) -> bool {
        self.check_open(path).is_ok()
    }

    /// Refuses to write the files that say what is ignored: who writes them would open what they close.
    pub(crate) fn check_no_rules(&self, path: &ProjectPath) -> Result<(), ToolError> {
        let names_rules = |path: &ProjectPath| {
            let name = path.as_str().rsplit('/').next().unwrap_or_default();
            IGNORE_FILES
                .iter()
                .any(|rules| name.eq_ignore_ascii_case(rules))
        };
        if names_rules(path) || names_rules(&self.real(path)?) {
            return Err(ToolError::new(
                Code::ProtectedPath,
                format!(
                    "{path} decides which files are closed: only a person changes it, in the folder itself."
                ),
            ));
        }
        Ok(())
    }

    pub(crate) fn check_open(&self, path: &ProjectPath) -> Result<(), ToolError> {
        let closed = self.closed();
        for name in [path, &self.real(path)?] {
            let whole = self.root().join(name.as_str());
            let inside = |part: &&Path| *part != self.root() && part.starts_with(self.root());
            let mut parts = whole.ancestors().filter(inside);
            let itself = parts.next();
            if itself.is_some_and(|it| closed.names(it, it.is_dir()))
                || parts.any(|folder| closed.names(folder, true))
            {
                return Err(ToolError::new(
                    Code::ProtectedPath,
                    format!("{path} is ignored, or may hold secrets: it is closed to the tools."),
                ));
            }
        }
        Ok(())
    }
}
