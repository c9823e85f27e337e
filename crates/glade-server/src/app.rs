//! What every request handler can reach.

use std::sync::Arc;

use glade_store::Store;

use crate::access::Access;
use crate::allowance::Allowances;
use crate::audit::Refusals;
use crate::closing::Closing;
use crate::code::CodeHost;
use crate::host::Host;
use crate::models::Models;
use crate::readiness::Readiness;
use crate::room::Rooms;
use crate::sync::fragments::FragmentBudget;
use crate::sync::queued::AllQueued;
use crate::work::Work;
use crate::workspace::Workspace;

pub struct App {
    pub access: Arc<Access>,
    pub store: Store,
    pub refusals: Refusals,
    pub rooms: Arc<Rooms>,
    pub workspace: Arc<Workspace>,
    pub host: Arc<Host>,
    pub models: Arc<Models>,
    /// The code project, if one is open.
    pub code: Option<Arc<CodeHost>>,
    pub closing: Closing,
    /// What clients have half-sent.
    pub fragments: Arc<FragmentBudget>,
    /// What waits for readers.
    pub queued: Arc<AllQueued>,
    pub readiness: Readiness,
    /// How often everybody asked for something lately.
    pub allowances: Allowances,
    pub work: Arc<Work>,
}
