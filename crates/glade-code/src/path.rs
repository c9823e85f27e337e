//! Names of files inside the project.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Component, Path};

use serde::{Deserialize, Serialize};

use crate::error::{Code, ToolError};

/// The folder of version control: its hooks run as programs and its configuration may hold secrets,
/// so no tool reads or writes in it.
pub(crate) const PROTECTED: &str = ".git";

/// A path relative to the project's root, with `/` between its names, without `.` and `..`.
/// The empty path is the root itself.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ProjectPath(String);

impl ProjectPath {
    /// Reads what a model wrote. An absolute path is taken if it lies below `root`, because models
    /// are told the root and like to repeat it.
    pub fn parse(given: &str, root: &Path) -> Result<ProjectPath, ToolError> {
        if given.contains('\0') {
            return Err(outside(given));
        }
        let path = Path::new(given);
        let path = if path.is_absolute() {
            path.strip_prefix(root).map_err(|_| outside(given))?
        } else {
            path
        };
        let mut names = Vec::new();
        for component in path.components() {
            match component {
                Component::CurDir => {}
                Component::Normal(name) => names.push(name.to_str().ok_or_else(|| outside(given))?),
                Component::ParentDir | Component::RootDir | Component::Prefix(_) => {
                    return Err(outside(given));
                }
            }
        }
        if names
            .iter()
            .any(|name| name.eq_ignore_ascii_case(PROTECTED))
        {
            return Err(ToolError::new(
                Code::ProtectedPath,
                format!("{given} belongs to version control, which the tools leave alone."),
            ));
        }
        Ok(ProjectPath(names.join("/")))
    }

    /// The same for a file: the root is none.
    pub fn parse_file(given: &str, root: &Path) -> Result<ProjectPath, ToolError> {
        let path = Self::parse(given, root)?;
        if path.is_root() {
            return Err(ToolError::new(
                Code::NotAFile,
                format!("{given:?} is the project's folder; name a file in it."),
            ));
        }
        Ok(path)
    }

    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it is one of these, or lies in one of them.
    pub fn is_under(&self, folders: &BTreeSet<String>) -> bool {
        folders.iter().any(|folder| {
            let rest = self.0.strip_prefix(folder.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    }

    /// As the file system wants it.
    pub fn as_path(&self) -> &Path {
        Path::new(if self.is_root() { "." } else { &self.0 })
    }

    /// The folder and the name in it.
    pub(crate) fn split(&self) -> (&Path, &str) {
        match self.0.rsplit_once('/') {
            Some((folder, name)) => (Path::new(folder), name),
            None => (Path::new("."), &self.0),
        }
    }
}

impl fmt::Display for ProjectPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_root() { "." } else { &self.0 })
    }
}

fn outside(given: &str) -> ToolError {
    ToolError::new(
        Code::OutsideProject,
        format!(
            "{given:?} is not a path inside the project. Use a path relative to the project's folder, without \"..\"."
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_the_project_or_refused() {
        let cases = [
            ("src/main.rs", Ok("src/main.rs")),
            ("./src//main.rs", Ok("src/main.rs")),
            ("/home/me/app/src/main.rs", Ok("src/main.rs")),
            ("/home/me/app", Ok("")),
            ("", Ok("")),
            ("..", Err(Code::OutsideProject)),
            ("src/../../x", Err(Code::OutsideProject)),
            ("src/../x", Err(Code::OutsideProject)),
            ("/etc/passwd", Err(Code::OutsideProject)),
            ("/home/me/app2/x", Err(Code::OutsideProject)),
            ("a\0b", Err(Code::OutsideProject)),
            (".git/hooks/pre-commit", Err(Code::ProtectedPath)),
            ("sub/.GIT/config", Err(Code::ProtectedPath)),
            (".gitignore", Ok(".gitignore")),
        ];
        for (given, wanted) in cases {
            let got = ProjectPath::parse(given, Path::new("/home/me/app"));
            assert_eq!(
                got.as_ref()
                    .map(ProjectPath::as_str)
                    .map_err(|e| e.code.clone()),
                wanted,
                "{given:?}"
            );
        }
    }
}
