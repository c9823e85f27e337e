//! After a crash: a run of code that was under way is over. What it had done is there to be kept or
//! undone; a write that was announced and never made is forgotten.

use std::path::Path;

use glade_code::{MAX_FILE, Project, ProjectPath};
use glade_store::{Change, FileWriteRow, RunFilter, RunStatus, RunTarget, Store, StoreError};

use crate::clock::now_ms;

const CUT: &str = "The server stopped in the middle of this. What was done so far is there to keep or undo; ask again for the rest.";

/// To be called before anything else looks at runs. `folder` is the open project, if there is one.
pub fn recover(store: &Store, folder: Option<&Path>) -> Result<(), StoreError> {
    let running = store
        .runs(RunFilter {
            target: Some(RunTarget::Files),
            status: Some(RunStatus::Running),
            ..RunFilter::default()
        })?
        .rows;
    let project = folder.and_then(|folder| Project::open(folder).ok());
    for mut run in running {
        let writes = store.file_writes_of_run(&run.id)?;
        let mut changes = Vec::new();
        let made: Vec<FileWriteRow> = writes
            .iter()
            .filter(|write| {
                let newest = !writes
                    .iter()
                    .any(|other| other.path == write.path && other.index > write.index);
                let unmade = |project| never_made(project, write);
                !(newest && project.as_ref().is_some_and(unmade))
            })
            .cloned()
            .collect();
        for write in writes.iter().filter(|write| !made.contains(write)) {
            changes.push(Change::SetFileWrites {
                run: run.id.clone(),
                path: write.path.clone(),
                rows: made
                    .iter()
                    .filter(|one| one.path == write.path)
                    .cloned()
                    .collect(),
            });
        }
        let mut files: Vec<&str> = made.iter().map(|write| write.path.as_str()).collect();
        files.dedup();
        run.status = RunStatus::Failed;
        run.ended_ms = Some(now_ms());
        run.error = Some(CUT.to_owned());
        run.settled = files.is_empty();
        run.elements_json = serde_json::to_string(&files).unwrap_or_default();
        changes.push(Change::PutRun(run));
        store.write_blocking(changes)?;
    }
    Ok(())
}

/// The file still is what it was before.
fn never_made(project: &Project, write: &FileWriteRow) -> bool {
    let Ok(path) = ProjectPath::parse_file(&write.path, project.root()) else {
        return false;
    };
    write.before != write.after
        && project
            .read_kept(&path, MAX_FILE)
            .is_ok_and(|now| now == write.before)
}
