//! What a fairy can do in its project, and what it is told when it cannot.

use std::collections::BTreeMap;

use glade_canvas::Rect;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::board::Board;
use super::order::Order;
use super::project::{COLORS, Job, Member, ProjectStatus, Raised, Role};
use crate::action::Refusal;
use crate::agenda::Status;
use crate::mode::Mode;
use crate::waits::Happening;

/// One thing that a fairy does in its project.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum ProjectCommand {
    StartProject {
        name: String,
        description: String,
        color: String,
        plan: String,
    },
    EndProject,
    AbortProject {
        reason: String,
    },
    CreateTask {
        /// Of the workspace.
        id: String,
        /// What the orchestrator calls it.
        handle: String,
        title: String,
        text: String,
        bounds: Rect,
        /// The fairy that is to do it.
        assigned_to: Option<String>,
    },
    DeleteTask {
        task: String,
        reason: String,
    },
    /// Another fairy begins a task.
    Direct {
        fairy: String,
        task: String,
    },
    /// The leader of a duo begins a task of its own.
    StartOwn {
        task: String,
    },
    /// The task at hand is done.
    MarkDone,
    Await {
        tasks: Vec<String>,
    },
    /// Waits until another member is in a mode.
    AwaitMode {
        fairy: String,
        mode: Mode,
        /// How long at the most; none: as long as the rules allow.
        within_ms: Option<i64>,
    },
    /// Waits for an event of this name whose data has these values.
    AwaitEvent {
        name: String,
        matching: BTreeMap<String, Value>,
        within_ms: Option<i64>,
    },
    /// Says that something has happened, to whoever waits for it.
    Raise {
        name: String,
        data: Value,
    },
}

impl ProjectCommand {
    /// Whether the answer that does it is over with it.
    pub fn ends_an_answer(&self) -> bool {
        matches!(
            self,
            ProjectCommand::EndProject
                | ProjectCommand::AbortProject { .. }
                | ProjectCommand::StartOwn { .. }
                | ProjectCommand::MarkDone
                | ProjectCommand::Await { .. }
                | ProjectCommand::AwaitMode { .. }
                | ProjectCommand::AwaitEvent { .. }
        )
    }
}

impl Board {
    /// As [`Board::act`], for a fairy whose answer is over: what is refused now (others were quicker)
    /// wakes whoever leads with the reason, for nobody else would.
    pub fn act_late(&mut self, by: &str, deed: &ProjectCommand) -> Vec<Order> {
        match self.act(by, deed) {
            Ok(orders) => orders,
            Err(Refusal(reason)) => {
                let member = self.project.member(by);
                let leads = member.is_some_and(|member| member.role.leads());
                let leads = leads && self.project.is_active();
                let words = format!("That was not carried out: {reason}.");
                let wake = self.wake(by, words, None).filter(|_| leads);
                wake.into_iter().collect()
            }
        }
    }

    /// Does what a fairy wants; refused, nothing has changed.
    pub fn act(&mut self, by: &str, deed: &ProjectCommand) -> Result<Vec<Order>, Refusal> {
        if !self.project.is_active() {
            return Err(Refusal::new("the project is over"));
        }
        let Some(me) = self.project.member(by).cloned() else {
            return Err(Refusal::new("you are not in a project"));
        };
        if !me.role.leads()
            && !matches!(
                deed,
                ProjectCommand::MarkDone | ProjectCommand::Raise { .. }
            )
        {
            return Err(Refusal::new(
                "only the orchestrator of a project can do that",
            ));
        }
        let mut orders = Vec::new();
        match deed {
            ProjectCommand::StartProject {
                name,
                description,
                color,
                plan,
            } => self.start(name, description, color, plan)?,
            ProjectCommand::EndProject => {
                self.may_end()?;
                self.end(ProjectStatus::Done, "", Some(by), &mut orders);
            }
            ProjectCommand::AbortProject { reason } => {
                if self.project.titled {
                    return Err(Refusal::new(
                        "the project is under way and can no longer be aborted: finish or delete its tasks, then end it",
                    ));
                }
                let words = format!("Given up: {reason}.");
                self.end(ProjectStatus::Aborted, &words, Some(by), &mut orders);
            }
            ProjectCommand::CreateTask { .. } => self.create(&me, deed)?,
            ProjectCommand::DeleteTask { task, .. } => self.delete(task, &mut orders)?,
            ProjectCommand::Direct { fairy, task } => orders.push(self.direct(&me, fairy, task)?),
            ProjectCommand::StartOwn { task } => self.start_own(&me, task)?,
            ProjectCommand::MarkDone => self.mark_done(by, &mut orders)?,
            ProjectCommand::Await { tasks } => self.wait_for_tasks(by, tasks)?,
            ProjectCommand::AwaitMode {
                fairy,
                mode,
                within_ms,
            } => self.wait_for_mode(&me, fairy, *mode, *within_ms)?,
            ProjectCommand::AwaitEvent {
                name,
                matching,
                within_ms,
            } => self.wait_for_event(by, name, matching, *within_ms, &mut orders),
            ProjectCommand::Raise { name, data } => {
                let (name, data) = (name.clone(), data.clone());
                self.raise(Raised { name, data }, &mut orders);
            }
        }
        self.settle(&mut orders);
        Ok(orders)
    }

    fn start(
        &mut self,
        name: &str,
        description: &str,
        color: &str,
        plan: &str,
    ) -> Result<(), Refusal> {
        if self.project.titled {
            return Err(Refusal::new(format!(
                "the project \"{}\" is started already: create its tasks and direct fairies to them",
                self.project.name
            )));
        }
        if name.trim().is_empty() {
            return Err(Refusal::new("a project needs a name"));
        }
        let free: Vec<&str> = self.free_colors().collect();
        let known = COLORS.contains(&color);
        // When all are taken, two projects share one.
        if !known || (!free.is_empty() && !free.contains(&color)) {
            let problem = if known {
                "is another project's"
            } else {
                "is not a project's colour"
            };
            return Err(Refusal::new(format!(
                "the colour \"{color}\" {problem}; free are: {}",
                free.join(", ")
            )));
        }
        let project = &mut self.project;
        name.trim().clone_into(&mut project.name);
        description.clone_into(&mut project.description);
        color.clone_into(&mut project.color);
        plan.clone_into(&mut project.plan);
        project.titled = true;
        Ok(())
    }

    fn may_end(&self) -> Result<(), Refusal> {
        if !self.project.titled {
            return Err(Refusal::new(
                "the project was not started yet: start it, or abort it",
            ));
        }
        let open: Vec<&str> = self.open_jobs().map(|job| self.handle(&job.id)).collect();
        if !open.is_empty() && self.project.drones().next().is_some() {
            return Err(Refusal::new(format!(
                "not done are: {}; await or direct them, or delete what is not needed, before you end the project",
                open.join(", ")
            )));
        }
        Ok(())
    }

    fn create(&mut self, me: &Member, deed: &ProjectCommand) -> Result<(), Refusal> {
        let ProjectCommand::CreateTask {
            id,
            handle,
            title,
            text,
            bounds,
            assigned_to,
        } = deed
        else {
            return Ok(());
        };
        if !self.project.titled {
            return Err(Refusal::new(
                "start the project before you create its tasks",
            ));
        }
        if self.job(handle).is_some() || self.job(id).is_some() {
            return Err(Refusal::new(format!(
                "there is a task \"{handle}\" already"
            )));
        }
        let most = self.rules.tasks;
        if self.jobs.len() >= most {
            return Err(Refusal::new(format!(
                "the project has {most} tasks already, and no more than that"
            )));
        }
        let Some(owner) = assigned_to.as_deref().filter(|who| !who.is_empty()) else {
            return Err(Refusal::new(format!(
                "the task \"{handle}\" has no owner: set assignedTo to one of {}",
                self.hands(me)
            )));
        };
        let owner = self.hand(me, owner)?.fairy.clone();
        if owner == me.fairy && me.role != Role::DuoOrchestrator {
            return Err(Refusal::new(format!(
                "you cannot give a task to yourself, you direct: set assignedTo to one of {}",
                self.hands(me)
            )));
        }
        self.jobs.push(Job {
            id: id.clone(),
            title: title.clone(),
            text: text.clone(),
            page: self.project.page.clone(),
            bounds: Some(*bounds),
            status: Status::Todo,
            assignee: Some(owner),
        });
        self.project.progress.tasks.push(id.clone());
        self.project
            .progress
            .names
            .insert(handle.clone(), id.clone());
        Ok(())
    }

    /// Who could be given a task, for the model to choose from.
    fn hands(&self, me: &Member) -> String {
        let members = self.project.members.iter();
        let others =
            members.filter(|one| one.fairy != me.fairy || me.role == Role::DuoOrchestrator);
        let list: Vec<String> = others
            .map(|one| format!("{} ({})", one.fairy, self.name(&one.fairy)))
            .collect();
        if list.is_empty() {
            "nobody, for nobody is left".to_owned()
        } else {
            list.join(", ")
        }
    }

    pub(super) fn hand(&self, me: &Member, who: &str) -> Result<&Member, Refusal> {
        self.member(who).ok_or_else(|| {
            Refusal::new(format!(
                "there is no fairy \"{who}\" in the project; there are: {}",
                self.hands(me)
            ))
        })
    }

    pub(super) fn known(&self, task: &str) -> Result<Job, Refusal> {
        self.job(task).cloned().ok_or_else(|| {
            let all: Vec<&str> = self.jobs.iter().map(|job| self.handle(&job.id)).collect();
            let all = if all.is_empty() {
                "none".to_owned()
            } else {
                all.join(", ")
            };
            Refusal::new(format!(
                "there is no task \"{task}\" in the project; there are: {all}"
            ))
        })
    }

    fn delete(&mut self, task: &str, orders: &mut Vec<Order>) -> Result<(), Refusal> {
        let job = self.known(task)?;
        if job.status == Status::Done {
            return Err(Refusal::new(format!(
                "the task \"{task}\" is done: it stays"
            )));
        }
        if let Some(fairy) = job.assignee.filter(|_| job.status == Status::InProgress) {
            orders.push(Order::Rest {
                fairy,
                mode: Mode::StandingBy,
            });
        }
        self.remove(&job.id);
        Ok(())
    }

    /// Takes a task off the board.
    pub(super) fn remove(&mut self, id: &str) {
        self.jobs.retain(|one| one.id != id);
        let project = &mut self.project;
        project.progress.tasks.retain(|one| one != id);
        project.progress.names.retain(|_, one| one != id);
        project.progress.taken.remove(id);
    }

    /// Whether a task can be begun at all, by anyone.
    fn beginnable(&self, job: &Job, by: &str) -> Result<(), Refusal> {
        let handle = self.handle(&job.id);
        match job.status {
            Status::Done => {
                return Err(Refusal::new(format!(
                    "the task \"{handle}\" is done already"
                )));
            }
            Status::InProgress => {
                let who = job.assignee.as_deref().unwrap_or_default();
                return Err(Refusal::new(format!(
                    "{} works on the task \"{handle}\" already: await its completion",
                    self.name(who)
                )));
            }
            Status::Todo => {}
        }
        let tries = self.rules.tries;
        if self
            .project
            .progress
            .tries
            .get(&job.id)
            .copied()
            .unwrap_or(0)
            >= tries
        {
            return Err(Refusal::new(format!(
                "the task \"{handle}\" came back {tries} times: delete it, and create another if it is needed"
            )));
        }
        let mine = self.rules.region(job);
        let in_the_way = self.jobs.iter().find(|other| {
            let overlap = match (mine, self.rules.region(other)) {
                (Some(mine), Some(theirs)) => mine.intersects(&theirs),
                _ => true,
            };
            other.status == Status::InProgress
                && other.assignee.as_deref() != Some(by)
                && other.page == job.page
                && overlap
        });
        if let Some(other) = in_the_way {
            return Err(Refusal::new(format!(
                "the area of the task \"{handle}\" overlaps that of \"{}\", which is under way: await that first, or give this one another area",
                self.handle(&other.id)
            )));
        }
        Ok(())
    }

    fn direct(&mut self, me: &Member, fairy: &str, task: &str) -> Result<Order, Refusal> {
        let job = self.known(task)?;
        let hand = self.hand(me, fairy)?.clone();
        if hand.fairy == me.fairy {
            return Err(Refusal::new(if me.role == Role::DuoOrchestrator {
                "you cannot direct yourself to do a task: begin your own with start-duo-task, or direct your partner"
            } else {
                "you cannot direct yourself to do a task: direct another fairy"
            }));
        }
        self.beginnable(&job, &hand.fairy)?;
        if let Some(other) = self.job_of(&hand.fairy) {
            return Err(Refusal::new(format!(
                "{} is busy with the task \"{}\": await its completion, or direct another fairy",
                self.name(&hand.fairy),
                self.handle(&other.id)
            )));
        }
        let mode = self.faces.get(&hand.fairy).map(|face| face.mode);
        if mode.is_some_and(Mode::serves_a_person) {
            return Err(Refusal::new(format!(
                "{} is busy with what a person asked of it: direct another fairy, or try again later",
                self.name(&hand.fairy)
            )));
        }
        let job = self.begin_job(&job.id, &hand.fairy);
        job.map(|job| self.work(&hand, &job))
            .ok_or_else(|| Refusal::new("the task is gone"))
    }

    fn begin_job(&mut self, id: &str, fairy: &str) -> Option<Job> {
        let job = self.job_mut(id)?;
        job.status = Status::InProgress;
        job.assignee = Some(fairy.to_owned());
        Some(job.clone())
    }

    fn start_own(&mut self, me: &Member, task: &str) -> Result<(), Refusal> {
        let job = self.known(task)?;
        if me.role != Role::DuoOrchestrator {
            return Err(Refusal::new(
                "an orchestrator directs: it does no task itself",
            ));
        }
        if let Some(current) = self.job_of(&me.fairy) {
            // Said again after a crash: it is so already.
            return if current.id == job.id {
                Ok(())
            } else {
                Err(Refusal::new(format!(
                    "you work on the task \"{}\" already: finish it first",
                    self.handle(&current.id)
                )))
            };
        }
        if let Some(owner) = job.assignee.as_deref().filter(|owner| *owner != me.fairy) {
            return Err(Refusal::new(format!(
                "the task \"{task}\" is {}'s: direct them to it",
                self.name(owner)
            )));
        }
        self.beginnable(&job, &me.fairy)?;
        self.begin_job(&job.id, &me.fairy);
        self.project.progress.taken.insert(job.id);
        Ok(())
    }

    fn mark_done(&mut self, by: &str, orders: &mut Vec<Order>) -> Result<(), Refusal> {
        let Some(id) = self.job_of(by).map(|job| job.id.clone()) else {
            return Err(Refusal::new("you are not working on a task"));
        };
        if let Some(job) = self.job_mut(&id) {
            job.status = Status::Done;
        }
        self.project.progress.taken.remove(&id);
        self.announce(&Happening::TaskCompleted { task: id }, orders);
        Ok(())
    }
}
