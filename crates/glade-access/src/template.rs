//! The sentences that our blocks are made of, written and read.
//!
//! The authority block:
//! ```text
//! workspace("main"); subject("person:owner"); right("read"); … right("command");
//! ```
//! A narrowing block holds at most one of each of these, in this order:
//! ```text
//! shown_as("person:anna");
//! project("read", 1); … project("command", 1);
//! check if request("tool") or op($o), {"read", "comment"}.contains($o);
//! check if request("tool") or page($p), {"pg_1"}.contains($p);
//! check if request("tool") or tier($t), {"public"}.contains($t);
//! check if request("op") or tool($n), {"search"}.contains($n);
//! check if unplaced("area") or area($l, $t, $r, $b), $l >= 0, $t >= 0, $r <= 800, $b <= 600;
//! check if unplaced("path") or under($p), {"src"}.contains($p);
//! check if now($t), $t < 1790000000;
//! ```
//! `project` is the one sentence that leaves something instead of limiting it: what a block does not
//! name of the code project is gone, so a block from before there was this sentence leaves none. The
//! number is the block's own, so that Datalog can tell whether every block has it.
//!
//! Every question to the authorizer says which kind of request it is (`request("op")` or
//! `request("tool")`) and carries all facts of that kind, so a check never passes because a fact
//! was forgotten. A question that is about no place on a page, or no path, says that too
//! (`unplaced`): `check if` with no matching fact fails. None of the sentences needs `check all`,
//! `reject if` or negation, which pass or fail the wrong way around when a fact is absent.
//!
//! Reading is deliberately simple-minded: lines of Biscuit's own printing, cut by prefix and
//! suffix, with no parser that a crafted block could lead astray. It does not have to be exact,
//! because [`crate::Keys`] accepts a block only if writing what was read gives the same bytes.

use std::collections::BTreeSet;

use crate::error::AccessError;
use crate::narrower::{Narrower, Op, from_seconds, to_seconds};
use crate::region::{Region, is_path};
use crate::subject::is_name;

/// What the first block of a token says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Authority {
    pub(crate) workspace: String,
    pub(crate) subject: String,
}

impl Authority {
    pub(crate) fn write(&self) -> String {
        let mut source = format!(
            "workspace(\"{}\");\nsubject(\"{}\");\n",
            self.workspace, self.subject
        );
        for op in Op::ALL {
            source.push_str(&format!("right(\"{}\");\n", op.as_str()));
        }
        source
    }

    pub(crate) fn read(source: &str) -> Option<Authority> {
        let mut lines = lines(source);
        Some(Authority {
            workspace: quoted(lines.next()?, "workspace(", ")")?,
            subject: quoted(lines.next()?, "subject(", ")")?,
        })
    }
}

const OPS: Template = Template("check if request(\"tool\") or op($o), {", "}.contains($o)");
const PAGES: Template = Template(
    "check if request(\"tool\") or page($p), {",
    "}.contains($p)",
);
const TIERS: Template = Template(
    "check if request(\"tool\") or tier($t), {",
    "}.contains($t)",
);
const TOOLS: Template = Template("check if request(\"op\") or tool($n), {", "}.contains($n)");
const REGION: &str = "check if unplaced(\"area\") or area($l, $t, $r, $b), ";
const EDGES: [&str; 4] = ["$l >= ", "$t >= ", "$r <= ", "$b <= "];
const PATHS: Template = Template(
    "check if unplaced(\"path\") or under($p), {",
    "}.contains($p)",
);
const EXPIRES: Template = Template("check if now($t), $t < ", "");
const SHOWN_AS: Template = Template("shown_as(", ")");
const PROJECT: Template = Template("project(\"", ")");

/// What stands before and after the part that varies.
struct Template(&'static str, &'static str);

impl Template {
    fn write(&self, middle: &str) -> String {
        format!("{}{middle}{};\n", self.0, self.1)
    }

    fn middle<'a>(&self, line: &'a str) -> Option<&'a str> {
        line.strip_prefix(self.0)?.strip_suffix(self.1)
    }

    fn names(&self, line: &str) -> Option<BTreeSet<String>> {
        self.middle(line)?
            .split(", ")
            .map(|item| quoted(item, "", ""))
            .collect()
    }
}

impl Narrower {
    /// Refuses what could not be written, or would make a token that is good for nothing.
    pub(crate) fn validate(&self) -> Result<(), AccessError> {
        if self.ops.as_ref().is_some_and(BTreeSet::is_empty) {
            return Err(AccessError::EmptyLimit { kind: "ops" });
        }
        for (kind, names) in [
            ("pages", &self.pages),
            ("tiers", &self.tiers),
            ("tools", &self.tools),
            ("paths", &self.paths),
        ] {
            let Some(names) = names else { continue };
            if names.is_empty() {
                return Err(AccessError::EmptyLimit { kind });
            }
            if let Some(name) = names.iter().find(|name| !is_name(name)) {
                return Err(AccessError::BadName {
                    kind: kind.strip_suffix('s').unwrap_or(kind),
                    name: name.chars().take(128).collect(),
                });
            }
        }
        if self.region.is_some_and(|region| !region.is_sound()) {
            return Err(AccessError::BadRegion);
        }
        if let Some(path) = self.paths.iter().flatten().find(|path| !is_path(path)) {
            return Err(AccessError::BadName {
                kind: "path",
                name: path.chars().take(128).collect(),
            });
        }
        if let Some(op) = self.project.iter().find(|op| !Op::PROJECT.contains(op)) {
            return Err(AccessError::NotInProject { op: op.as_str() });
        }
        match &self.subject {
            Some(subject) => crate::subject::kind(subject).map(drop),
            None => Ok(()),
        }
    }

    /// As the block of that number says it.
    pub(crate) fn write(&self, block: usize) -> String {
        let names = |names: &BTreeSet<String>| {
            let quoted: Vec<_> = names.iter().map(|name| format!("\"{name}\"")).collect();
            quoted.join(", ")
        };
        let mut source = String::new();
        if let Some(subject) = &self.subject {
            source.push_str(&SHOWN_AS.write(&format!("\"{subject}\"")));
        }
        for op in &self.project {
            source.push_str(&PROJECT.write(&format!("{}\", {block}", op.as_str())));
        }
        if let Some(ops) = &self.ops {
            let ops = ops.iter().map(|op| op.as_str().to_owned()).collect();
            source.push_str(&OPS.write(&names(&ops)));
        }
        for (template, limit) in [
            (PAGES, &self.pages),
            (TIERS, &self.tiers),
            (TOOLS, &self.tools),
        ] {
            if let Some(limit) = limit {
                source.push_str(&template.write(&names(limit)));
            }
        }
        if let Some(region) = &self.region {
            let edges = [region.left, region.top, region.right, region.bottom];
            let edges: Vec<_> = EDGES
                .iter()
                .zip(edges)
                .map(|(edge, at)| format!("{edge}{at}"))
                .collect();
            source.push_str(&format!("{REGION}{};\n", edges.join(", ")));
        }
        if let Some(paths) = &self.paths {
            source.push_str(&PATHS.write(&names(paths)));
        }
        if let Some(at) = self.expires_at {
            source.push_str(&EXPIRES.write(&to_seconds(at).to_string()));
        }
        source
    }

    pub(crate) fn read(source: &str) -> Option<Narrower> {
        let mut read = Narrower::default();
        for line in lines(source) {
            if let Some(subject) = quoted(line, SHOWN_AS.0, SHOWN_AS.1) {
                read.subject = Some(subject);
            } else if let Some(named) = PROJECT.middle(line) {
                let (op, _block) = named.split_once("\", ")?;
                read.project.insert(Op::parse(op)?);
            } else if let Some(ops) = OPS.names(line) {
                read.ops = Some(ops.iter().map(|op| Op::parse(op)).collect::<Option<_>>()?);
            } else if let Some(pages) = PAGES.names(line) {
                read.pages = Some(pages);
            } else if let Some(tiers) = TIERS.names(line) {
                read.tiers = Some(tiers);
            } else if let Some(tools) = TOOLS.names(line) {
                read.tools = Some(tools);
            } else if let Some(paths) = PATHS.names(line) {
                read.paths = Some(paths);
            } else if let Some(edges) = line.strip_prefix(REGION) {
                read.region = Some(region(edges)?);
            } else {
                let seconds: u64 = EXPIRES.middle(line)?.parse().ok()?;
                read.expires_at = Some(from_seconds(seconds));
            }
        }
        Some(read)
    }
}

fn region(text: &str) -> Option<Region> {
    let edges: Vec<i64> = text
        .split(", ")
        .zip(EDGES)
        .map(|(part, edge)| part.strip_prefix(edge)?.parse().ok())
        .collect::<Option<_>>()?;
    let [left, top, right, bottom] = edges.try_into().ok()?;
    let region = Region {
        left,
        top,
        right,
        bottom,
    };
    region.is_sound().then_some(region)
}

fn lines(source: &str) -> impl Iterator<Item = &str> {
    source.lines().map(|line| line.trim_end_matches(';'))
}

fn quoted(text: &str, before: &str, after: &str) -> Option<String> {
    let name = text
        .strip_prefix(before)?
        .strip_suffix(after)?
        .strip_prefix('"')?
        .strip_suffix('"')?;
    is_name(name).then(|| name.to_owned())
}
