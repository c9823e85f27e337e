//! Work that takes a processor for a while: files read and written, pictures, searches.
//!
//! It runs on threads that may block, a few at once, and no person takes more than a share of them:
//! whoever has several under way waits for their own. Async threads never do it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::sessions::person;

/// How much of a kind of work there is at a time.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// At once in all …
    at_once: usize,
    /// … and of one person …
    of_one: usize,
    /// … of whom so many more may wait.
    waiting: usize,
}

/// What takes a processor.
pub const PROCESSING: Limits = Limits {
    at_once: 4,
    of_one: 2,
    waiting: 16,
};
/// Pictures and files on their way to whoever asked for them, each of some megabytes: a browser asks for six at a
/// time, and readers may be slow.
pub const SENDING: Limits = Limits {
    at_once: 24,
    of_one: 6,
    waiting: 64,
};

/// Why something is not worked on.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    #[error("You have {0} files or searches waiting already: try again when some are done.")]
    TooMany(usize),
    #[error("the work could not be done: {0}")]
    Broken(String),
}

pub struct Work {
    limits: Limits,
    in_all: Arc<Semaphore>,
    people: Mutex<HashMap<String, Share>>,
}

struct Share {
    places: Arc<Semaphore>,
    /// Turns held and waited for.
    turns: usize,
}

impl Work {
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            in_all: Arc::new(Semaphore::new(limits.at_once)),
            people: Mutex::default(),
        }
    }

    /// Waits for a place among the person's own: what a request needs memory for (its body) is read
    /// only then.
    pub async fn turn(self: &Arc<Self>, subject: &str) -> Result<Turn, WorkError> {
        let who = person(subject).to_owned();
        let places = {
            let mut people = self.lock();
            let share = people.entry(who.clone()).or_insert_with(|| Share {
                places: Arc::new(Semaphore::new(self.limits.of_one)),
                turns: 0,
            });
            if share.turns >= self.limits.of_one + self.limits.waiting {
                return Err(WorkError::TooMany(self.limits.waiting));
            }
            share.turns += 1;
            Arc::clone(&share.places)
        };
        // Made before waiting, so that whoever gives up gives it back.
        let mut turn = Turn {
            work: Arc::clone(self),
            who,
            place: None,
        };
        turn.place = Some(acquired(places).await?);
        Ok(turn)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Share>> {
        self.people.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn acquired(places: Arc<Semaphore>) -> Result<OwnedSemaphorePermit, WorkError> {
    let place = places.acquire_owned().await;
    place.map_err(|error| WorkError::Broken(error.to_string()))
}

/// A person's place.
pub struct Turn {
    work: Arc<Work>,
    who: String,
    place: Option<OwnedSemaphorePermit>,
}

impl Turn {
    /// Does it, when there is a thread for it.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, WorkError> {
        let thread = acquired(Arc::clone(&self.work.in_all)).await?;
        let done = tokio::task::spawn_blocking(move || {
            let done = work();
            // Held until it is done, also when nobody waits for it any more.
            drop(thread);
            done
        });
        done.await
            .map_err(|error| WorkError::Broken(error.to_string()))
    }
}

impl Turn {
    /// A place among all, too, for as long as both are held.
    pub async fn among_all(self) -> Result<Place, WorkError> {
        let among_all = acquired(Arc::clone(&self.work.in_all)).await?;
        Ok(Place {
            _turn: self,
            _among_all: among_all,
        })
    }
}

/// A person's place and one among all.
pub struct Place {
    _turn: Turn,
    _among_all: OwnedSemaphorePermit,
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut people = self.work.lock();
        if let Some(share) = people.get_mut(&self.who) {
            share.turns = share.turns.saturating_sub(1);
            if share.turns == 0 {
                people.remove(&self.who);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    async fn soon<T>(turn: impl Future<Output = T>) -> Option<T> {
        tokio::time::timeout(Duration::from_millis(50), turn)
            .await
            .ok()
    }

    #[tokio::test]
    async fn one_person_waits_for_their_own_work_and_nobody_elses() {
        let work = Arc::new(Work::new(PROCESSING));
        let first = work.turn("person:eve").await.unwrap();
        let _second = work.turn("person:eve/phone").await.unwrap();
        assert!(soon(work.turn("person:eve")).await.is_none(), "a share");
        assert!(soon(work.turn("person:ann")).await.is_some());
        drop(first);
        assert!(soon(work.turn("person:eve")).await.is_some());
    }

    #[tokio::test]
    async fn whoever_lets_too_much_wait_is_told_so_and_nothing_is_left_behind() {
        let work = Arc::new(Work::new(PROCESSING));
        let held: Vec<Turn> = [
            work.turn("person:eve").await.unwrap(),
            work.turn("person:eve").await.unwrap(),
        ]
        .into();
        let mut waiting = Vec::new();
        for _ in 0..PROCESSING.waiting {
            let work = Arc::clone(&work);
            waiting.push(tokio::spawn(async move {
                drop(work.turn("person:eve").await);
            }));
        }
        while work.lock()["person:eve"].turns < PROCESSING.of_one + PROCESSING.waiting {
            tokio::task::yield_now().await;
        }
        let refused = work.turn("person:eve").await;
        assert!(matches!(refused, Err(WorkError::TooMany(_))));
        drop(held);
        for one in waiting {
            one.await.unwrap();
        }
        assert!(work.lock().is_empty());
    }

    #[tokio::test]
    async fn only_so_much_is_done_at_once() {
        let work = Arc::new(Work::new(PROCESSING));
        let (begun, running) = std::sync::mpsc::channel();
        let (go, stop) = std::sync::mpsc::channel::<()>();
        let stop = Arc::new(Mutex::new(stop));
        let mut done = Vec::new();
        for n in 0..PROCESSING.at_once + 1 {
            let (work, begun, stop) = (Arc::clone(&work), begun.clone(), Arc::clone(&stop));
            done.push(tokio::spawn(async move {
                let turn = work.turn(&format!("person:{n}")).await.unwrap();
                turn.run(move || {
                    begun.send(()).unwrap();
                    let _go_on = stop.lock().unwrap().recv();
                })
                .await
                .unwrap();
            }));
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert_eq!(running.try_iter().count(), PROCESSING.at_once);
        drop(go);
        for one in done {
            one.await.unwrap();
        }
        assert_eq!(running.try_iter().count(), 1);
    }
}
