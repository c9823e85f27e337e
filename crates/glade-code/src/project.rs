//! The folder, held by a handle that nothing can leave.

use std::io;
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::Dir;

/// An open project. Cloning the path around is cheap; the handle decides what can be reached.
#[derive(Debug)]
pub struct Project {
    dir: Dir,
    root: PathBuf,
    /// Folders of the server's own, which may lie inside.
    pub(crate) kept_out: Vec<PathBuf>,
}

#[derive(Debug, thiserror::Error)]
#[error("cannot open the project {}: {source}. Name a folder that exists and that you may read.", path.display())]
pub struct OpenError {
    path: PathBuf,
    source: io::Error,
}

impl Project {
    pub fn open(path: &Path) -> Result<Project, OpenError> {
        let failed = |source| OpenError {
            path: path.to_owned(),
            source,
        };
        // The real path, so that what a model is told and what it repeats are the same.
        let root = path.canonicalize().map_err(failed)?;
        let dir = Dir::open_ambient_dir(&root, ambient_authority()).map_err(failed)?;
        Ok(Project {
            dir,
            root,
            kept_out: Vec::new(),
        })
    }

    /// The same without a folder that may lie inside it: a server's data is no part of a project.
    pub fn without(mut self, folder: &Path) -> Project {
        self.kept_out.extend(folder.canonicalize().ok());
        self
    }

    /// Where it is, to be shown; files are never reached through this.
    pub fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn dir(&self) -> &Dir {
        &self.dir
    }
}
