//! What time it is, read at the edge only.
//!
//! Rows are dated by the wall clock. What expires is judged by a [`Clock`] that never runs
//! backwards: setting the wall clock back gives nobody a right again, not even over a restart.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use glade_store::{Change, Store, StoreError};

/// Where the store keeps the latest time that was ever seen.
pub const MARK: &str = "clock";
/// How often that is written.
pub const KEPT_EVERY: Duration = Duration::from_secs(60);

/// Milliseconds since the Unix epoch.
pub fn now_ms() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| {
            i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
        })
}

/// A clock that goes on from the latest time it has shown, by time that has really passed, and
/// follows the wall clock where that is ahead.
#[derive(Clone)]
pub struct Clock(Arc<Inner>);

struct Inner {
    wall: Box<dyn Fn() -> i64 + Send + Sync>,
    latest: Mutex<Latest>,
}

struct Latest {
    ms: i64,
    at: Instant,
}

/// The time that was kept cannot be read: what expired by it would be valid again.
#[derive(Debug, thiserror::Error)]
pub enum ClockError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(
        "the time that this folder was last used at ({0:?}) cannot be read: restore a backup of the folder"
    )]
    Unreadable(String),
}

impl Default for Clock {
    fn default() -> Self {
        Self::following(now_ms)
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Clock({})", self.now_ms())
    }
}

impl Clock {
    /// With another wall clock, in milliseconds since the Unix epoch.
    pub fn following(wall: impl Fn() -> i64 + Send + Sync + 'static) -> Self {
        let latest = Latest {
            ms: wall(),
            at: Instant::now(),
        };
        Self(Arc::new(Inner {
            wall: Box::new(wall),
            latest: Mutex::new(latest),
        }))
    }

    pub fn now_ms(&self) -> i64 {
        let mut latest = self.0.latest.lock().unwrap_or_else(PoisonError::into_inner);
        let passed = i64::try_from(latest.at.elapsed().as_millis()).unwrap_or(i64::MAX);
        let ms = latest.ms.saturating_add(passed).max((self.0.wall)());
        // Only whole milliseconds are counted: asking often must not lose the rest of each.
        if ms > latest.ms {
            *latest = Latest {
                ms,
                at: Instant::now(),
            };
        }
        ms
    }

    pub fn now(&self) -> SystemTime {
        let since = u64::try_from(self.now_ms()).unwrap_or(0);
        UNIX_EPOCH + Duration::from_millis(since)
    }

    /// Goes on from the time that the store last knew, if that is later.
    pub fn go_on_from(&self, store: &Store) -> Result<(), ClockError> {
        let Some(kept) = store.setting(MARK)? else {
            return Ok(());
        };
        let kept: i64 = kept.parse().map_err(|_| ClockError::Unreadable(kept))?;
        let ahead = kept.saturating_sub((self.0.wall)());
        if ahead > 0 {
            tracing::warn!(
                ahead_seconds = ahead / 1000,
                "this machine's clock is behind the time at which this folder was last used: what expires is judged by that time"
            );
        }
        let mut latest = self.0.latest.lock().unwrap_or_else(PoisonError::into_inner);
        if kept > latest.ms {
            *latest = Latest {
                ms: kept,
                at: Instant::now(),
            };
        }
        Ok(())
    }

    /// Writes down how late it is.
    pub async fn keep(&self, store: &Store) -> Result<(), StoreError> {
        let change = Change::PutSetting {
            key: MARK.to_owned(),
            value: self.now_ms().to_string(),
        };
        store.write(vec![change]).await
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicI64, Ordering};

    use proptest::prelude::*;

    use super::*;

    fn set_by_hand(ms: i64) -> (Clock, Arc<AtomicI64>) {
        let wall = Arc::new(AtomicI64::new(ms));
        let read = Arc::clone(&wall);
        (Clock::following(move || read.load(Ordering::Relaxed)), wall)
    }

    proptest! {
        #[test]
        fn it_never_runs_backwards_and_is_never_behind(times in prop::collection::vec(0i64..4_000_000_000_000, 1..50)) {
            let (clock, wall) = set_by_hand(times[0]);
            let mut last = clock.now_ms();
            for time in times {
                wall.store(time, Ordering::Relaxed);
                let now = clock.now_ms();
                prop_assert!(now >= last && now >= time);
                last = now;
            }
        }
    }

    #[test]
    fn it_goes_on_while_the_wall_clock_is_behind() {
        let (clock, wall) = set_by_hand(1_000_000);
        wall.store(0, Ordering::Relaxed);
        std::thread::sleep(Duration::from_millis(30));
        let now = clock.now_ms();
        assert!((1_000_030..1_010_000).contains(&now), "{now}");
    }

    #[test]
    fn asking_often_does_not_hold_it_up() {
        let (clock, _) = set_by_hand(0);
        let began = Instant::now();
        while began.elapsed() < Duration::from_millis(20) {
            clock.now_ms();
        }
        assert!(clock.now_ms() >= 15, "{}", clock.now_ms());
    }

    #[tokio::test]
    async fn a_restart_with_the_clock_set_back_goes_on_where_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let (clock, _) = set_by_hand(5_000_000);
        clock.go_on_from(&store).unwrap();
        clock.keep(&store).await.unwrap();
        let (later, _) = set_by_hand(1_000);
        later.go_on_from(&store).unwrap();
        assert!(later.now_ms() >= 5_000_000);
        let (ahead, _) = set_by_hand(9_000_000);
        ahead.go_on_from(&store).unwrap();
        assert!((9_000_000..9_010_000).contains(&ahead.now_ms()));
    }

    #[tokio::test]
    async fn a_time_that_cannot_be_read_is_not_taken_for_none() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let broken = Change::PutSetting {
            key: MARK.to_owned(),
            value: "soon".to_owned(),
        };
        store.write(vec![broken]).await.unwrap();
        let error = Clock::default().go_on_from(&store).unwrap_err();
        assert!(error.to_string().contains("\"soon\""), "{error}");
    }
}
