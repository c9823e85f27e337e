//! Who is asking, as a handler's argument: the capability of the request's token.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{FromRequestParts, MatchedPath, Request, State};
use axum::http::request::Parts;
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use glade_access::{Capability, Op, PageRef};
use serde_json::json;

use crate::allowance::Kind;
use crate::app::App;
use crate::edge::bearer;
use crate::edge::problem::Problem;
use crate::listen::Visitor;
use crate::work::WorkError;
use glade_host::workspace::Fairy;

/// More of a path than any of ours has.
const LONGEST_PATH: usize = 100;
/// What a file or a search takes, about.
const WORK_TAKES: Duration = Duration::from_secs(2);

pub struct Caller {
    pub capability: Capability,
    pub token: String,
    /// The session that they came with, if they came with one.
    pub session: Option<String>,
}

impl FromRequestParts<Arc<App>> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let cookie = &app.access.cookie;
        let credential = bearer::require(&parts.headers, &parts.extensions, cookie)?;
        let holder = app.access.holder(&credential)?;
        if let Some(visitor) = parts.extensions.get::<Visitor>() {
            visitor.set_known();
        }
        let route = parts.extensions.get::<MatchedPath>();
        if let Some(kind) = route.and_then(|route| Kind::of(&parts.method, route.as_str()))
            // Scripts of the owner's do much at once; links are few for anybody.
            && (kind == Kind::Links || !holder.capability.is_owner())
        {
            let taken = app
                .allowances
                .take(&holder.capability.subject, kind, Instant::now());
            taken.map_err(|used_up| Problem::too_many(used_up.to_string(), used_up.wait))?;
        }
        Ok(Self {
            capability: holder.capability,
            token: holder.token,
            session: holder.session,
        })
    }
}

impl From<WorkError> for Problem {
    fn from(error: WorkError) -> Self {
        match error {
            WorkError::TooMany(_) => Self::too_many(error.to_string(), WORK_TAKES),
            WorkError::Broken(_) => Self::internal(error),
        }
    }
}

/// Enters requests that would have changed something and may not. What is answered as if it were
/// not there counts as well: it may be there.
pub async fn enter_refusals(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let method = request.method().clone();
    // Opening a session enters its own refusals: the key is in the body.
    let opens = method == Method::POST && request.uri().path() == "/api/session";
    if method.is_safe() || opens {
        return next.run(request).await;
    }
    let path = request.uri().path().to_owned();
    let cookie = &app.access.cookie;
    let shown = bearer::credential(request.headers(), request.extensions(), cookie);
    let response = next.run(request).await;
    let status = response.status();
    let refused = [
        StatusCode::UNAUTHORIZED,
        StatusCode::FORBIDDEN,
        StatusCode::NOT_FOUND,
    ];
    if refused.contains(&status) {
        let known = match shown {
            Ok(Some(credential)) => app.access.holder(&credential),
            // Whoever shows nothing is refused for that alone.
            _ => return response,
        };
        let subject = match &known {
            Ok(holder) => Some(holder.capability.subject.as_str()),
            Err(denied) => denied.subject(),
        };
        let path: String = path.chars().take(LONGEST_PATH).collect();
        let about = json!({ "code": "http", "method": method.as_str(), "path": path });
        app.refusals.enter(subject, status.as_str(), about);
    }
    response
}

impl Caller {
    /// Refuses unless the caller may do `op` on the page. A page that it may not even read is
    /// answered like one that does not exist.
    pub fn on_page(&self, app: &App, page: &str, op: Op) -> Result<(), Problem> {
        let may = |op| app.workspace.may(&self.capability, page, op);
        if !may(Op::Read) {
            return Err(Problem::not_found(format!(
                "There is no page {page}, or this token may not read it."
            )));
        }
        if may(op) {
            Ok(())
        } else {
            Err(Problem::forbidden(format!(
                "This token may not {} on this page.",
                op.as_str()
            )))
        }
    }

    /// The same for what is about the page as a whole: a token that is limited to a region of it does
    /// not reach that far.
    pub fn on_whole_page(&self, app: &App, page: &str, op: Op) -> Result<(), Problem> {
        self.on_page(app, page, op)?;
        self.beyond_regions()
    }

    /// Refuses a token that is limited to a region: this reaches beyond every one.
    pub fn beyond_regions(&self) -> Result<(), Problem> {
        match self.capability.region() {
            None => Ok(()),
            Some(_) => Err(Problem::forbidden(
                "This token may change a part of a page, and this reaches beyond it.",
            )),
        }
    }

    /// Refuses unless the caller may say what a fairy is and may do: that takes every right that a
    /// fairy can have, everywhere.
    pub fn tends_fairies(&self) -> Result<(), Problem> {
        let ops = [Op::Read, Op::Comment, Op::Edit, Op::Command];
        let all = ops.iter().all(|op| self.capability.ops().contains(op));
        if all && self.capability.is_unlimited() {
            return Ok(());
        }
        Err(Problem::forbidden(
            "What a fairy is and may do is for those who may draw and ask fairies everywhere: this token is limited.",
        ))
    }

    /// Refuses unless the caller may ask fairies for everything, everywhere: what is in a fairy's
    /// head is of all that it did, whoever asked for it.
    pub fn looks_into_fairies(&self) -> Result<(), Problem> {
        let ops = self.capability.ops();
        let asks = ops.contains(&Op::Read) && ops.contains(&Op::Command);
        if asks && self.capability.is_unlimited() {
            return Ok(());
        }
        Err(Problem::forbidden(
            "A fairy remembers what it did on every page and for everybody: this is for those who may ask fairies and whose token has no limits.",
        ))
    }

    /// A fairy without what it did, plans and may do on pages that the caller may not read.
    pub fn shown(&self, app: &App, mut fairy: Fairy) -> Fairy {
        let readable = |page: &str| app.workspace.may(&self.capability, page, Op::Read);
        let scope = &mut fairy.settings.scope;
        if let Some(pages) = &mut scope.pages {
            pages.retain(|page| readable(page));
        }
        scope.range.take_if(|range| !readable(&range.page));
        let may_see = |run: &str| app.runs.may_see_id(&self.capability, run);
        if fairy.runs.last().is_some_and(|newest| !may_see(newest)) {
            fairy.todos = Vec::new();
        }
        fairy.runs.retain(|run| may_see(run));
        let sees_all = self.capability.sees_all();
        fairy
            .tasks
            .retain(|task| task["run"].as_str().map_or(sees_all, may_see));
        fairy
    }

    pub fn may_read(&self, page: &str, tier: &str) -> bool {
        self.capability
            .allows(Op::Read, &PageRef { id: page, tier })
    }
}
