//! What a verification found, in words that name the row.

use std::fmt;

/// One thing that is not as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// The entry is not the one that was written.
    Changed { seq: i64 },
    /// Entries `from..=to` are not there, though later ones are.
    Dropped { from: i64, to: i64 },
    /// The entry does not follow the one before it: that one, or more before it, was replaced.
    Unlinked { seq: i64 },
    /// Entries `from..=to` were there when a checkpoint was signed and are gone from the end.
    Truncated { from: i64, to: i64, checkpoint: i64 },
    /// The entries up to `size` are not those that the checkpoint was signed for.
    Rewritten { size: i64, checkpoint: i64 },
    /// A checkpoint, in the database or as a file, cannot be trusted.
    Checkpoint { number: i64, reason: String },
    /// A row that an entry tells of is not as the entry says.
    Row { what: String, reason: String },
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Finding::Changed { seq } => write!(f, "entry {seq} was changed"),
            Finding::Dropped { from, to } if from == to => write!(f, "entry {from} was dropped"),
            Finding::Dropped { from, to } => write!(f, "entries {from} to {to} were dropped"),
            Finding::Unlinked { seq } => write!(
                f,
                "entry {seq} does not follow entry {}: that one, or some before it, was replaced",
                seq - 1
            ),
            Finding::Truncated {
                from,
                to,
                checkpoint,
            } => write!(
                f,
                "entries {from} to {to} were cut off: checkpoint {checkpoint} was signed when they were there"
            ),
            Finding::Rewritten { size, checkpoint } => write!(
                f,
                "the entries up to {size} were rewritten: checkpoint {checkpoint} was signed for others"
            ),
            Finding::Checkpoint { number, reason } => {
                write!(f, "checkpoint {number}: {reason}")
            }
            Finding::Row { what, reason } => write!(f, "{what} {reason}"),
        }
    }
}

/// The outcome of a verification.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    pub entries: i64,
    pub checkpoints: usize,
    /// How many entries the newest checkpoint vouches for; those after it could be cut off unseen.
    pub vouched: i64,
    /// Rows that decide rights were entered from here on as they were then; what they were before
    /// cannot be told. `None`: they were entered from the beginning.
    pub uncovered_before: Option<i64>,
    pub findings: Vec<Finding>,
}
