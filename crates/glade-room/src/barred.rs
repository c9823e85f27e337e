//! What the plugins of a workspace leave out on text pages.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Names that nobody uses here, each with the reason.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Barred {
    pub tools: BTreeMap<String, String>,
    /// Kinds of blocks.
    pub blocks: BTreeMap<String, String>,
    pub marks: BTreeMap<String, String>,
}
