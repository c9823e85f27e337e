//! How often a room takes its turn.
//!
//! Much of what a turn costs does not depend on how many updates it takes: merging, a commit on
//! disk, writing to every reader's socket. So a room with many readers that has just taken a turn
//! lets a moment pass before the next, and then takes all that has come. A room that was quiet takes
//! its turn at once, and a room of two hardly ever waits. This is the only place where an update
//! waits without need, and the wait is bounded.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::Instant;

/// What a reader's share of the wait is: about what it costs to write to a socket.
const PER_READER: Duration = Duration::from_micros(100);
/// No wait is longer.
const LONGEST: Duration = Duration::from_millis(5);
/// Inputs taken in one turn.
const TURN: usize = 256;

/// When the room may take its next turn.
#[derive(Default)]
pub(super) struct Pace {
    next: Option<Instant>,
}

impl Pace {
    /// Takes what has come, when it is time; answers how much, 0 when nobody is left to send more.
    /// Nothing is lost if this is dropped half way.
    pub async fn take<T>(&self, inputs: &mut mpsc::Receiver<T>, turn: &mut VecDeque<T>) -> usize {
        if let Some(next) = self.next.filter(|next| Instant::now() < *next) {
            tokio::time::sleep_until(next).await;
        }
        let mut taken = Vec::new();
        let count = inputs.recv_many(&mut taken, TURN).await;
        turn.extend(taken);
        count
    }

    /// A turn was taken in a room with so many readers.
    pub fn took(&mut self, readers: usize) {
        self.next = Some(Instant::now() + wait(readers));
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
    async fn after_a_turn_a_full_room_collects_what_comes() {
        let (sender, mut inputs) = mpsc::channel(9);
        let (mut pace, mut turn) = (Pace::default(), VecDeque::new());
        sender.send(1).await.unwrap();
        assert_eq!(pace.take(&mut inputs, &mut turn).await, 1);
        let before = Instant::now();
        pace.took(1000);
        for n in 2..5 {
            sender.send(n).await.unwrap();
        }
        assert_eq!(pace.take(&mut inputs, &mut turn).await, 3);
        assert!(before.elapsed() >= LONGEST);
        assert_eq!(turn, [1, 2, 3, 4]);
        drop(sender);
        assert_eq!(pace.take(&mut inputs, &mut turn).await, 0);
    }

    #[test]
    fn a_small_room_hardly_waits() {
        assert_eq!(wait(2), Duration::from_micros(200));
        assert_eq!(wait(50), LONGEST);
        assert_eq!(wait(usize::MAX), LONGEST);
    }
}
