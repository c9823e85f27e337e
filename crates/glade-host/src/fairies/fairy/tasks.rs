//! The page's list of things to do, as far as the fairy takes part in it.

use std::sync::Arc;

use glade_access::{Op, PageRef};
use glade_agent::{Agenda, Event, Status};
use glade_store::AuditKind;
use serde_json::json;

use super::FairyTask;
use crate::audit;
use crate::fairies::HostError;
use crate::workspace::{Task, TaskStatus, Workspace};

impl FairyTask {
    /// Who the audit says it is.
    pub(super) fn subject(&self) -> String {
        format!("fairy:{}", self.identity.row.id)
    }

    /// Takes something on that nobody has taken; a refusal goes back to the model.
    pub(super) async fn claim(&mut self, action: u32, item: &str) -> Option<Event> {
        let list = self.list();
        let task = list.workspace.task(item);
        let allowed = task.is_some_and(|task| self.asker_may_edit(&task.page));
        let own = self.identity.row.id.clone();
        let claimed = list.change(item, "claimed", |task| {
            if !allowed {
                return Err("the person who asks may not change what is to be done here");
            }
            match &task.assignee {
                Some(other) if *other != own => return Err("somebody else has taken it on"),
                _ if task.status == TaskStatus::Done => return Err("it is done already"),
                _ => {}
            }
            task.assignee = Some(own);
            task.status = TaskStatus::InProgress;
            Ok(())
        });
        let reason = match claimed.await {
            Ok(true) => return None,
            Ok(false) => "it is not on the list any more".to_owned(),
            Err(error) => error.to_string(),
        };
        Some(Event::Refused { action, reason })
    }

    /// What the fairy marks on its own list of what it has taken on is so on the page's list too.
    pub(super) async fn update_tasks(&mut self, agenda: &Agenda) {
        let list = self.list();
        for todo in &agenda.todos {
            let Some(task) = list.workspace.task(&todo.id) else {
                continue; // one of its own
            };
            let status = match todo.status {
                Status::Todo => TaskStatus::Todo,
                Status::InProgress => TaskStatus::InProgress,
                Status::Done => TaskStatus::Done,
            };
            if task.assignee.as_deref() != Some(&self.identity.row.id) || task.status == status {
                continue;
            }
            let marked = list.change(&todo.id, "changed", |task| {
                task.status = status;
                Ok(())
            });
            if let Err(error) = marked.await {
                tracing::error!(fairy = self.identity.row.id, %error, "a task's state could not be stored");
            }
        }
    }

    fn list(&self) -> List {
        List {
            workspace: Arc::clone(&self.deps.workspace),
            subject: self.subject(),
        }
    }

    /// A fairy does for people what they may do themselves.
    fn asker_may_edit(&self, page: &str) -> bool {
        let asker = self.asker();
        let tier = self.deps.workspace.page(page).map(|row| row.tier);
        let tier = tier.as_deref().unwrap_or_default();
        asker.is_none_or(|asker| asker.allows(Op::Edit, &PageRef { id: page, tier }))
    }
}

/// The list, and who changes it.
struct List {
    workspace: Arc<Workspace>,
    subject: String,
}

impl List {
    /// False: there is no such task.
    async fn change(
        &self,
        id: &str,
        what: &str,
        change: impl FnOnce(&mut Task) -> Result<(), &'static str>,
    ) -> Result<bool, HostError> {
        let changed = self.workspace.change_task(id, |task| {
            change(task).map_err(|reason| HostError::Invalid(reason.to_owned()))?;
            let told = json!({
                "task": task.id, "page": task.page, "what": what,
                "status": task.status, "assignee": task.assignee,
            });
            Ok::<_, HostError>(vec![audit::entry(AuditKind::Task, &self.subject, told)])
        });
        Ok(changed.await?.is_some())
    }
}
