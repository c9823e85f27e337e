//! The HTTP interface: routes, each described where it is written, collected into OpenAPI 3.1.

mod blobs;
mod chat;
mod code;
mod events;
mod export;
mod fairies;
mod guard;
mod health;
mod import;
mod kept_message;
mod manage_fairy;
mod models;
mod page_list;
mod pages;
mod pieces;
mod plugins;
mod projects;
mod runs;

mod search;
mod session;
mod sessions;
mod sync;
mod tasks;
mod text;
mod tidy;
mod tokens;
mod workspaces;

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, Method, Uri};
use axum::middleware::from_fn_with_state;
use axum::routing::get;
use utoipa::OpenApi;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::edge::assets::{self, Studio};
use crate::edge::host::HostPolicy;
use crate::edge::problem::{Problem, method_not_allowed};
use crate::edge::security;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Glade",
        description = "People and fairies in the same live documents. Times are milliseconds since 1970.",
        license(name = "Apache-2.0 OR MIT")
    ),
    // What is told in streams, or beside what has no fixed shape.
    components(schemas(glade_host::workspace::WorkspaceChange, manage_fairy::StepInFull)),
    modifiers(&Bearer),
    security(("token" = []))
)]
struct Api;

struct Bearer;

impl utoipa::Modify for Bearer {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        let scheme = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build();
        openapi
            .components
            .get_or_insert_with(Default::default)
            .add_security_scheme("token", SecurityScheme::Http(scheme));
    }
}

fn api() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::with_openapi(Api::openapi())
        .routes(routes!(health::alive))
        .routes(routes!(health::ready))
        .routes(routes!(health::metrics))
        .routes(routes!(
            session::open,
            session::show,
            session::rename,
            session::close
        ))
        .routes(routes!(sessions::list, sessions::end_all))
        .routes(routes!(sessions::end))
        .routes(routes!(workspaces::show))
        .routes(routes!(events::follow))
        .routes(routes!(pages::create))
        .routes(routes!(page_list::change, page_list::delete))
        .routes(routes!(page_list::restore))
        .routes(routes!(page_list::duplicate))
        .routes(routes!(export::export))
        .routes(routes!(import::import))
        .routes(routes!(import::read))
        .routes(routes!(tidy::tidy))
        .routes(routes!(pages::why))
        .routes(routes!(search::search))
        .routes(routes!(plugins::show, plugins::change))
        .routes(routes!(fairies::list, manage_fairy::create))
        .routes(routes!(
            fairies::show,
            manage_fairy::change,
            manage_fairy::dismiss
        ))
        .routes(routes!(manage_fairy::sleep))
        .routes(routes!(manage_fairy::wake))
        .routes(routes!(manage_fairy::summon))
        .routes(routes!(manage_fairy::prompt))
        .routes(routes!(manage_fairy::debug))
        .routes(routes!(fairies::interrupt))
        .routes(routes!(fairies::schedule))
        .routes(routes!(fairies::stop))
        .routes(routes!(fairies::reset))
        .routes(routes!(runs::show))
        .routes(routes!(runs::changes))
        .routes(routes!(runs::keep))
        .routes(routes!(runs::undo))
        .routes(routes!(runs::reopen))
        .routes(routes!(tasks::list, tasks::create))
        .routes(routes!(tasks::change, tasks::delete))
        .routes(routes!(tasks::start))
        .routes(routes!(projects::list, projects::create))
        .routes(routes!(projects::runs))
        .routes(routes!(projects::disband))
        .routes(routes!(projects::message))
        .routes(routes!(projects::raise))
        .routes(routes!(tokens::list))
        .routes(routes!(tokens::attenuate))
        .routes(routes!(models::list, models::change))
        .routes(routes!(tokens::revoke))
        .routes(routes!(blobs::add))
        .routes(routes!(blobs::show))
        .routes(routes!(code::show))
        .routes(routes!(code::files))
        .routes(routes!(code::file))
        .routes(routes!(code::changes))
        .routes(routes!(code::create))
        .routes(routes!(code::rename, code::delete))
        .routes(routes!(code::abort))
        .routes(routes!(code::approve))
        .routes(routes!(code::take_back))
        .routes(routes!(code::undo))
        .routes(routes!(chat::send))
        .routes(routes!(chat::history))
        .routes(routes!(chat::resume))
}

/// The description of the interface, as served at `/api/openapi.json`.
pub fn openapi() -> utoipa::openapi::OpenApi {
    api().into_openapi()
}

pub fn router(app: Arc<App>, policy: HostPolicy, studio: Studio) -> Router {
    let (routes, description) = api().split_for_parts();
    // Written once, and shared by all connections.
    let description: Bytes = description
        .to_json()
        .map_err(|error| tracing::error!(%error, "the description of the interface is missing"))
        .unwrap_or_default()
        .into();
    let json = [(CONTENT_TYPE, "application/json")];
    let router = routes
        .route(
            "/api/openapi.json",
            get(move || async move { (json, description) }),
        )
        .route("/api/{*rest}", axum::routing::any(no_such_endpoint))
        .route("/sync", get(sync::upgrade))
        .fallback(
            move |method: Method, uri: Uri, headers: HeaderMap| async move {
                assets::serve(studio, &method, uri.path(), &headers)
            },
        )
        .method_not_allowed_fallback(method_not_allowed)
        .layer(from_fn_with_state(Arc::clone(&app), guard::enter_refusals))
        .with_state(app);
    security::protect(router, policy)
}

async fn no_such_endpoint() -> Problem {
    Problem::not_found("There is no such endpoint: /api/openapi.json lists those that there are.")
}
