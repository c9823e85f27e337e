//! The one thread that writes: a queue, and one commit for all that waits in it. Should one of the
//! writes fail, they are made again with a savepoint each, so that only that one is left out.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::Connection;

use crate::apply::{self, Logs};
use crate::audit::checkpoint::{Sealed, Sealer};
use crate::audit::{Chain, Signer, derive, rights};
use crate::change::Change;
use crate::error::StoreError;
use crate::reply::{Outcome, Reply};
use crate::reserve::Reserve;
use crate::stats::{Stats, StatsNow};
use crate::wal_checkpointer::WalCheckpointer;

/// A group is committed at the latest when it holds this many writes …
const MAX_WRITES: usize = 256;
/// … or about this many bytes, so that the first of a large group does not wait long.
const MAX_BYTES: usize = 4 * 1024 * 1024;

/// A checkpoint is signed at the latest after this many entries …
const CHECKPOINT_EVERY: i64 = 1024;
/// … or when nothing was written for this long.
const QUIET: Duration = Duration::from_secs(2);
/// How often a full disk is looked at while nothing comes.
const LOOK_FOR_SPACE: Duration = Duration::from_secs(1);

enum Job {
    Write {
        changes: Vec<Change>,
        reply: Reply,
    },
    /// From now on, sign checkpoints.
    Seal {
        origin: String,
        signer: Box<dyn Signer>,
        reply: Reply,
    },
    /// Sign what is not signed yet.
    SealNow {
        reply: Reply,
    },
}

/// The queue's near end. Dropping it finishes what is queued and waits for the thread.
pub(crate) struct Writer {
    queue: Option<Sender<Job>>,
    stats: Arc<Stats>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    pub(crate) fn start(
        connection: Connection,
        checkpointing: Connection,
        dir: &Path,
    ) -> Result<Writer, StoreError> {
        let (queue, jobs) = mpsc::channel();
        let committer = Committer::new(connection, checkpointing, dir)?;
        let stats = Arc::clone(&committer.stats);
        let thread = std::thread::Builder::new()
            .name("glade-store".to_owned())
            .spawn(move || committer.run(&jobs))
            .map_err(|e| StoreError::io("start the writer of", "glade.db".as_ref(), e))?;
        Ok(Writer {
            queue: Some(queue),
            stats,
            thread: Some(thread),
        })
    }

    /// Queues a write. If the thread is gone the reply is dropped, which its holder reads as
    /// [`StoreError::Closed`].
    pub(crate) fn enqueue(&self, changes: Vec<Change>, reply: Reply) {
        if let Some(queue) = &self.queue {
            drop(queue.send(Job::Write { changes, reply }));
        }
    }

    pub(crate) fn seal_now(&self, reply: Reply) {
        if let Some(queue) = &self.queue {
            drop(queue.send(Job::SealNow { reply }));
        }
    }

    pub(crate) fn is_full(&self) -> bool {
        self.stats.is_full()
    }

    pub(crate) fn stats(&self) -> StatsNow {
        self.stats.now()
    }

    pub(crate) fn seal(&self, origin: String, signer: Box<dyn Signer>, reply: Reply) {
        if let Some(queue) = &self.queue {
            drop(queue.send(Job::Seal {
                origin,
                signer,
                reply,
            }));
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.queue = None;
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the store's writer thread panicked; acknowledged writes are safe");
        }
    }
}

/// How a group of writes is applied: an outcome for each, or nothing kept of any.
type Apply = fn(&mut Committer, &[Vec<Change>]) -> Result<Vec<Outcome>, StoreError>;

/// The thread's state.
struct Committer {
    /// Before the connection, which is to be the last one that closes.
    wal_checkpointer: WalCheckpointer,
    connection: Connection,
    dir: PathBuf,
    /// The end of the audit chain; only this thread adds to it.
    chain: Chain,
    /// The ends of the pages' logs, likewise.
    logs: Logs,
    sealer: Option<Sealer>,
    stats: Arc<Stats>,
    reserve: Reserve,
    /// Why no more writes are taken, once a commit failed in a way that cannot be trusted again.
    halted: Option<String>,
}

impl Committer {
    fn new(
        connection: Connection,
        checkpointing: Connection,
        dir: &Path,
    ) -> Result<Committer, StoreError> {
        let mut chain = Chain::load(&connection)?;
        rights::cover(&connection, &mut chain)?;
        Ok(Committer {
            wal_checkpointer: WalCheckpointer::start(checkpointing)?,
            chain,
            logs: Logs::default(),
            connection,
            dir: dir.to_owned(),
            sealer: None,
            stats: Arc::default(),
            reserve: Reserve::open(dir),
            halted: None,
        })
    }

    fn run(mut self, jobs: &Receiver<Job>) {
        // A job that ended a group before its time.
        let mut kept_back = None;
        loop {
            let job = match kept_back.take() {
                Some(job) => job,
                None => match self.next(jobs) {
                    Some(job) => job,
                    None => break,
                },
            };
            match job {
                Job::Write { changes, reply } => {
                    kept_back = self.group(changes, reply, jobs);
                }
                Job::Seal {
                    origin,
                    signer,
                    reply,
                } => reply.send(self.begin_sealing(&origin, signer)),
                Job::SealNow { reply } => {
                    self.seal_rest();
                    reply.send(Ok(()));
                }
            }
        }
        self.seal_rest();
    }

    /// Waits for a job. A quiet moment is used to sign what has not been signed yet, and to see
    /// whether a full disk has space again.
    fn next(&mut self, jobs: &Receiver<Job>) -> Option<Job> {
        loop {
            let wait = match (self.stats.is_full(), self.unsealed()) {
                (true, _) => LOOK_FOR_SPACE,
                (false, true) => QUIET,
                (false, false) => return jobs.recv().ok(),
            };
            match jobs.recv_timeout(wait) {
                Ok(job) => return Some(job),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) if self.stats.is_full() => {
                    self.stats.set_full(!self.reserve.has_space_beside());
                }
                Err(RecvTimeoutError::Timeout) => self.seal_rest(),
            }
        }
    }

    /// Commits a write with those that wait behind it; answers a job of another kind, if it met one.
    fn group(&mut self, changes: Vec<Change>, reply: Reply, jobs: &Receiver<Job>) -> Option<Job> {
        let mut bytes = apply::weight(&changes);
        let (mut writes, mut replies) = (vec![changes], vec![reply]);
        let mut other = None;
        while writes.len() < MAX_WRITES && bytes < MAX_BYTES {
            match jobs.try_recv() {
                Ok(Job::Write { changes, reply }) => {
                    bytes += apply::weight(&changes);
                    writes.push(changes);
                    replies.push(reply);
                }
                Ok(job) => {
                    other = Some(job);
                    break;
                }
                Err(_) => break,
            }
        }
        let outcomes = self.commit_in_order(&writes);
        for (reply, outcome) in replies.into_iter().zip(outcomes) {
            reply.send(outcome);
        }
        self.wal_checkpointer.committed(bytes, &self.connection);
        other
    }

    fn begin_sealing(&mut self, origin: &str, signer: Box<dyn Signer>) -> Outcome {
        let sealer = Sealer::start(&self.connection, &self.dir, origin, signer)?;
        if sealer.sealed > self.chain.size {
            tracing::error!(
                entries = self.chain.size,
                signed = sealer.sealed,
                "the audit chain is shorter than its last checkpoint says: run `glade audit verify`"
            );
        }
        self.sealer = Some(sealer);
        self.seal_rest();
        Ok(())
    }

    fn unsealed(&self) -> bool {
        self.halted.is_none()
            && self
                .sealer
                .as_ref()
                .is_some_and(|sealer| sealer.sealed != self.chain.size)
    }

    /// Signs the chain as it stands, if that has not been done.
    fn seal_rest(&mut self) {
        // A checkpoint can wait until there is space again.
        if !self.unsealed() || !self.reserve.is_whole() {
            return;
        }
        let sealed = self.sql("BEGIN IMMEDIATE").and_then(|()| {
            let sealed = self.seal()?;
            self.sql("COMMIT")?;
            Ok(sealed)
        });
        match sealed {
            Ok(sealed) => self.place(sealed.as_ref()),
            Err(error) => {
                tracing::error!(%error, "a checkpoint could not be kept");
                // Do not try again at every quiet moment; the next start does.
                self.sealer = None;
                if !self.connection.is_autocommit()
                    && let Err(e) = self.connection.execute_batch("ROLLBACK")
                {
                    self.halted = Some(format!("{error}, then {e}"));
                }
            }
        }
    }

    fn seal(&mut self) -> Result<Option<Sealed>, StoreError> {
        let at_ms = derive::now_ms();
        self.sealer
            .as_mut()
            .map(|sealer| sealer.seal(&self.connection, &self.chain, at_ms))
            .transpose()
    }

    fn place(&mut self, sealed: Option<&Sealed>) {
        if let (Some(sealer), Some(sealed)) = (&mut self.sealer, sealed) {
            sealer.place(sealed);
        }
    }

    /// Commits writes together; one outcome for each. Where the disk is full, those that take
    /// rights away are committed from the reserve, and the others fail.
    fn commit_in_order(&mut self, writes: &[Vec<Change>]) -> Vec<Outcome> {
        let urgent = |write: &Vec<Change>| write.iter().all(Change::takes_rights_away);
        let mut outcomes = if self.reserve.is_whole() {
            self.commit(writes)
        } else {
            // What is left of the disk is not for them.
            vec![Err(StoreError::DiskFull); writes.len()]
        };
        if outcomes
            .iter()
            .any(|it| matches!(it, Err(StoreError::DiskFull)))
        {
            self.stats.set_full(true);
        } else if outcomes.iter().any(Result::is_ok) {
            self.stats.set_full(false);
        }
        let short: Vec<usize> = (0..writes.len())
            .filter(|at| matches!(outcomes[*at], Err(StoreError::DiskFull)) && urgent(&writes[*at]))
            .collect();
        for at in short {
            let write = std::slice::from_ref(&writes[at]);
            let mut outcome = self.commit(write);
            if matches!(outcome[..], [Err(StoreError::DiskFull)]) && self.reserve.release() {
                outcome = self.commit(write);
            }
            outcomes[at] = outcome.pop().unwrap_or(Err(StoreError::Closed));
        }
        outcomes
    }

    /// Commits writes together; one outcome for each.
    fn commit(&mut self, writes: &[Vec<Change>]) -> Vec<Outcome> {
        if let Some(reason) = &self.halted {
            let reason = reason.clone();
            return vec![Err(StoreError::Halted { reason }); writes.len()];
        }
        let chain = self.chain;
        let all_or_none = self.try_commit(writes, Self::apply_all);
        let outcomes = match all_or_none {
            Err(_) if writes.len() > 1 && self.halted.is_none() => {
                self.undo(chain);
                self.try_commit(writes, Self::apply_each)
            }
            outcomes => outcomes,
        };
        outcomes.unwrap_or_else(|error| {
            tracing::error!(%error, writes = writes.len(), "a group of writes was not kept");
            self.undo(chain);
            vec![Err(error); writes.len()]
        })
    }

    /// Nothing of what was begun since `chain` was the chain is kept.
    fn undo(&mut self, chain: Chain) {
        self.chain = chain;
        self.logs.forget();
        // Some errors (a full disk, a failed read) make SQLite undo the whole transaction itself.
        if !self.connection.is_autocommit()
            && let Err(e) = self.connection.execute_batch("ROLLBACK")
        {
            self.halted = Some(format!("a transaction could not be undone: {e}"));
        }
    }

    /// Applies writes without a way back but for all of them.
    fn apply_all(&mut self, writes: &[Vec<Change>]) -> Result<Vec<Outcome>, StoreError> {
        for changes in writes {
            apply::write(&self.connection, &mut self.chain, &mut self.logs, changes)?;
        }
        Ok(vec![Ok(()); writes.len()])
    }

    /// Applies each write on its own terms; one outcome for each.
    fn apply_each(&mut self, writes: &[Vec<Change>]) -> Result<Vec<Outcome>, StoreError> {
        let mut outcomes = Vec::with_capacity(writes.len());
        for changes in writes {
            self.sql("SAVEPOINT one_write")?;
            let chain = self.chain;
            let outcome = apply::write(&self.connection, &mut self.chain, &mut self.logs, changes);
            if let Err(error) = &outcome {
                if self.connection.is_autocommit() {
                    return Err(error.clone());
                }
                self.sql("ROLLBACK TO one_write")?;
                self.chain = chain;
                self.logs.forget();
            }
            self.sql("RELEASE one_write")?;
            outcomes.push(outcome);
        }
        Ok(outcomes)
    }

    /// `Err` means that nothing of the whole group was kept.
    fn try_commit(
        &mut self,
        writes: &[Vec<Change>],
        apply: Apply,
    ) -> Result<Vec<Outcome>, StoreError> {
        self.sql("BEGIN IMMEDIATE")?;
        let outcomes = apply(self, writes)?;
        let due = self
            .sealer
            .as_ref()
            .is_some_and(|sealer| self.chain.size - sealer.sealed >= CHECKPOINT_EVERY);
        let sealed = if due { self.seal()? } else { None };
        if let Err(error) = self.sql("COMMIT") {
            if !matches!(error, StoreError::DiskFull) {
                self.halted = Some(error.to_string());
            }
            return Err(error);
        }
        self.stats.committed(writes.len());
        self.place(sealed.as_ref());
        Ok(outcomes)
    }

    fn sql(&self, statement: &'static str) -> Result<(), StoreError> {
        self.connection
            .prepare_cached(statement)
            .and_then(|mut prepared| prepared.execute([]))
            .map(drop)
            .map_err(|e| StoreError::database("commit", e))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::{self, Folder};

    fn committer(dir: &std::path::Path) -> (Committer, Connection) {
        let folder = Folder::claim(dir).unwrap();
        let open = folder::connect(&folder).unwrap();
        let committer = Committer::new(open.writing, open.checkpointing, dir).unwrap();
        (committer, open.reading)
    }

    fn setting(key: &str, value: String) -> Vec<Change> {
        vec![Change::PutSetting {
            key: key.to_owned(),
            value,
        }]
    }

    fn keys(reading: &Connection) -> Vec<String> {
        let mut statement = reading
            .prepare("SELECT key FROM setting ORDER BY key")
            .unwrap();
        let rows = statement.query_map([], |row| row.get(0)).unwrap();
        rows.collect::<Result<_, _>>().unwrap()
    }

    #[test]
    fn a_full_disk_fails_what_it_could_not_keep_and_later_writes_go_on() {
        let dir = tempfile::tempdir().unwrap();
        let (mut committer, reading) = committer(dir.path());
        let limit = |pages: i64, committer: &Committer| {
            committer
                .connection
                .query_row(&format!("PRAGMA max_page_count = {pages}"), [], |_| Ok(()))
                .unwrap();
        };
        limit(1, &committer);
        let large = "x".repeat(1 << 20);
        let outcomes = committer.commit(&[
            setting("a", "small".to_owned()),
            setting("b", large.clone()),
            setting("c", "small".to_owned()),
        ]);
        assert!(matches!(outcomes[1], Err(StoreError::DiskFull)));
        let kept: Vec<_> = ["a", "b", "c"]
            .into_iter()
            .zip(&outcomes)
            .filter(|(_, outcome)| outcome.is_ok())
            .map(|(key, _)| key)
            .collect();
        assert_eq!(keys(&reading), kept);

        limit(1 << 30, &committer);
        assert!(committer.commit(&[setting("b", large)])[0].is_ok());
        assert!(keys(&reading).contains(&"b".to_owned()));
    }

    #[test]
    fn after_a_commit_that_failed_nothing_more_is_acknowledged() {
        let dir = tempfile::tempdir().unwrap();
        let (mut committer, reading) = committer(dir.path());
        // A reference that is only checked at the commit stands in for a disk that fails there.
        let trap = "CREATE TABLE trap (page REFERENCES page (id) DEFERRABLE INITIALLY DEFERRED);
            CREATE TRIGGER spring AFTER INSERT ON setting
                BEGIN INSERT INTO trap VALUES ('none'); END;";
        committer.connection.execute_batch(trap).unwrap();
        let outcomes = committer.commit(&[setting("a", "1".to_owned())]);
        assert!(matches!(outcomes[0], Err(StoreError::Database { .. })));
        committer
            .connection
            .execute_batch("DROP TRIGGER spring")
            .unwrap();
        let outcomes = committer.commit(&[setting("b", "1".to_owned())]);
        assert!(matches!(outcomes[0], Err(StoreError::Halted { .. })));
        assert_eq!(keys(&reading), Vec::<String>::new());
    }
}
