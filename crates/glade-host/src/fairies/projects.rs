//! Projects as people start and end them, and after a restart.

use std::collections::BTreeSet;
use std::sync::Arc;

use glade_access::Capability;
use glade_agent::Mode;
use glade_agent::projects::{Budget, Leaving, Member, News, Order, Raised, Role};
use glade_canvas::Rect;
use glade_store::Change;

use super::{Asked, Host, HostError, Started, When};
use crate::ids;
use crate::workspace::{Held, NewProject, NotStarted, ProjectShown};

/// What a person asks several fairies for.
pub struct ProjectAsked {
    /// The first one leads.
    pub fairies: Vec<String>,
    pub page: String,
    pub message: String,
    pub bounds: Option<Rect>,
    pub budget: Option<Budget>,
    pub asker: Option<Capability>,
}

/// More than this is a crowd, not a project.
const MOST_MEMBERS: usize = 20;

impl Host {
    /// Sets several fairies on something together: two are a duo, more a project. What they were at
    /// ends.
    pub async fn start_project(
        self: &Arc<Self>,
        asked: ProjectAsked,
        more: impl FnOnce(&str) -> Vec<Change>,
    ) -> Result<ProjectShown, HostError> {
        let mut fairies: Vec<String> = Vec::new();
        for fairy in asked.fairies {
            if !fairies.contains(&fairy) {
                fairies.push(fairy);
            }
        }
        if !(2..=MOST_MEMBERS).contains(&fairies.len()) {
            return Err(HostError::Invalid(format!(
                "A project has 2 to {MOST_MEMBERS} fairies: name them in `fairies`, the one that leads first."
            )));
        }
        for fairy in &fairies {
            let shown = self.deps.workspace.fairy(fairy);
            let shown = shown.ok_or_else(|| HostError::NoFairy(fairy.clone()))?;
            if !shown.settings.scope.has_page(&asked.page) {
                return Err(HostError::OutOfScope(shown.name, asked.page));
            }
        }
        let lead = match fairies.len() {
            2 => Role::DuoOrchestrator,
            _ => Role::Orchestrator,
        };
        let members = fairies.into_iter().enumerate().map(|(at, fairy)| Member {
            fairy,
            role: if at == 0 { lead } else { Role::Drone },
        });
        let id = ids::project();
        let more = more(&id);
        let new = NewProject {
            id,
            page: asked.page,
            message: asked.message,
            bounds: asked.bounds,
            members: members.collect(),
            budget: asked.budget.unwrap_or(self.deps.workspace.teams().budget),
            asker: asked.asker,
        };
        let started = self.deps.workspace.start_project(new, more).await;
        started.map_err(|error| match error {
            NotStarted::Taken(_) => HostError::Busy(error.to_string()),
            NotStarted::Store(error) => HostError::Store(error),
        })
    }

    /// Ends a project now; when this answers, none of its members changes the document any more.
    pub async fn disband(&self, id: &str) -> Result<Option<Held>, HostError> {
        let Some(held) = self.deps.workspace.project(id) else {
            return Ok(None);
        };
        self.tell(id, News::Disbanded).await?;
        self.carried_out(held.project.members.into_iter().map(|one| one.fairy))
            .await;
        Ok(self.deps.workspace.project(id))
    }

    /// Says something to a project: whoever leads it hears it, at once, or when it is done with a task
    /// of its own. Answers the run that this begins now.
    pub async fn ask_project(
        &self,
        id: &str,
        mut asked: Asked,
    ) -> Result<Option<Started>, HostError> {
        let held = self.deps.workspace.project(id);
        let leader = held
            .filter(|held| held.project.is_active())
            .and_then(|held| held.project.leader().cloned());
        let Some(Member { fairy, role }) = leader else {
            return Err(HostError::Busy("The project is over.".to_owned()));
        };
        asked.input.mode = Some(role.active());
        let shown = self.deps.workspace.fairy(&fairy);
        let mode = shown.and_then(|fairy| Mode::parse(&fairy.mode));
        // Interrupted inside of a task, it would take the words for the task's.
        if mode == Some(role.working()) {
            return self.queue_or_start(&fairy, asked, When::NextRun).await;
        }
        self.prompt(&fairy, asked).await.map(Some)
    }

    /// Something has happened that a project under way may wait for.
    pub async fn raise(&self, id: &str, raised: Raised) -> Result<(), HostError> {
        let held = self.deps.workspace.project(id);
        if held.is_none_or(|held| !held.project.is_active()) {
            return Err(HostError::Busy("The project is over.".to_owned()));
        }
        self.tell(id, News::Raised(raised)).await
    }

    /// A person takes a fairy: its project goes on without it, or ends.
    pub(super) async fn leave_project(&self, fairy: &str, why: Leaving) -> Result<(), HostError> {
        let Some(id) = self.deps.workspace.project_of(fairy) else {
            return Ok(());
        };
        let before = self.deps.workspace.project(&id);
        let fairy = fairy.to_owned();
        let news = News::Left {
            fairy: fairy.clone(),
            why,
        };
        self.tell(&id, news).await?;
        let after = self.deps.workspace.project(&id);
        let ended = after.is_none_or(|held| !held.project.is_active());
        if let Some(held) = before.filter(|_| ended) {
            let others = held.project.members.into_iter().map(|one| one.fairy);
            self.carried_out(others.filter(|one| *one != fairy)).await;
        }
        Ok(())
    }

    /// After a restart: everyone who should be at work is set on it, once.
    pub(super) async fn take_up_projects(
        &self,
        at_work: &BTreeSet<String>,
    ) -> Result<(), HostError> {
        for id in self.deps.workspace.active_projects() {
            let news = News::Restarted {
                at_work: at_work.clone(),
            };
            self.tell(&id, news).await?;
        }
        // Whoever was still to hear that its project is over hears it now.
        for fairy in self.deps.workspace.snapshot().fairies {
            let mode = Mode::parse(&fairy.mode).unwrap_or_default();
            if mode.is_of_a_project() && self.deps.workspace.project_of(&fairy.id).is_none() {
                self.deps.workspace.order(Order::Rest {
                    fairy: fairy.id,
                    mode: Mode::Idling,
                });
            }
        }
        Ok(())
    }
}
