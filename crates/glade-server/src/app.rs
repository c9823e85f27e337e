//! What every request handler can reach.

use std::sync::Arc;

use glade_store::Store;

use crate::access::Access;
use crate::allowance::Allowances;
use crate::closing::Closing;
use crate::readiness::Readiness;
use crate::sync::fragments::FragmentBudget;
use crate::work::Work;
use glade_host::audit::Refusals;
use glade_host::connection::queued::AllQueued;
use glade_host::fairies::Host;
use glade_host::models::Models;
use glade_host::rooms::Rooms;
use glade_host::runs::Runs;
use glade_host::workspace::Workspace;

pub struct App {
    pub access: Arc<Access>,
    pub store: Store,
    pub refusals: Refusals,
    pub rooms: Arc<Rooms>,
    pub workspace: Arc<Workspace>,
    pub host: Arc<Host>,
    pub runs: Runs,
    pub models: Arc<Models>,
    pub closing: Closing,
    /// What clients have half-sent.
    pub fragments: Arc<FragmentBudget>,
    /// What waits for readers.
    pub queued: Arc<AllQueued>,
    pub readiness: Readiness,
    /// How often everybody asked for something lately.
    pub allowances: Allowances,
    /// Work that takes a processor, and large answers on their way.
    pub work: Arc<Work>,
    pub sending: Arc<Work>,
}
