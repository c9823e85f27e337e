//! The one thread that writes: a queue, a savepoint for each write, one commit for the group.

use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::thread::JoinHandle;

use rusqlite::Connection;
use tokio::sync::oneshot;

use crate::apply;
use crate::change::Change;
use crate::error::StoreError;

/// A group is committed at the latest when it holds this many writes …
const MAX_WRITES: usize = 256;
/// … or about this many bytes, so that the first of a large group does not wait long.
const MAX_BYTES: usize = 4 * 1024 * 1024;

type Outcome = Result<(), StoreError>;

/// Where the answer to a write goes.
pub(crate) enum Reply {
    Async(oneshot::Sender<Outcome>),
    Blocking(SyncSender<Outcome>),
}

impl Reply {
    /// Nobody listening any more is fine: the write happened all the same.
    fn send(self, outcome: Outcome) {
        match self {
            Reply::Async(reply) => drop(reply.send(outcome)),
            Reply::Blocking(reply) => drop(reply.try_send(outcome)),
        }
    }
}

struct Job {
    changes: Vec<Change>,
    reply: Reply,
}

/// The queue's near end. Dropping it finishes what is queued and waits for the thread.
pub(crate) struct Writer {
    queue: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    pub(crate) fn start(connection: Connection) -> Result<Writer, StoreError> {
        let (queue, jobs) = mpsc::channel();
        let thread = std::thread::Builder::new()
            .name("glade-store".to_owned())
            .spawn(move || Committer::new(connection).run(&jobs))
            .map_err(|e| StoreError::io("start the writer of", "glade.db".as_ref(), e))?;
        Ok(Writer {
            queue: Some(queue),
            thread: Some(thread),
        })
    }

    /// Queues a write. If the thread is gone the reply is dropped, which its holder reads as
    /// [`StoreError::Closed`].
    pub(crate) fn enqueue(&self, changes: Vec<Change>, reply: Reply) {
        if let Some(queue) = &self.queue {
            drop(queue.send(Job { changes, reply }));
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

/// The thread's state.
struct Committer {
    connection: Connection,
    /// Why no more writes are taken, once a commit failed in a way that cannot be trusted again.
    halted: Option<String>,
}

impl Committer {
    fn new(connection: Connection) -> Committer {
        Committer {
            connection,
            halted: None,
        }
    }

    fn run(mut self, jobs: &Receiver<Job>) {
        while let Ok(first) = jobs.recv() {
            let mut bytes = apply::weight(&first.changes);
            let mut group = vec![first];
            while group.len() < MAX_WRITES && bytes < MAX_BYTES {
                let Ok(next) = jobs.try_recv() else { break };
                bytes += apply::weight(&next.changes);
                group.push(next);
            }
            let (writes, replies): (Vec<_>, Vec<_>) = group
                .into_iter()
                .map(|job| (job.changes, job.reply))
                .unzip();
            let outcomes = self.commit(&writes);
            for (reply, outcome) in replies.into_iter().zip(outcomes) {
                reply.send(outcome);
            }
        }
    }

    /// Applies each write on its own terms and commits them together; one outcome for each.
    fn commit(&mut self, writes: &[Vec<Change>]) -> Vec<Outcome> {
        if let Some(reason) = &self.halted {
            let reason = reason.clone();
            return vec![Err(StoreError::Halted { reason }); writes.len()];
        }
        match self.try_commit(writes) {
            Ok(outcomes) => outcomes,
            Err(error) => {
                tracing::error!(%error, writes = writes.len(), "a group of writes was not kept");
                if !self.connection.is_autocommit()
                    && let Err(e) = self.connection.execute_batch("ROLLBACK")
                {
                    self.halted = Some(format!("{error}, then {e}"));
                }
                vec![Err(error); writes.len()]
            }
        }
    }

    /// `Err` means that nothing of the whole group was kept.
    fn try_commit(&mut self, writes: &[Vec<Change>]) -> Result<Vec<Outcome>, StoreError> {
        self.sql("BEGIN IMMEDIATE")?;
        let mut outcomes = Vec::with_capacity(writes.len());
        for changes in writes {
            self.sql("SAVEPOINT one_write")?;
            let outcome = changes
                .iter()
                .try_for_each(|change| apply::change(&self.connection, change));
            if let Err(error) = &outcome {
                // Some errors (a full disk, a failed read) make SQLite undo the whole transaction.
                if self.connection.is_autocommit() {
                    return Err(error.clone());
                }
                self.sql("ROLLBACK TO one_write")?;
            }
            self.sql("RELEASE one_write")?;
            outcomes.push(outcome);
        }
        if let Err(error) = self.sql("COMMIT") {
            if !matches!(error, StoreError::DiskFull) {
                self.halted = Some(error.to_string());
            }
            return Err(error);
        }
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
        let (writing, reading) = folder::connect(&folder).unwrap();
        (Committer::new(writing), reading)
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
