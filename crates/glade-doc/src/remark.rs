//! What a fairy says about a page, beside what it does to it.

use crate::ElementId;
use serde::{Deserialize, Serialize};

/// A comment yet to be made, or what becomes of one. Comments are in no run: undoing one takes nothing
/// that was said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Remark {
    Add {
        block: ElementId,
        /// The words that it is about; none: the whole block.
        words: Option<String>,
        /// How often they stand in the block before those that are meant.
        #[serde(default)]
        which: usize,
        text: String,
    },
    Reply {
        /// The comment that began the thread.
        to: String,
        text: String,
    },
    Resolve {
        id: String,
    },
}
