//! A run may do what its asker may, for as long as the asker may do it.

use std::sync::{Arc, PoisonError, Weak};
use std::time::Duration;

use glade_access::Capability;

use super::Host;
use crate::access::Access;

/// How often it is looked whether a token has expired; a revoked one rings by itself.
const LOOK_EVERY: Duration = Duration::from_millis(500);

impl Host {
    /// Stops the runs whose asker's token is revoked or expires, from now on.
    pub fn heed(self: &Arc<Self>, access: Arc<Access>) {
        tokio::spawn(watch(Arc::downgrade(self), access));
    }

    /// The fairies at work, and who asked each.
    fn askers(&self) -> Vec<(String, Capability)> {
        let residents = self.lock();
        let asked = residents.iter().filter_map(|(fairy, resident)| {
            let current = resident
                .current
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            let stream = current.as_ref().filter(|stream| !stream.ended())?;
            Some((fairy.clone(), stream.asker.clone()?))
        });
        asked.collect()
    }
}

async fn watch(host: Weak<Host>, access: Arc<Access>) {
    let mut bell = access.revoked.listen();
    loop {
        // Nobody ringing any more is the server's end, and so is the host's.
        let _rung = tokio::time::timeout(LOOK_EVERY, bell.changed()).await;
        let Some(host) = host.upgrade() else {
            return;
        };
        for (fairy, asker) in host.askers() {
            if access.holds(&asker) {
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
