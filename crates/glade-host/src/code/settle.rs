//! Keeping and undoing what a run did to files, whole or in part, and whose a line is.

use std::collections::{BTreeMap, BTreeSet};

use glade_code::undo::{self, NotUndone, Write};
use glade_code::{
    Author, Clash, MAX_FILE, PlannedChange, ProjectPath, UnifiedDiff, blame, unified,
};
use glade_store::{AuditKind, Change, FileWriteRow, RunFilter, RunStatus, WriteState};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use super::{CodeError, CodeHost};
use crate::audit;
use crate::workspace::Run;

/// Which part of a run; all of it when both are absent.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FilesPart {
    pub files: Option<BTreeSet<String>>,
    /// Places of a file, as [`FileChange::hunks`] numbers them.
    pub hunks: Option<BTreeMap<String, BTreeSet<usize>>>,
}

impl FilesPart {
    fn takes(&self, path: &str) -> bool {
        match (&self.files, &self.hunks) {
            (None, None) => true,
            (files, hunks) => {
                files.as_ref().is_some_and(|files| files.contains(path))
                    || hunks.as_ref().is_some_and(|hunks| hunks.contains_key(path))
            }
        }
    }

    fn places(&self, path: &str) -> Option<&BTreeSet<usize>> {
        self.hunks.as_ref()?.get(path)
    }

    /// With the other half of every move: a file that was moved goes back as one.
    fn with_moves(&self, moves: &BTreeMap<String, String>) -> FilesPart {
        let mut part = self.clone();
        if let Some(files) = &mut part.files {
            for (to, from) in moves {
                if files.contains(to) || files.contains(from) {
                    files.extend([to.clone(), from.clone()]);
                }
            }
        }
        part
    }
}

#[derive(Debug, Default, PartialEq)]
pub struct Settled {
    /// How many places went back to what they were.
    pub undone: usize,
    pub kept: Vec<Stayed>,
}

/// What an undo left in a file, and why.
#[derive(Debug, PartialEq)]
pub struct Stayed {
    pub path: String,
    pub why: &'static str,
    pub clash: Option<Clash>,
}

impl Settled {
    pub fn add(&mut self, other: Settled) {
        self.undone += other.undone;
        self.kept.extend(other.kept);
    }
}

/// What a run did to one file: what of it still waits, or all of it once nothing does.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileChange {
    pub path: String,
    /// Where it was before the run moved it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved_from: Option<String>,
    /// Absent: there was no file; or it is no text.
    #[schema(required)]
    pub before: Option<String>,
    #[schema(required)]
    pub after: Option<String>,
    pub pending: bool,
    /// Lines `[from, to)` before and after, for each place that changed.
    pub hunks: Vec<FileHunk>,
    pub diff: UnifiedDiff,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct FileHunk {
    pub old: (usize, usize),
    pub new: (usize, usize),
}

impl CodeHost {
    /// Whether any run of a chat changed a file and was neither kept nor undone.
    pub(super) fn has_unsettled_changes(&self, chat: &str) -> Result<bool, CodeError> {
        let runs = self.store.runs(RunFilter {
            fairy: Some(chat.to_owned()),
            ..RunFilter::default()
        })?;
        for run in runs.rows {
            if self
                .store
                .file_writes_of_run(&run.id)?
                .iter()
                .any(is_pending)
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What a run did, file by file.
    pub fn changes(&self, run: &str) -> Result<Vec<FileChange>, CodeError> {
        let mut changes = Vec::new();
        let paths = by_path(self.store.file_writes_of_run(run)?);
        let moves = moves(&paths);
        for (path, rows) in &paths {
            if moves.values().any(|from| from == path) {
                continue;
            }
            let pending = rows.iter().any(is_pending);
            let wanted = if pending {
                WriteState::Pending
            } else {
                WriteState::Kept
            };
            let shown: Vec<&FileWriteRow> = rows.iter().filter(|row| row.state == wanted).collect();
            let (Some(first), Some(last)) = (shown.first(), shown.last()) else {
                continue;
            };
            let text = |bytes: &Option<Vec<u8>>| {
                let bytes = bytes.clone()?;
                String::from_utf8(bytes).ok()
            };
            let moved_from = moves.get(path);
            let source = moved_from.and_then(|from| paths.get(from)?.first());
            let was = source.map_or(&first.before, |row| &row.before);
            let (before, after) = (text(was), text(&last.after));
            let places = undo::places(
                before.as_deref().unwrap_or_default(),
                after.as_deref().unwrap_or_default(),
            );
            let hunk = |hunk: &glade_code::Hunk| FileHunk {
                old: (hunk.old.start, hunk.old.end),
                new: (hunk.new.start, hunk.new.end),
            };
            // Places are those of one file: one that was moved goes back whole.
            let places = places.iter().filter(|_| moved_from.is_none());
            changes.push(FileChange {
                hunks: places.map(hunk).collect(),
                pending,
                diff: unified(&self.path(path)?, was.as_deref(), last.after.as_deref()),
                path: path.clone(),
                moved_from: moved_from.cloned(),
                before,
                after,
            });
        }
        Ok(changes)
    }

    fn path(&self, path: &str) -> Result<ProjectPath, CodeError> {
        ProjectPath::parse_file(path, self.project.root())
            .map_err(|error| CodeError::Wrong(error.words))
    }

    fn settleable(&self, id: &str) -> Result<Run, CodeError> {
        let run = self.workspace.find_run(id)?;
        let run = run.ok_or_else(|| CodeError::Wrong(format!("There is no run {id}.")))?;
        if run.status == RunStatus::Running {
            return Err(CodeError::Busy);
        }
        Ok(run)
    }

    /// These changes are no longer pending.
    pub async fn keep(&self, id: &str, part: &FilesPart, by: &str) -> Result<Run, CodeError> {
        let _turn = self.settling.lock().await;
        let run = self.settleable(id)?;
        let mut changes = Vec::new();
        let paths = by_path(self.store.file_writes_of_run(id)?);
        let part = part.with_moves(&moves(&paths));
        for (path, rows) in paths {
            if !part.takes(&path) || !rows.iter().any(is_pending) {
                continue;
            }
            let rows = match part.places(&path) {
                Some(chosen) => {
                    let (pending, settled): (Vec<_>, Vec<_>) =
                        rows.into_iter().partition(is_pending);
                    let (before, after) = one_write(&path, &pending)?;
                    let others = others(&before, &after, chosen);
                    // What is kept first, then what still waits.
                    let kept = undo::without_places(&before, &after, &others);
                    let parts = [
                        row(id, &path, &before, &kept, WriteState::Kept),
                        row(id, &path, &kept, &after, WriteState::Pending),
                    ];
                    let parts = parts.into_iter().filter(|row| row.before != row.after);
                    settled.into_iter().chain(parts).collect()
                }
                None => rows
                    .into_iter()
                    .filter(|row| row.state != WriteState::OfUndo)
                    .map(|row| FileWriteRow {
                        state: WriteState::Kept,
                        ..row
                    })
                    .collect(),
            };
            changes.push(set(id, &path, rows));
        }
        self.write_settled(run, changes, RunStatus::Kept, AuditKind::RunKept, by)
            .await
    }

    /// Takes changes back out of the files as they are now. What people wrote since stays.
    pub async fn undo(&self, id: &str, part: &FilesPart, by: &str) -> Result<Settled, CodeError> {
        let _turn = self.settling.lock().await;
        let run = self.settleable(id)?;
        let mut settled = Settled::default();
        let mut changes = Vec::new();
        let paths = by_path(self.store.file_writes_of_run(id)?);
        let part = part.with_moves(&moves(&paths));
        for (path, rows) in paths {
            let pending: Vec<FileWriteRow> =
                rows.iter().filter(|row| is_pending(row)).cloned().collect();
            if !part.takes(&path) || pending.is_empty() {
                continue;
            }
            let (writes, rest) = match part.places(&path) {
                Some(chosen) => {
                    let (before, after) = one_write(&path, &pending)?;
                    let without = undo::without_places(&before, &after, chosen);
                    let write = Write {
                        before: Some(without.clone().into_bytes()),
                        after: Some(after.into_bytes()),
                    };
                    let rest = row(id, &path, &before, &without, WriteState::Pending);
                    let still = rest.before != rest.after;
                    (vec![write], still.then_some(rest).into_iter().collect())
                }
                None => (pending.iter().map(to_write).collect(), Vec::new()),
            };
            let (outcome, write) = self.take_out(&path, &writes)?;
            settled.add(outcome);
            let kept = rows.into_iter().filter(|row| !is_pending(row));
            let of_undo = write.map(|write| of_write(id, &path, write, WriteState::OfUndo));
            changes.push(set(id, &path, kept.chain(of_undo).chain(rest).collect()));
        }
        self.write_settled(run, changes, RunStatus::Undone, AuditKind::RunUndone, by)
            .await?;
        Ok(settled)
    }

    /// What was kept of a run can be undone again.
    pub(super) async fn release(&self, id: &str) -> Result<(), CodeError> {
        let _turn = self.settling.lock().await;
        let mut run = self.settleable(id)?;
        let mut changes = Vec::new();
        for (path, mut rows) in by_path(self.store.file_writes_of_run(id)?) {
            for row in &mut rows {
                if row.state == WriteState::Kept {
                    row.state = WriteState::Pending;
                }
            }
            changes.push(set(id, &path, rows));
        }
        run.settled = false;
        run.status = RunStatus::Pending;
        self.workspace.put_run_with(run, changes).await?;
        Ok(())
    }

    /// Takes the undos of a run back in the files as they are now: it is pending again. What people
    /// wrote since stays. `None`: nothing of it was undone.
    pub async fn reopen(&self, id: &str, by: &str) -> Result<Option<Settled>, CodeError> {
        let _turn = self.settling.lock().await;
        let mut run = self.settleable(id)?;
        let mut reopened = Settled::default();
        let mut changes = Vec::new();
        let mut pending = BTreeSet::new();
        for (path, rows) in by_path(self.store.file_writes_of_run(id)?) {
            let is_of_undo = |row: &FileWriteRow| row.state == WriteState::OfUndo;
            let (of_undo, mut rows): (Vec<_>, Vec<_>) = rows.into_iter().partition(is_of_undo);
            if !of_undo.is_empty() {
                let writes: Vec<Write> = of_undo.iter().map(to_write).collect();
                let (outcome, write) = self.take_out(&path, &writes)?;
                reopened.add(outcome);
                rows.extend(write.map(|write| of_write(id, &path, write, WriteState::Pending)));
                changes.push(set(id, &path, rows.clone()));
            }
            if rows.iter().any(is_pending) {
                pending.insert(path);
            }
        }
        if changes.is_empty() {
            return Ok(None);
        }
        run.elements = pending.into_iter().collect();
        run.settled = run.elements.is_empty();
        if !run.settled {
            run.status = RunStatus::Pending;
        }
        let told = json!({"run": run.id, "page": run.target.name(), "files": changes.len()});
        changes.push(audit::entry(AuditKind::RunReopened, by, told));
        self.workspace.put_run_with(run, changes).await?;
        Ok(Some(reopened))
    }

    /// With the write of the file that it took, if any.
    fn take_out(
        &self,
        path: &str,
        writes: &[Write],
    ) -> Result<(Settled, Option<Write>), CodeError> {
        let wrong = |error: glade_code::ToolError| CodeError::Wrong(error.words);
        let file = self.path(path)?;
        let now = self.project.read_kept(&file, MAX_FILE).map_err(wrong)?;
        let undone = undo::undo(writes, now.as_deref());
        let mut write = None;
        if undone.file != now {
            let change = PlannedChange {
                path: file,
                before: now,
                after: undone.file,
                moved_from: None,
            };
            self.project.take_back(&change).map_err(wrong)?;
            write = Some(Write {
                before: change.before,
                after: change.after,
            });
        }
        let kept = undone.left.into_iter().map(|left| Stayed {
            path: path.to_owned(),
            why: why_left(&left),
            clash: match left {
                NotUndone::Clash(clash) => Some(clash),
                _ => None,
            },
        });
        let settled = Settled {
            undone: undone.undone,
            kept: kept.collect(),
        };
        Ok((settled, write))
    }

    async fn write_settled(
        &self,
        mut run: Run,
        mut changes: Vec<Change>,
        status: RunStatus,
        kind: AuditKind,
        by: &str,
    ) -> Result<Run, CodeError> {
        let touched = changes.len();
        changes.push(audit::entry(
            kind,
            by,
            json!({"run": run.id, "page": run.target.name(), "files": touched}),
        ));
        self.store.write(changes).await?;
        let left: BTreeSet<String> = self
            .store
            .file_writes_of_run(&run.id)?
            .into_iter()
            .filter(is_pending)
            .map(|row| row.path)
            .collect();
        run.elements = left.into_iter().collect();
        if run.elements.is_empty() && !run.settled {
            run.settled = true;
            run.status = status;
        }
        self.workspace.put_run(run.clone()).await?;
        Ok(run)
    }

    /// All that runs wrote to a file, also where it was before they moved it.
    fn writes_through_moves(&self, path: &str) -> Result<Vec<FileWriteRow>, CodeError> {
        let (mut path, mut rows) = (path.to_owned(), Vec::new());
        for _ in 0..MOST_MOVES {
            let mut own = self.store.file_writes_of_path(&path)?;
            own.retain(|row| row.state != WriteState::OfUndo);
            let mut source = None;
            if let Some(made) = own.iter().rposition(|row| row.before.is_none()) {
                let of_run = by_path(self.store.file_writes_of_run(&own[made].run)?);
                source = moves(&of_run).remove(&path);
                if source.is_some() {
                    own.drain(..=made);
                }
            }
            own.append(&mut rows);
            rows = own;
            match source {
                // Its last write there took it away.
                Some(from) => path = from,
                None => break,
            }
        }
        rows.retain(|row| row.after.is_some());
        Ok(rows)
    }

    /// The run that wrote each line of a file, as it is now; `None`: a person, or the time before.
    pub fn authors(&self, path: &ProjectPath) -> Result<Vec<Option<String>>, CodeError> {
        let rows = self.writes_through_moves(path.as_str())?;
        let now = self
            .project
            .read(path, MAX_FILE)
            .map_err(|error| CodeError::Wrong(error.words))?;
        let now = String::from_utf8(now.unwrap_or_default()).unwrap_or_default();
        let writes: Vec<Write> = rows.iter().map(to_write).collect();
        let author = |author| match author {
            Author::Write(index) => Some(rows[index].run.clone()),
            Author::Person | Author::Before => None,
        };
        Ok(blame(&now, &writes).into_iter().map(author).collect())
    }
}

/// How often a file is followed to where it was before.
const MOST_MOVES: usize = 16;

/// Where files came from that a run moved: what it took away at one path it made at another.
fn moves(paths: &BTreeMap<String, Vec<FileWriteRow>>) -> BTreeMap<String, String> {
    let mut moves: BTreeMap<String, String> = BTreeMap::new();
    for (to, rows) in paths {
        let made = rows
            .first()
            .filter(|row| row.before.is_none() && row.after.is_some());
        let Some(made) = made else {
            continue;
        };
        let source = paths.iter().find(|(from, rows)| {
            let taken = moves.values().any(|other| other == *from);
            let gone = rows
                .last()
                .is_some_and(|row| row.after.is_none() && row.before == made.after);
            *from != to && !taken && gone
        });
        moves.extend(source.map(|(from, _)| (to.clone(), from.clone())));
    }
    moves
}

fn by_path(rows: Vec<FileWriteRow>) -> BTreeMap<String, Vec<FileWriteRow>> {
    let mut paths: BTreeMap<String, Vec<FileWriteRow>> = BTreeMap::new();
    for row in rows {
        paths.entry(row.path.clone()).or_default().push(row);
    }
    paths
}

fn to_write(row: &FileWriteRow) -> Write {
    Write {
        before: row.before.clone(),
        after: row.after.clone(),
    }
}

/// These are all of the run's writes of the file now, in this order.
fn set(run: &str, path: &str, mut rows: Vec<FileWriteRow>) -> Change {
    for (index, row) in (0..).zip(&mut rows) {
        row.index = index;
    }
    Change::SetFileWrites {
        run: run.to_owned(),
        path: path.to_owned(),
        rows,
    }
}

fn is_pending(row: &FileWriteRow) -> bool {
    row.state == WriteState::Pending
}

/// [`set`] numbers it.
fn of_write(run: &str, path: &str, write: Write, state: WriteState) -> FileWriteRow {
    FileWriteRow {
        run: run.to_owned(),
        path: path.to_owned(),
        index: 0,
        before: write.before,
        after: write.after,
        state,
    }
}

fn row(run: &str, path: &str, before: &str, after: &str, state: WriteState) -> FileWriteRow {
    let write = Write {
        before: Some(before.as_bytes().to_vec()),
        after: Some(after.as_bytes().to_vec()),
    };
    of_write(run, path, write, state)
}

/// Places are those of one change. Where a person wrote between two writes of the run there is none.
fn one_write(path: &str, rows: &[FileWriteRow]) -> Result<(String, String), CodeError> {
    let whole = |why: &str| {
        CodeError::Wrong(format!(
            "{path} cannot be settled place by place, because {why}: keep or undo the file whole."
        ))
    };
    let follows = rows.windows(2).all(|pair| pair[0].after == pair[1].before);
    if !follows {
        return Err(whole("somebody changed it while the run was at work"));
    }
    let text = |bytes: Option<&Vec<u8>>| {
        let bytes = bytes
            .cloned()
            .ok_or_else(|| whole("it was made or deleted"))?;
        String::from_utf8(bytes).map_err(|_| whole("it is not a text"))
    };
    let before = text(rows.first().and_then(|row| row.before.as_ref()))?;
    let after = text(rows.last().and_then(|row| row.after.as_ref()))?;
    Ok((before, after))
}

fn others(before: &str, after: &str, chosen: &BTreeSet<usize>) -> BTreeSet<usize> {
    let all = 0..undo::places(before, after).len();
    all.filter(|place| !chosen.contains(place)).collect()
}

fn why_left(left: &NotUndone) -> &'static str {
    match left {
        NotUndone::Clash(_) => "somebody changed the same lines since",
        NotUndone::DeletedSince => "somebody deleted the file since",
        NotUndone::MadeAnew => "somebody made the file anew since",
        NotUndone::BinaryChanged => "it is not a text and was changed since",
    }
}
