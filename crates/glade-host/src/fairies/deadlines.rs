//! The clock of projects: whoever waited long enough is told so.
//!
//! A board has no clock. Nothing else may ever happen to a project whose leader waits for something
//! that does not come, so time itself has to be news.

use std::sync::Arc;
use std::time::Duration;

use glade_agent::projects::News;

use super::Host;
use crate::clock::now_ms;

/// How late a fairy may hear that its wait is over.
const TICK: Duration = Duration::from_millis(250);

impl Host {
    /// Looks at every wait now and then, from now on.
    pub(super) fn keep_time(self: &Arc<Self>) {
        let host = Arc::downgrade(self);
        let task = tokio::spawn(async move {
            loop {
                tokio::time::sleep(TICK).await;
                let Some(host) = host.upgrade() else {
                    return;
                };
                for project in host.deps.workspace.overdue(now_ms()) {
                    if let Err(error) = host.tell(&project, News::Tick).await {
                        tracing::error!(project, %error, "a wait that is over could not be told");
                    }
                }
            }
        });
        self.tasks
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .push(task.abort_handle());
    }
}
