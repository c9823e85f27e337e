//! Handing on less than one has.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use glade_access::{Capability, NarrowerRequest, Op, Region};
use glade_host::set_aside::link_chain;
use glade_store::{AuditKind, Change, LinkRow};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::guard::Caller;
use crate::app::App;
use crate::budget;
use crate::edge::extract::ApiJson;
use crate::edge::problem::Problem;
use crate::sessions::person;
use glade_host::audit;
use glade_host::clock::now_ms;
use glade_host::ids;
use glade_host::workspace::holds_unseen_signs;

const LONGEST_LABEL: usize = 80;

#[derive(Serialize, ToSchema)]
pub struct Token {
    /// What it can be listed and revoked by.
    id: String,
    token: String,
    /// Whom it makes of its holder.
    subject: String,
}

/// What to leave of the caller's rights, and what to call the token.
#[derive(Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct Attenuate {
    label: Option<String>,
    #[serde(flatten)]
    #[schema(value_type = NarrowerRequest)]
    limits: serde_json::Map<String, Value>,
}

/// A token that was handed on. The token itself is not kept anywhere.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Link {
    /// The revocation id of its last block.
    id: String,
    label: String,
    subject: String,
    #[schema(value_type = Vec<Op>)]
    ops: Vec<String>,
    /// What it may do in the code project.
    #[schema(value_type = Vec<Op>)]
    project: Vec<String>,
    #[schema(required)]
    pages: Option<Vec<String>>,
    #[schema(required)]
    tiers: Option<Vec<String>>,
    /// The actions that a fairy may use when its holder asks; absent: all.
    #[schema(required)]
    tools: Option<Vec<String>>,
    /// The part of pages that it may write in: `x`, `y`, `w`, `h`.
    #[schema(value_type = Option<glade_canvas::Rect>, required)]
    region: Option<Region>,
    /// The files and folders of the code project that it reaches; absent: all.
    #[schema(required)]
    paths: Option<Vec<String>>,
    /// Milliseconds since 1970; absent when it holds for ever.
    #[schema(required)]
    expires_at: Option<i64>,
    created_at: i64,
    revoked: bool,
}

/// How a link's limits lie in its row.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Limits {
    subject: String,
    ops: Vec<String>,
    #[serde(default)]
    project: Vec<String>,
    pages: Option<Vec<String>>,
    tiers: Option<Vec<String>>,
    // Links made before these were kept do not have them.
    #[serde(default)]
    tools: Option<Vec<String>>,
    #[serde(default)]
    region: Option<Region>,
    #[serde(default)]
    paths: Option<Vec<String>>,
    expires_at: Option<i64>,
}

impl Limits {
    fn of(made: &Capability) -> Self {
        let ops = |ops: &BTreeSet<Op>| ops.iter().map(|op| op.as_str().to_owned()).collect();
        let names = |set: Option<&BTreeSet<String>>| set.map(|set| set.iter().cloned().collect());
        Self {
            subject: made.subject.clone(),
            ops: ops(made.ops()),
            project: ops(made.project()),
            pages: names(made.pages()),
            tiers: names(made.tiers()),
            tools: names(made.tools()),
            region: made.region().copied(),
            paths: names(made.paths()),
            expires_at: made
                .expires_at()
                .and_then(|at| at.duration_since(UNIX_EPOCH).ok())
                .and_then(|since| i64::try_from(since.as_millis()).ok()),
        }
    }
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Revoke {
    /// The token to take back…
    token: Option<String>,
    /// …or its id, as the list has it.
    id: Option<String>,
}

/// The links that the caller has handed on, the oldest first.
#[utoipa::path(get, path = "/api/tokens", responses((status = 200, body = Vec<Link>)))]
pub async fn list(State(app): State<Arc<App>>, caller: Caller) -> Result<Json<Vec<Link>>, Problem> {
    let rows = links(&app).await?;
    // One that cannot be read is set aside, and the owner is told.
    let links = rows.into_iter().filter_map(|row| {
        let chain = link_chain(&row).ok()?;
        if row.maker != caller.capability.subject || !made_from(&caller, &chain) {
            return None;
        }
        let limits: Limits = serde_json::from_str(&row.limits_json).ok()?;
        Some(Link {
            revoked: chain.iter().any(|id| app.access.revoked.has(id)),
            id: row.id,
            label: row.label,
            subject: limits.subject,
            ops: limits.ops,
            project: limits.project,
            pages: limits.pages,
            tiers: limits.tiers,
            tools: limits.tools,
            region: limits.region,
            paths: limits.paths,
            expires_at: limits.expires_at,
            created_at: row.created_ms,
        })
    });
    Ok(Json(links.collect()))
}

async fn links(app: &App) -> Result<Vec<LinkRow>, Problem> {
    let store = app.store.clone();
    let links = tokio::task::spawn_blocking(move || store.links())
        .await
        .map_err(Problem::internal)?
        .map_err(Problem::internal)?;
    Ok(links.rows)
}

/// Whether the caller's own token is what this one was made from, however indirectly.
fn made_from(caller: &Caller, chain: &[String]) -> bool {
    chain.starts_with(caller.capability.revocation_ids())
}

/// Takes a token back, and every token made from it. Its sessions end within a second. For the
/// owner, and for whoever holds the token itself or one that it was made from.
#[utoipa::path(post, path = "/api/tokens/revoke", request_body = Revoke,
    responses((status = 204), (status = 400, body = Problem), (status = 403, body = Problem)))]
pub async fn revoke(
    State(app): State<Arc<App>>,
    caller: Caller,
    ApiJson(revoke): ApiJson<Revoke>,
) -> Result<StatusCode, Problem> {
    let blocks = match (revoke.token, revoke.id) {
        (Some(token), None) => {
            let target = app.access.keys.verify(&token, app.access.now());
            target
                .map_err(|error| Problem::bad_request(error.to_string()))?
                .revocation_ids()
                .to_vec()
        }
        (None, Some(id)) => {
            let rows = links(&app).await?;
            let row = rows.iter().find(|row| row.id == id);
            // Whether a link exists is told only to those who may revoke it.
            let chain = row.map(link_chain).transpose().map_err(Problem::internal)?;
            chain
                .filter(|chain| made_from(&caller, chain))
                .ok_or_else(|| Problem::not_found("There is no such link of yours."))?
        }
        _ => {
            return Err(Problem::bad_request("Say which: either `token` or `id`."));
        }
    };
    // Every token begins with the owner's block: with it, all of them would go.
    let [_, .., last] = blocks.as_slice() else {
        return Err(Problem::bad_request(
            "The owner's token cannot be revoked: move owner.key out of the data folder and restart, which makes a new one.",
        ));
    };
    if !blocks.starts_with(caller.capability.revocation_ids()) {
        return Err(Problem::forbidden(
            "Only the owner, or a holder of a token that this one was made from, may revoke it.",
        ));
    }
    app.access
        .revoked
        .add(last, &caller.capability.subject)
        .await
        .map_err(Problem::internal)?;
    Ok(StatusCode::NO_CONTENT)
}

/// Refuses one more link of somebody who has handed on enough.
async fn room_for_link(app: &App, caller: &Caller) -> Result<(), Problem> {
    let own = person(&caller.capability.subject);
    let mut rows = links(app).await?;
    rows.retain(|row| person(&row.maker) == own);
    if !caller.capability.is_owner() {
        budget::room_for(rows.len(), budget::LINKS, "links of yours")?;
    }
    let now = app.access.now().duration_since(UNIX_EPOCH);
    let now = now.map_or(0, |now| now.as_millis());
    rows.retain(|row| {
        let limits = serde_json::from_str::<Limits>(&row.limits_json).ok();
        let ends = limits.and_then(|limits| u128::try_from(limits.expires_at?).ok());
        // One that cannot be read counts.
        let chain = link_chain(row).unwrap_or_default();
        let revoked = chain.iter().any(|id| app.access.revoked.has(id));
        !revoked && ends.is_none_or(|ends| ends > now)
    });
    budget::room_for(rows.len(), budget::LIVE_LINKS, "links of yours that hold")
}

/// A token with less rights than the caller's own: `ops` (of `read`, `comment`, `suggest`, `edit`,
/// `command`), `pages`, `tiers`, `tools`, `region` (`{x, y, w, h}` in whole page
/// units, where it may write), `project` (what is left of the code project: `true` for as much as `ops`
/// leave of pages, or of `read`, `command` and `edit`; left out, nothing), `paths` (of the project),
/// `expiresIn` (seconds), `subject`. With a `label` it is a link for somebody else: without a
/// `subject` its holder becomes a guest of that name.
#[utoipa::path(post, path = "/api/tokens/attenuate", request_body = Attenuate,
    responses((status = 201, body = Token), (status = 400, body = Problem)))]
pub async fn attenuate(
    State(app): State<Arc<App>>,
    caller: Caller,
    ApiJson(request): ApiJson<Attenuate>,
) -> Result<(StatusCode, Json<Token>), Problem> {
    let mut limits: NarrowerRequest = serde_json::from_value(Value::Object(request.limits))
        .map_err(|error| Problem::unexpected_json(error.to_string()))?;
    let label = request.label.unwrap_or_default().trim().to_owned();
    if label.chars().count() > LONGEST_LABEL || holds_unseen_signs(&label) {
        return Err(Problem::bad_request(format!(
            "A label has at most {LONGEST_LABEL} characters, all of which can be seen."
        )));
    }
    // Comments and peer ids belong to subjects: somebody else must not come in under the
    // caller's own.
    let guest = !label.is_empty() && limits.subject.is_none();
    if guest {
        limits.subject = Some(if caller.capability.is_owner() {
            format!("person:{}", ids::guest())
        } else {
            format!("{}/{}", caller.capability.subject, ids::guest())
        });
    }
    if let Some(fairy) = limits
        .subject
        .as_ref()
        .and_then(|it| it.strip_prefix("fairy:"))
        && app.workspace.fairy(fairy).is_some()
    {
        return Err(Problem::bad_request(
            "A fairy of this workspace speaks for itself: name another subject.",
        ));
    }
    let narrower = limits.at(app.access.now());
    room_for_link(&app, &caller).await?;
    let token = app
        .access
        .keys
        .attenuate(&caller.token, &narrower)
        .map_err(|error| Problem::bad_request(error.to_string()))?;
    let made = app
        .access
        .keys
        .verify(&token, app.access.now())
        .map_err(|error| Problem::bad_request(error.to_string()))?;
    let told = json!({
        "from": caller.capability.revocation_ids().last(),
        "token": made.revocation_ids().last(),
        "for": made.subject,
        "ops": made.ops().iter().map(|op| op.as_str()).collect::<Vec<_>>(),
        "project": made.project().iter().map(|op| op.as_str()).collect::<Vec<_>>(),
    });
    let entry = audit::entry(AuditKind::TokenAttenuated, &caller.capability.subject, told);
    let id = made.revocation_ids().last().cloned().unwrap_or_default();
    let link = LinkRow {
        id: id.clone(),
        label: label.clone(),
        maker: caller.capability.subject.clone(),
        chain_json: json!(made.revocation_ids()).to_string(),
        limits_json: serde_json::to_string(&Limits::of(&made)).map_err(Problem::internal)?,
        created_ms: now_ms(),
    };
    app.store
        .write(vec![entry, Change::PutLink(link)])
        .await
        .map_err(Problem::internal)?;
    if guest {
        app.workspace
            .call_person(&label, &made)
            .await
            .map_err(Problem::internal)?;
    }
    let subject = made.subject;
    Ok((StatusCode::CREATED, Json(Token { id, token, subject })))
}
