//! What every request handler can reach.

use std::sync::Arc;

use glade_access::Keys;
use glade_store::Store;

use crate::edge::cookie::SessionCookie;
use crate::host::Host;
use crate::models::Models;
use crate::room::Rooms;
use crate::workspace::Workspace;

/// Who may do what.
pub struct Access {
    pub keys: Keys,
    pub cookie: SessionCookie,
}

pub struct App {
    pub access: Arc<Access>,
    pub store: Store,
    pub rooms: Arc<Rooms>,
    pub workspace: Arc<Workspace>,
    pub host: Arc<Host>,
    pub models: Arc<Models>,
}
