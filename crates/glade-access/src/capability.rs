//! The native form of a token: what it allows, as plain sets.

use std::collections::BTreeSet;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use crate::error::AccessError;
use crate::narrower::{Narrower, Op, from_seconds, to_seconds};
use crate::region::{Region, is_path, is_under, paths_in_both};
use crate::subject::{self, SubjectKind};

/// The page that a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageRef<'a> {
    pub id: &'a str,
    pub tier: &'a str,
}

/// What a session may do. Comes from a verified token ([`crate::Keys::verify`]), or is made by the
/// server for a fairy that it hosts ([`Capability::local`]).
///
/// Serialised for the server's own store only: what is read back is believed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capability {
    pub subject: String,
    pub kind: SubjectKind,
    pub workspace: String,
    ops: BTreeSet<Op>,
    pages: Option<BTreeSet<String>>,
    tiers: Option<BTreeSet<String>>,
    tools: Option<BTreeSet<String>>,
    region: Option<Region>,
    paths: Option<BTreeSet<String>>,
    /// What it may do in the code project. Stored before there was such a right, it is none.
    #[serde(default)]
    project: BTreeSet<Op>,
    /// Unix seconds; it holds before, not at, that second.
    expires: Option<u64>,
    revocation_ids: Vec<String>,
    /// How many blocks narrowed it.
    depth: usize,
    /// The sign-ins that it came through: it ends when any of them does.
    #[serde(default)]
    sessions: BTreeSet<String>,
}

impl Capability {
    /// Every right in the workspace, for somebody that the server itself vouches for.
    pub fn local(workspace: &str, subject: &str) -> Result<Capability, AccessError> {
        Ok(Capability {
            kind: subject::kind(subject)?,
            subject: subject.to_owned(),
            workspace: workspace.to_owned(),
            ops: Op::ALL.into(),
            pages: None,
            tiers: None,
            tools: None,
            region: None,
            paths: None,
            project: Op::PROJECT.into(),
            expires: None,
            revocation_ids: Vec::new(),
            depth: 0,
            sessions: BTreeSet::new(),
        })
    }

    /// May it do this to that page? Expiry and revocation are asked for on their own
    /// ([`Capability::expired`], [`Capability::revocation_ids`]): they change while this does not.
    pub fn allows(&self, op: Op, page: &PageRef<'_>) -> bool {
        self.ops.contains(&op) && within(&self.pages, page.id) && within(&self.tiers, page.tier)
    }

    /// May it call that tool at all? What the tool then does needs its own [`Capability::allows`].
    pub fn allows_tool(&self, name: &str) -> bool {
        within(&self.tools, name)
    }

    /// May it write there? An edit is asked about with where things were and where they will be.
    pub fn allows_write(&self, page: &PageRef<'_>, area: &Region) -> bool {
        self.allows(Op::Edit, page) && self.region.is_none_or(|region| region.holds(area))
    }

    /// Where on a page its writes must stay.
    pub fn region(&self) -> Option<&Region> {
        self.region.as_ref()
    }

    /// May it do this in the code project? Which files it reaches there is [`Capability::allows_path`].
    pub fn allows_project(&self, op: Op) -> bool {
        self.project.contains(&op)
    }

    /// What it may do in the code project.
    pub fn project(&self) -> &BTreeSet<Op> {
        &self.project
    }

    /// May it reach that file or folder of a project? What it then does needs its tool and
    /// [`Capability::allows_project`].
    pub fn allows_path(&self, path: &str) -> bool {
        is_path(path)
            && self
                .paths
                .as_ref()
                .is_none_or(|paths| is_under(path, paths))
    }

    /// Whether no file of a project is hidden from it.
    pub fn reaches_all_paths(&self) -> bool {
        self.paths.is_none()
    }

    /// The only files and folders of a project that it reaches, if it is limited to some.
    pub fn paths(&self) -> Option<&BTreeSet<String>> {
        self.paths.as_ref()
    }

    /// The only tools that it may call, if it is limited to some.
    pub fn tools(&self) -> Option<&BTreeSet<String>> {
        self.tools.as_ref()
    }

    /// The only pages that it reaches, if it is limited to some.
    pub fn pages(&self) -> Option<&BTreeSet<String>> {
        self.pages.as_ref()
    }

    /// The only tiers that it reaches, if it is limited to some.
    pub fn tiers(&self) -> Option<&BTreeSet<String>> {
        self.tiers.as_ref()
    }

    /// Whether no page is hidden from it.
    pub fn sees_all(&self) -> bool {
        self.ops.contains(&Op::Read) && self.pages.is_none() && self.tiers.is_none()
    }

    /// Whether no page, no part of one, no file and no tool is kept from it: what belongs to the whole
    /// workspace is for such tokens only.
    pub fn is_unlimited(&self) -> bool {
        self.limits().is_empty()
    }

    /// What it is limited to, by name: `pages`, `tiers`, `tools`, `region`, `paths`.
    pub fn limits(&self) -> Vec<&'static str> {
        let limits = [
            ("pages", self.pages.is_some()),
            ("tiers", self.tiers.is_some()),
            ("tools", self.tools.is_some()),
            ("region", self.region.is_some()),
            ("paths", self.paths.is_some()),
        ];
        let held = limits.into_iter().filter(|(_, holds)| *holds);
        held.map(|(name, _)| name).collect()
    }

    /// May its edits be merged as they come?
    pub fn may_write(&self) -> bool {
        self.ops.contains(&Op::Edit)
    }

    /// The owner's own token, not narrowed by anything.
    pub fn is_owner(&self) -> bool {
        self.depth == 0 && self.subject == crate::OWNER
    }

    pub fn ops(&self) -> &BTreeSet<Op> {
        &self.ops
    }

    pub fn expires_at(&self) -> Option<SystemTime> {
        self.expires.map(from_seconds)
    }

    pub fn expired(&self, now: SystemTime) -> bool {
        self.expires.is_some_and(|at| to_seconds(now) >= at)
    }

    /// One for each block, the authority's first: a token is revoked when any of them is.
    pub fn revocation_ids(&self) -> &[String] {
        &self.revocation_ids
    }

    /// The same, for as long as this sign-in lasts.
    pub fn in_session(mut self, id: &str) -> Capability {
        self.sessions.insert(id.to_owned());
        self
    }

    /// The sign-ins that it came through.
    pub fn sessions(&self) -> &BTreeSet<String> {
        &self.sessions
    }

    /// The same with these limits added.
    pub fn narrow(&self, narrower: &Narrower) -> Result<Capability, AccessError> {
        narrower.validate()?;
        let mut narrowed = self.clone();
        narrowed.depth += 1;
        if let Some(subject) = &narrower.subject {
            narrowed.kind = subject::kind(subject)?;
            narrowed.subject = subject.clone();
            // Whoever holds a token can add a block to it; the block must not give them a name
            // that is not theirs.
            let adds = subject
                .strip_prefix(self.subject.as_str())
                .is_some_and(|rest| rest.starts_with('/'));
            if self.depth > 0 && !adds {
                return Err(AccessError::SubjectNotNarrower {
                    from: self.subject.clone(),
                    to: subject.clone(),
                });
            }
            // Whoever is given a name is somebody else than the owner.
            if subject.eq_ignore_ascii_case(crate::OWNER) {
                return Err(AccessError::OwnersSubject);
            }
        }
        if let Some(ops) = &narrower.ops {
            narrowed.ops.retain(|op| ops.contains(op));
        }
        narrowed.pages = both(narrowed.pages, narrower.pages.as_ref());
        narrowed.tiers = both(narrowed.tiers, narrower.tiers.as_ref());
        narrowed.tools = both(narrowed.tools, narrower.tools.as_ref());
        narrowed.region = smaller(narrowed.region, narrower.region);
        narrowed.paths = paths_in_both(narrowed.paths, narrower.paths.as_ref());
        // Not named, the project goes: so it is with links from before there was such a right.
        narrowed.project.retain(|op| narrower.project.contains(op));
        let until = narrower.expires_at.map(to_seconds);
        narrowed.expires = earliest(narrowed.expires, until);
        Ok(narrowed)
    }

    /// What both allow, under this one's name: what a run may do is the fairy's ∩ the asker's.
    pub fn intersect(&self, other: &Capability) -> Capability {
        let mut met = self.clone();
        met.ops.retain(|op| other.ops.contains(op));
        if self.workspace != other.workspace {
            met.ops.clear();
            met.tools = Some(BTreeSet::new());
            met.paths = Some(BTreeSet::new());
            met.project.clear();
        }
        met.pages = both(met.pages, other.pages.as_ref());
        met.tiers = both(met.tiers, other.tiers.as_ref());
        met.tools = both(met.tools, other.tools.as_ref());
        met.region = smaller(met.region, other.region);
        met.paths = paths_in_both(met.paths, other.paths.as_ref());
        met.project.retain(|op| other.project.contains(op));
        met.expires = earliest(met.expires, other.expires);
        met.depth = met.depth.max(other.depth);
        met.sessions.extend(other.sessions.iter().cloned());
        for id in &other.revocation_ids {
            if !met.revocation_ids.contains(id) {
                met.revocation_ids.push(id.clone());
            }
        }
        met
    }

    /// Whether all that the other allows on pages is allowed by this one too. For how long is not compared.
    pub fn covers_on_pages(&self, other: &Capability) -> bool {
        let met = other.intersect(self);
        met.ops == other.ops
            && met.pages == other.pages
            && met.tiers == other.tiers
            && met.tools == other.tools
            && met.region == other.region
    }

    pub(crate) fn with_revocation_ids(self, revocation_ids: Vec<String>) -> Capability {
        Capability {
            revocation_ids,
            ..self
        }
    }

    pub(crate) fn seconds_since_expiry(&self, now: SystemTime) -> Option<u64> {
        let at = self.expires?;
        to_seconds(now).checked_sub(at)
    }
}

fn within(limit: &Option<BTreeSet<String>>, name: &str) -> bool {
    limit.as_ref().is_none_or(|names| names.contains(name))
}

fn both(
    mine: Option<BTreeSet<String>>,
    theirs: Option<&BTreeSet<String>>,
) -> Option<BTreeSet<String>> {
    match (mine, theirs) {
        (Some(mine), Some(theirs)) => Some(mine.intersection(theirs).cloned().collect()),
        (Some(only), None) => Some(only),
        (None, only) => only.cloned(),
    }
}

fn smaller(mine: Option<Region>, theirs: Option<Region>) -> Option<Region> {
    match (mine, theirs) {
        (Some(mine), Some(theirs)) => Some(mine.meet(theirs)),
        (only, None) | (None, only) => only,
    }
}

fn earliest(mine: Option<u64>, theirs: Option<u64>) -> Option<u64> {
    match (mine, theirs) {
        (Some(mine), Some(theirs)) => Some(mine.min(theirs)),
        (only, None) | (None, only) => only,
    }
}
