//! How many frames a session may send: a bucket that refills at its rate.

use std::time::Instant;

pub struct FrameLimit {
    rate: f64,
    burst: f64,
    tokens: f64,
    last: Instant,
}

impl FrameLimit {
    /// People may send 500 frames a second.
    pub fn person(now: Instant) -> Self {
        Self::new(500.0, 1000.0, now)
    }

    /// Cursors move often and are worth little: they have a limit of their own, so that they never
    /// hold up an edit.
    pub fn presence(now: Instant) -> Self {
        Self::new(200.0, 400.0, now)
    }

    /// A join asks for a whole page. A tab joins each of its pages twice, and all of them again when
    /// its line was cut.
    pub fn joins(now: Instant) -> Self {
        Self::new(20.0, 160.0, now)
    }

    fn new(rate: f64, burst: f64, now: Instant) -> Self {
        Self {
            rate,
            burst,
            tokens: burst,
            last: now,
        }
    }

    pub fn take(&mut self, now: Instant) -> bool {
        let passed = now.duration_since(self.last).as_secs_f64();
        self.last = now;
        self.tokens = (self.tokens + passed * self.rate).min(self.burst);
        if self.tokens < 1.0 {
            return false;
        }
        self.tokens -= 1.0;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_burst_passes_then_the_rate_holds() {
        let start = Instant::now();
        let mut limit = FrameLimit::new(10.0, 5.0, start);
        assert_eq!((0..20).filter(|_| limit.take(start)).count(), 5);
        let later = start + Duration::from_millis(300);
        assert_eq!((0..20).filter(|_| limit.take(later)).count(), 3);
    }
}
