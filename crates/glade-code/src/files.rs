//! Reading and writing single files of a project: bounded, whole, and never beyond its folder.

use std::io::{self, Read, Write};
use std::path::Path;

use cap_fs_ext::OpenOptionsSyncExt;
use cap_std::fs::{Dir, File, OpenOptions};
use rand::distr::{Alphanumeric, SampleString};

use crate::change::PlannedChange;
use crate::error::{Code, ToolError};
use crate::path::ProjectPath;
use crate::project::Project;

/// The largest file that any tool takes in whole.
pub const MAX_FILE: u64 = 10 * 1024 * 1024;

/// How much of a file tells whether it is text.
const SNIFF: usize = 1024;

impl Project {
    /// The bytes of a file that is open to people and tools; `None` if there is none.
    pub fn read(&self, path: &ProjectPath, limit: u64) -> Result<Option<Vec<u8>>, ToolError> {
        self.check_open(path)?;
        self.read_kept(path, limit)
    }

    /// The same for who takes a write back: the file may have been closed since.
    pub fn read_kept(&self, path: &ProjectPath, limit: u64) -> Result<Option<Vec<u8>>, ToolError> {
        self.real(path)?;
        let Some(file) = self.open_met(path)? else {
            return Ok(None);
        };
        let told = file.metadata().map_err(|error| io_error(path, &error))?;
        if told.len() > limit {
            return Err(too_large(path, told.len(), limit));
        }
        let mut bytes = Vec::with_capacity(usize::try_from(told.len()).unwrap_or_default());
        // It may grow while it is read.
        file.take(limit.saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(|error| io_error(path, &error))?;
        if bytes.len() as u64 > limit {
            return Err(too_large(path, bytes.len() as u64, limit));
        }
        Ok(Some(bytes))
    }

    /// A file that must be there.
    pub fn read_existing(&self, path: &ProjectPath, limit: u64) -> Result<Vec<u8>, ToolError> {
        self.read(path, limit)?.ok_or_else(|| not_found(path))
    }

    /// Carries a change out, if the file is still what the change was made from.
    pub fn apply(&self, change: &PlannedChange) -> Result<(), ToolError> {
        for path in change.paths() {
            self.check_open(path)?;
            self.check_no_rules(path)?;
        }
        match &change.moved_from {
            Some(from) => self.rename(from, change),
            None => self.take_back(change),
        }
    }

    /// Moves a file that is still what it was when the move was planned, to where nothing is.
    fn rename(&self, from: &ProjectPath, change: &PlannedChange) -> Result<(), ToolError> {
        let to = &change.path;
        self.forbid_link(from)?;
        if self.read(from, MAX_FILE)? != change.after {
            return Err(changed_meanwhile(from));
        }
        if self.is_there(to)? {
            return Err(changed_meanwhile(to));
        }
        let (source, old) = self.place_of(from)?;
        let (folder, new) = self.place_of(to)?;
        let moved = source.rename(old, &folder, new).and_then(|()| {
            // Both folders must reach the disk, or a crash leaves the file in neither.
            folder.open(".")?.sync_all()?;
            source.open(".")?.sync_all()
        });
        moved.map_err(|error| io_error(to, &error))
    }

    /// Whether anything has this name, a link that leads nowhere included.
    pub(crate) fn is_there(&self, path: &ProjectPath) -> Result<bool, ToolError> {
        self.check_open(path)?;
        match self.dir().symlink_metadata(path.as_path()) {
            Ok(_) => Ok(true),
            Err(error) if is_missing(&error) => Ok(false),
            Err(error) => Err(io_error(path, &error)),
        }
    }

    /// A link is as good as what it leads to for reading and writing, but not for moving.
    pub(crate) fn forbid_link(&self, path: &ProjectPath) -> Result<(), ToolError> {
        let told = self.dir().symlink_metadata(path.as_path());
        if told.is_ok_and(|told| told.is_symlink()) {
            return Err(ToolError::new(
                Code::NotAFile,
                format!("{path} is a link. Move the file that it leads to."),
            ));
        }
        Ok(())
    }

    /// The same for who takes a write back: the file may have been closed since.
    pub fn take_back(&self, change: &PlannedChange) -> Result<(), ToolError> {
        let path = &change.path;
        let now = self.read_kept(path, MAX_FILE)?;
        if now != change.before {
            return Err(changed_meanwhile(path));
        }
        match &change.after {
            Some(bytes) => self.write(path, bytes),
            None if now.is_some() => {
                let (folder, name) = self.place_of(path)?;
                folder
                    .remove_file(name)
                    .map_err(|error| io_error(path, &error))
            }
            None => Ok(()),
        }
    }

    /// Opens a regular file for reading.
    pub(crate) fn open_file(&self, path: &ProjectPath) -> Result<Option<File>, ToolError> {
        self.check_open(path)?;
        self.open_met(path)
    }

    /// The same for a file that a walk met: it follows no links, so the name is the real one.
    /// Without `O_NONBLOCK` opening a fifo would wait for ever.
    pub(crate) fn open_met(&self, path: &ProjectPath) -> Result<Option<File>, ToolError> {
        let mut options = OpenOptions::new();
        options.read(true).nonblock(true);
        let file = match self.dir().open_with(path.as_path(), &options) {
            Ok(file) => file,
            Err(error) if is_missing(&error) => return Ok(None),
            Err(error) => return Err(io_error(path, &error)),
        };
        let told = file.metadata().map_err(|error| io_error(path, &error))?;
        if !told.is_file() {
            let what = if told.is_dir() {
                "a folder"
            } else {
                "a device, pipe or socket"
            };
            return Err(ToolError::new(
                Code::NotAFile,
                format!("{path} is {what}, not a file."),
            ));
        }
        Ok(Some(file))
    }

    /// Where a name leads, links followed. One that leads to where no tool may go is refused: what
    /// is protected is so under every name.
    pub fn real(&self, path: &ProjectPath) -> Result<ProjectPath, ToolError> {
        // What is not there yet lies where the nearest folder that is there lies.
        for part in path.as_path().ancestors() {
            let there = if part.as_os_str().is_empty() {
                Path::new(".")
            } else {
                part
            };
            match self.dir().canonicalize(there) {
                Ok(real) => {
                    let rest = path.as_path().strip_prefix(part).unwrap_or(Path::new(""));
                    let real = real.join(rest);
                    return ProjectPath::parse(&real.to_string_lossy(), self.root());
                }
                Err(error) if is_missing(&error) => {}
                Err(error) => return Err(io_error(path, &error)),
            }
        }
        Ok(path.clone())
    }

    fn write(&self, path: &ProjectPath, bytes: &[u8]) -> Result<(), ToolError> {
        let failed = |error: io::Error| io_error(path, &error);
        let (folder, name) = self.place_of(path)?;
        let draft = format!(
            ".glade-{}",
            Alphanumeric.sample_string(&mut rand::rng(), 12)
        );
        let written = (|| {
            let mut file =
                folder.open_with(&draft, OpenOptions::new().write(true).create_new(true))?;
            file.write_all(bytes)?;
            if let Ok(old) = folder.metadata(&name) {
                file.set_permissions(old.permissions())?;
            }
            file.sync_all()?;
            folder.rename(&draft, &folder, &name)?;
            // The rename itself must reach the disk, or a crash brings the old file back.
            folder.open(".")?.sync_all()
        })();
        if written.is_err() {
            // Best effort: the error that matters is the first one.
            let _ = folder.remove_file(&draft);
        }
        written.map_err(failed)
    }

    /// The folder that holds the file, made if need be, and its name there. A link to another file
    /// of the project is followed, so that the file is written and not the link replaced.
    fn place_of(&self, path: &ProjectPath) -> Result<(Dir, String), ToolError> {
        let failed = |error: io::Error| io_error(path, &error);
        self.real(path)?;
        let real = match self.dir().symlink_metadata(path.as_path()) {
            Ok(told) if told.is_symlink() => {
                let real = self.dir().canonicalize(path.as_path()).map_err(failed)?;
                let real = real.to_str().ok_or_else(|| {
                    failed(io::Error::other("its real name is not valid Unicode"))
                })?;
                ProjectPath::parse_file(real, self.root())?
            }
            _ => path.clone(),
        };
        let (folder, name) = real.split();
        self.dir().create_dir_all(folder).map_err(failed)?;
        let folder = self.dir().open_dir(folder).map_err(failed)?;
        Ok((folder, name.to_owned()))
    }
}

fn changed_meanwhile(path: &ProjectPath) -> ToolError {
    ToolError::new(
        Code::Stale,
        format!("{path} was changed by someone else at the same moment. Read it again."),
    )
}

/// Text, or a clear refusal.
pub fn text(path: &ProjectPath, bytes: Vec<u8>) -> Result<String, ToolError> {
    if looks_binary(&bytes) {
        return Err(binary(path));
    }
    String::from_utf8(bytes).map_err(|_| binary(path))
}

pub fn binary(path: &ProjectPath) -> ToolError {
    ToolError::new(
        Code::Binary,
        format!("{path} is not a text file in UTF-8; the tools work on text."),
    )
}

/// A zero byte near the beginning, as version control has it.
pub fn looks_binary(bytes: &[u8]) -> bool {
    bytes.iter().take(SNIFF).any(|byte| *byte == 0)
}

fn is_missing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

pub fn not_found(path: &ProjectPath) -> ToolError {
    ToolError::new(
        Code::FileNotFound,
        format!("There is no file {path}. list-files or glob show what there is."),
    )
}

fn too_large(path: &ProjectPath, size: u64, limit: u64) -> ToolError {
    ToolError::new(
        Code::FileTooLarge,
        format!(
            "{path} has {size} bytes; at most {limit} are taken. Read a range of lines, or search in it."
        ),
    )
}

/// The sandbox refuses with "permission denied"; a model should know the difference from a file
/// that merely is not readable, but must not learn what is outside.
pub(crate) fn io_error(path: &ProjectPath, error: &io::Error) -> ToolError {
    match error.kind() {
        io::ErrorKind::PermissionDenied => ToolError::new(
            Code::OutsideProject,
            format!("{path} leads out of the project or may not be opened."),
        ),
        io::ErrorKind::NotFound => {
            ToolError::new(Code::PathNotFound, format!("There is no {path}."))
        }
        io::ErrorKind::NotADirectory => ToolError::new(
            Code::NotADirectory,
            format!("A part of {path} is a file, not a folder."),
        ),
        _ => ToolError::new(Code::Io, format!("{path}: {error}.")),
    }
}
