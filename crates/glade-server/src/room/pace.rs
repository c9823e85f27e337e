//! How often a room speaks.
//!
//! Saying something costs the same for each reader, however much it is. So a room with many
//! readers that has just spoken collects what comes next for a moment before it speaks again. A
//! room that was quiet speaks at once, and a room of two hardly ever waits.

use std::time::Duration;

use tokio::time::Instant;

/// What a reader's share of the wait is: about what it costs to write to a socket.
const PER_READER: Duration = Duration::from_micros(80);
/// No wait is longer.
const LONGEST: Duration = Duration::from_millis(4);

/// When the room may speak again.
#[derive(Default)]
pub(super) struct Pace {
    next: Option<Instant>,
}

impl Pace {
    /// Resolves when the room may speak.
    pub async fn due(&self) {
        if let Some(next) = self.next {
            tokio::time::sleep_until(next).await;
        }
    }

    /// Whether the room may speak now; if so, it is taken to do it, to so many readers.
    pub fn may(&mut self, readers: usize) -> bool {
        let now = Instant::now();
        if self.next.is_some_and(|next| now < next) {
            return false;
        }
        self.next = Some(now + wait(readers));
        true
    }
}

fn wait(readers: usize) -> Duration {
    let readers = u32::try_from(readers).unwrap_or(u32::MAX);
    PER_READER.saturating_mul(readers).min(LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_full_room_waits_after_it_spoke() {
        let mut pace = Pace::default();
        pace.due().await;
        assert!(pace.may(1000), "a quiet room speaks at once");
        assert!(!pace.may(1000));
        pace.due().await;
        assert!(pace.may(1000));
    }

    #[test]
    fn a_small_room_hardly_waits() {
        assert_eq!(wait(2), Duration::from_micros(160));
        assert_eq!(wait(50), LONGEST);
        assert_eq!(wait(usize::MAX), LONGEST);
    }
}
