//! A run may do what its asker may, for as long as the asker may do it.

use std::sync::{Arc, PoisonError, Weak};
use std::time::Duration;

use glade_access::Capability;
use tokio::sync::watch;

use super::Host;

/// How often it is looked whether a token has expired; a revoked one rings by itself.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// Says whether a capability that was verified before still holds.
pub trait Validity: Send + Sync + 'static {
    fn holds(&self, capability: &Capability) -> bool;
    /// Rings when something was revoked.
    fn revocations(&self) -> watch::Receiver<usize>;
}

impl Host {
    /// Stops the runs whose asker's token is revoked or expires, from now on.
    pub fn watch_validity(self: &Arc<Self>, validity: Arc<dyn Validity>) {
        tokio::spawn(watch(Arc::downgrade(self), validity));
    }

    /// The fairies at work, and who asked each.
    fn askers(&self) -> Vec<(String, Capability)> {
        let handles = self.lock();
        let asked = handles.iter().filter_map(|(fairy, handle)| {
            let current = handle
                .current
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            let stream = current.as_ref().filter(|stream| !stream.ended())?;
            Some((fairy.clone(), stream.asker.clone()?))
        });
        asked.collect()
    }
}

async fn watch(host: Weak<Host>, validity: Arc<dyn Validity>) {
    let mut bell = validity.revocations();
    loop {
        // Nobody ringing any more is the server's end, and so is the host's.
        let _rung = tokio::time::timeout(LOOK_EVERY, bell.changed()).await;
        let Some(host) = host.upgrade() else {
            return;
        };
        for (fairy, asker) in host.askers() {
            if validity.holds(&asker) {
                continue;
            }
            tracing::info!(
                fairy,
                asker = asker.subject,
                "a run ends: its asker's token no longer holds"
            );
            if let Err(error) = host.stop(&fairy).await {
                tracing::error!(fairy, %error, "a run whose asker lost the right could not be stopped");
            }
        }
    }
}
