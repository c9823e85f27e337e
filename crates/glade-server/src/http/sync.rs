//! The door to `/sync`.

use std::sync::Arc;

use axum::extract::{Extension, State, WebSocketUpgrade};
use axum::http::request::Parts;
use axum::response::Response;

use crate::app::App;
use crate::edge::bearer;
use crate::edge::client::ClientInfo;
use crate::edge::problem::Problem;
use crate::listen::Visitor;
use crate::sync::socket;

const READ_BUFFER: usize = 8 * 1024;

/// A token may come with the upgrade (cookie or header) or with each join; without any, nothing
/// can be joined.
pub async fn upgrade(
    State(app): State<Arc<App>>,
    client: ClientInfo,
    visitor: Option<Extension<Visitor>>,
    parts: Parts,
    socket: WebSocketUpgrade,
) -> Result<Response, Problem> {
    let shown = bearer::credential(&parts.headers, &parts.extensions, &app.access.cookie)?;
    // A cookie that no longer holds is no reason to refuse a client that joins with a token.
    let holder = shown.and_then(|credential| app.access.holder(&credential).ok());
    let capability = holder.map(|holder| holder.capability);
    let visitor = visitor.map(|Extension(visitor)| visitor);
    if let (Some(visitor), Some(_)) = (&visitor, &capability) {
        visitor.set_known();
    }
    let opened = socket::Opened {
        cookie: capability,
        client,
        slot: visitor.map(Visitor::into_socket),
    };
    Ok(socket
        .max_message_size(socket::MAX_FRAME)
        .max_frame_size(socket::MAX_FRAME)
        // The default is 128 KB for every socket, however quiet.
        .read_buffer_size(READ_BUFFER)
        .on_upgrade(move |socket| socket::serve(app, socket, opened)))
}
