//! What all projects of a server are held to.

use glade_canvas::Rect;

use super::project::Job;

/// Limits of projects; whoever runs the server sets them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rules {
    /// How far beyond its task's bounds a fairy may draw.
    pub margin: f64,
    /// How long a fairy waits, in milliseconds, before it is woken with the news that nothing came.
    pub wait_ms: i64,
    /// No plan is longer.
    pub tasks: usize,
    /// A task that came back this often is not begun again.
    pub tries: u32,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            margin: 16.0,
            wait_ms: 20 * 60 * 1000,
            tasks: 50,
            tries: 3,
        }
    }
}

impl Rules {
    /// Where on its page a fairy that works on a task may change something; none: nowhere else either.
    pub fn region(&self, job: &Job) -> Option<Rect> {
        job.bounds.map(|bounds| bounds.expand(self.margin))
    }
}
