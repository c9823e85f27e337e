//! What a token can be narrowed by.

use std::collections::BTreeSet;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::region::{Region, Sides};

/// What can be done with a page.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Op {
    Read,
    Comment,
    /// Edits that stay pending until someone keeps them.
    Suggest,
    Edit,
    /// Set fairies to work, stop them, keep and undo their runs.
    Command,
}

impl Op {
    pub const ALL: [Op; 5] = [Op::Read, Op::Comment, Op::Suggest, Op::Edit, Op::Command];

    pub fn as_str(self) -> &'static str {
        match self {
            Op::Read => "read",
            Op::Comment => "comment",
            Op::Suggest => "suggest",
            Op::Edit => "edit",
            Op::Command => "command",
        }
    }

    /// What can be done with the code project: look at files and chats, ask in a chat, and say yes to
    /// changes or take them back.
    pub const PROJECT: [Op; 3] = [Op::Read, Op::Edit, Op::Command];

    pub(crate) fn parse(text: &str) -> Option<Op> {
        Op::ALL.into_iter().find(|op| op.as_str() == text)
    }
}

/// Limits to add to a token; each that is `None` leaves things as they are. The code project is the
/// exception: it goes unless it is named.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Narrower {
    pub ops: Option<BTreeSet<Op>>,
    pub pages: Option<BTreeSet<String>>,
    pub tiers: Option<BTreeSet<String>>,
    pub tools: Option<BTreeSet<String>>,
    /// Where on a page it may write. Reading is not limited by it.
    pub region: Option<Region>,
    /// Files and folders of a project, relative to it; a folder stands for all in it.
    pub paths: Option<BTreeSet<String>>,
    /// What is left of the rights in the code project, of [`Op::PROJECT`]; without them there are none.
    pub project: BTreeSet<Op>,
    /// To the second; a part of a second is cut off.
    pub expires_at: Option<SystemTime>,
    /// Who the token is for from now on.
    pub subject: Option<String>,
}

/// A [`Narrower`] as the HTTP interface takes it. An unknown field is an error: ignoring a limit
/// would make a wider token than was asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NarrowerRequest {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ops: Option<BTreeSet<Op>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pages: Option<BTreeSet<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tiers: Option<BTreeSet<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools: Option<BTreeSet<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Sides>)]
    pub region: Option<Region>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paths: Option<BTreeSet<String>>,
    /// The code project: left out or `false`, none of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<ProjectRequest>,
    /// Seconds from now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_in: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
}

/// `true`: what `ops` leave, as far as it means something in the code project; or its own list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum ProjectRequest {
    AsOps(bool),
    Ops(BTreeSet<Op>),
}

impl ProjectRequest {
    fn ops(self, of_pages: Option<&BTreeSet<Op>>) -> BTreeSet<Op> {
        let left = |op: &Op| of_pages.is_none_or(|ops| ops.contains(op));
        match self {
            Self::AsOps(false) => BTreeSet::new(),
            Self::AsOps(true) => Op::PROJECT.into_iter().filter(left).collect(),
            Self::Ops(ops) => ops,
        }
    }
}

impl NarrowerRequest {
    pub fn at(self, now: SystemTime) -> Narrower {
        let until = |seconds| from_seconds(to_seconds(now).saturating_add(seconds));
        let project = self
            .project
            .map(|project| project.ops(self.ops.as_ref()))
            .unwrap_or_default();
        Narrower {
            project,
            ops: self.ops,
            pages: self.pages,
            tiers: self.tiers,
            tools: self.tools,
            region: self.region,
            paths: self.paths,
            expires_at: self.expires_in.map(until),
            subject: self.subject,
        }
    }
}

/// The last second that Datalog's integers and every platform's `SystemTime` can hold.
const LAST_SECOND: u64 = u32::MAX as u64 * 1000;

pub(crate) fn to_seconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs().min(LAST_SECOND))
}

pub(crate) fn from_seconds(seconds: u64) -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(seconds.min(LAST_SECOND))
}
