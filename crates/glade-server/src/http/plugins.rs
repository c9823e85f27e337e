//! The plugins of text pages that a workspace has.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use glade_agent::plugins::{self, AtFirst};
use glade_store::AuditKind;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::guard::Caller;
use super::workspaces::known;
use crate::app::App;
use crate::edge::extract::ApiJson;
use crate::edge::problem::Problem;
use glade_host::audit;
use glade_host::workspace::{PluginSettings, embed_host};

/// More hosts than this are a mistake.
const MOST_HOSTS: usize = 200;

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Plugins {
    plugins: Vec<Plugin>,
    /// Hosts from which fairies may fetch cards.
    embed_hosts: BTreeSet<String>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Plugin {
    name: &'static str,
    about: &'static str,
    /// Kinds of blocks, as documents call them.
    blocks: &'static [&'static str],
    marks: &'static [&'static str],
    /// Actions of fairies.
    tools: Vec<&'static str>,
    /// Parts of the editor.
    editor: &'static [&'static str],
    enabled: bool,
    /// No page is without it.
    always: bool,
}

#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct PluginChange {
    /// Plugins to be switched on or off, by name.
    enabled: BTreeMap<String, bool>,
    /// Replaces all hosts.
    embed_hosts: Option<Vec<String>>,
}

fn shown(settings: &PluginSettings) -> Plugins {
    let plugins = plugins::all().map(|plugin| Plugin {
        name: plugin.name,
        about: plugin.about,
        blocks: plugin.blocks,
        marks: plugin.marks,
        tools: plugin.tools().collect(),
        editor: plugin.editor,
        enabled: settings.enabled.has(plugin),
        always: plugin.at_first == AtFirst::Always,
    });
    Plugins {
        plugins: plugins.collect(),
        embed_hosts: settings.embed_hosts.clone(),
    }
}

/// The plugins that there are, and which of them the workspace has.
#[utoipa::path(get, path = "/api/workspaces/{ws}/plugins", params(("ws" = String, Path,)),
    responses((status = 200, body = Plugins), (status = 404, body = Problem)))]
pub async fn show(
    State(app): State<Arc<App>>,
    _caller: Caller,
    Path(ws): Path<String>,
) -> Result<Json<Plugins>, Problem> {
    known(&ws)?;
    Ok(Json(shown(&app.workspace.plugins())))
}

/// Switches plugins on and off, and says from where cards may be fetched. The owner's alone.
#[utoipa::path(patch, path = "/api/workspaces/{ws}/plugins", params(("ws" = String, Path,)), request_body = PluginChange,
    responses((status = 200, body = Plugins), (status = 400, body = Problem), (status = 403, body = Problem)))]
pub async fn change(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(ws): Path<String>,
    ApiJson(change): ApiJson<PluginChange>,
) -> Result<Json<Plugins>, Problem> {
    known(&ws)?;
    if !caller.capability.is_owner() {
        return Err(Problem::forbidden(
            "Only the owner chooses plugins: open the owner's link.",
        ));
    }
    let mut settings = app.workspace.plugins();
    for (name, on) in &change.enabled {
        let set = settings.enabled.set(name, *on);
        set.map_err(Problem::bad_request)?;
    }
    if let Some(hosts) = change.embed_hosts {
        if hosts.len() > MOST_HOSTS {
            return Err(Problem::bad_request("These are too many hosts."));
        }
        let named = hosts.iter().map(|host| {
            embed_host(host).ok_or_else(|| {
                Problem::bad_request(format!("{host} is no name of a host, as in example.org."))
            })
        });
        settings.embed_hosts = named.collect::<Result<_, _>>()?;
    }
    let told = json!({"plugins": settings});
    let entry = audit::entry(AuditKind::Plugins, &caller.capability.subject, told);
    let changed = app.workspace.set_plugins(settings, vec![entry]);
    changed.await.map_err(Problem::internal)?;
    app.rooms.plug(app.workspace.plugins().enabled);
    app.host.replugged().await;
    Ok(Json(shown(&app.workspace.plugins())))
}
