//! Biscuit's own answer to the questions that [`crate::Capability`] answers natively: slow, and the
//! measure of the fast one.

use std::time::{Duration, SystemTime};

use biscuit_auth::builder::{Fact, fact, int, string};
use biscuit_auth::datalog::RunLimits;
use biscuit_auth::{AuthorizerBuilder, error};

use crate::capability::PageRef;
use crate::error::AccessError;
use crate::keys::Keys;
use crate::narrower::{Op, to_seconds};
use crate::region::{Region, and_folders, is_path};

/// One question. Operations are asked for one at a time: a `check if` passes when *any* fact
/// matches, so two operations in one question would hide each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request<'a> {
    Op {
        op: Op,
        page: PageRef<'a>,
    },
    Tool {
        name: &'a str,
    },
    /// An edit of something that lies there.
    Write {
        page: PageRef<'a>,
        area: Region,
    },
    /// A file or folder of a project.
    Path {
        path: &'a str,
    },
    /// Something in the code project.
    Project {
        op: Op,
    },
}

const POLICIES: &str = r#"
    allow if request("op"), op($o), right($o);
    allow if request("tool"), tool($n);
    allow if request("path"), under($p);
    allow if request("project"), granted($o);
"#;

impl Keys {
    /// Asks a Biscuit authorizer. For delegation and tool calls, where a fraction of a millisecond
    /// does not matter, and for the tests that hold the native check to it.
    pub fn biscuit_allows(
        &self,
        token: &str,
        request: &Request<'_>,
        now: SystemTime,
    ) -> Result<bool, AccessError> {
        let (biscuit, _) = self.read(token)?;
        let failed = |e: error::Token| AccessError::Build(e.to_string());
        let seconds = i64::try_from(to_seconds(now)).unwrap_or(i64::MAX);
        let mut asked = AuthorizerBuilder::new()
            .code(POLICIES)
            .and_then(|asked| asked.fact(fact("now", &[int(seconds)])))
            .map_err(failed)?;
        if let Request::Project { op } = request
            && self.project_is_named_throughout(&biscuit, *op)?
        {
            asked = asked
                .fact(fact("granted", &[string(op.as_str())]))
                .map_err(failed)?;
        }
        for fact in facts(request) {
            asked = asked.fact(fact).map_err(failed)?;
        }
        let answer = asked
            .set_limits(patient())
            .build(&biscuit)
            .and_then(|mut authorizer| authorizer.authorize());
        match answer {
            Ok(_) => Ok(true),
            Err(error::Token::FailedLogic(_)) => Ok(false),
            Err(e) => Err(failed(e)),
        }
    }
}

impl Keys {
    /// Whether each block after the authority's says that this is left of the project. A check could
    /// not tell: a block without the sentence has nothing that fails.
    fn project_is_named_throughout(
        &self,
        biscuit: &biscuit_auth::Biscuit,
        op: Op,
    ) -> Result<bool, AccessError> {
        let failed = |e: error::Token| AccessError::Build(e.to_string());
        let rule = format!("named($block) <- project(\"{}\", $block)", op.as_str());
        let named: Vec<(i64,)> = AuthorizerBuilder::new()
            .set_limits(patient())
            .build(biscuit)
            .and_then(|mut all| all.query_all(rule.as_str()))
            .map_err(failed)?;
        Ok(Op::PROJECT.contains(&op) && named.len() + 1 == biscuit.block_count())
    }
}

/// The default of one millisecond is less than a busy machine may take to be scheduled.
fn patient() -> RunLimits {
    RunLimits {
        max_time: Duration::from_secs(1),
        ..RunLimits::default()
    }
}

fn facts(request: &Request<'_>) -> Vec<Fact> {
    let named = |name, value: &str| fact(name, &[string(value)]);
    match request {
        Request::Op { op, page } => vec![
            named("request", "op"),
            named("op", op.as_str()),
            named("page", page.id),
            named("tier", page.tier),
            named("unplaced", "area"),
            named("unplaced", "path"),
        ],
        Request::Tool { name } => vec![
            named("request", "tool"),
            named("tool", name),
            named("unplaced", "area"),
            named("unplaced", "path"),
        ],
        Request::Write { page, area } => vec![
            named("request", "op"),
            named("op", Op::Edit.as_str()),
            named("page", page.id),
            named("tier", page.tier),
            fact(
                "area",
                &[
                    int(area.left),
                    int(area.top),
                    int(area.right),
                    int(area.bottom),
                ],
            ),
            named("unplaced", "path"),
        ],
        Request::Project { .. } => vec![
            named("request", "project"),
            named("request", "op"),
            named("request", "tool"),
            named("unplaced", "area"),
            named("unplaced", "path"),
        ],
        // Neither an operation on a page nor a call of a tool: the limits of both do not apply.
        Request::Path { path } => ["path", "op", "tool"]
            .into_iter()
            .map(|kind| named("request", kind))
            .chain([named("unplaced", "area")])
            .chain(
                is_path(path)
                    .then(|| and_folders(path).map(|folder| named("under", folder)))
                    .into_iter()
                    .flatten(),
            )
            .collect(),
    }
}
