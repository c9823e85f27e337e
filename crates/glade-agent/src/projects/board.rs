//! Everything that decides about one project, and what can be asked of it.

use std::collections::{BTreeMap, BTreeSet};

use glade_canvas::Rect;

use super::order::Order;
use super::project::{COLORS, Job, Member, Project, ProjectStatus};
use super::rules::Rules;
use crate::agenda::Status;
use crate::mode::Mode;
use crate::waits::{self, Happening, Wait, WaitOn};

/// A member as it is now.
#[derive(Debug, Clone, PartialEq)]
pub struct Face {
    pub name: String,
    pub mode: Mode,
}

/// See the [module](super).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Board {
    pub project: Project,
    /// In the order in which they were made.
    pub jobs: Vec<Job>,
    pub waits: Vec<Wait>,
    /// How the members look from here.
    pub faces: BTreeMap<String, Face>,
    /// The colours of the other active projects.
    pub taken_colors: BTreeSet<String>,
    /// Milliseconds since 1970: the board has no clock.
    pub now: i64,
    pub rules: Rules,
}

impl Board {
    /// A task by its id, or by what the orchestrator calls it.
    pub fn job(&self, name: &str) -> Option<&Job> {
        let id = self
            .project
            .progress
            .names
            .get(name)
            .map_or(name, String::as_str);
        self.jobs.iter().find(|job| job.id == id)
    }

    pub(super) fn job_mut(&mut self, id: &str) -> Option<&mut Job> {
        self.jobs.iter_mut().find(|job| job.id == id)
    }

    /// What the orchestrator calls a task.
    pub fn handle<'b>(&'b self, id: &'b str) -> &'b str {
        let mut names = self.project.progress.names.iter();
        names
            .find(|(_, known)| *known == id)
            .map_or(id, |(handle, _)| handle)
    }

    /// The task that a fairy works on.
    pub fn job_of(&self, fairy: &str) -> Option<&Job> {
        self.jobs
            .iter()
            .find(|job| job.status == Status::InProgress && job.assignee.as_deref() == Some(fairy))
    }

    pub fn open_jobs(&self) -> impl Iterator<Item = &Job> {
        self.jobs.iter().filter(|job| job.status != Status::Done)
    }

    /// Colours that no other active project has.
    pub fn free_colors(&self) -> impl Iterator<Item = &'static str> {
        let taken = &self.taken_colors;
        COLORS.into_iter().filter(|color| !taken.contains(*color))
    }

    /// The tasks whose completion a fairy waits for.
    pub fn awaited_by(&self, fairy: &str) -> impl Iterator<Item = &str> {
        self.waits_of(fairy).filter_map(|wait| match &wait.on {
            WaitOn::TaskCompleted { task } => Some(task.as_str()),
            _ => None,
        })
    }

    /// What is waited for, in a few words.
    pub fn told_wait(&self, on: &WaitOn) -> String {
        match on {
            WaitOn::TaskCompleted { task } => self.handle(task).to_owned(),
            WaitOn::ModeTransition { fairy, mode } => {
                format!("{} to be {}", self.name(fairy), mode.name())
            }
            WaitOn::Custom { name, .. } => format!("the event {name}"),
        }
    }

    pub fn waits_of(&self, fairy: &str) -> impl Iterator<Item = &Wait> {
        self.waits.iter().filter(move |wait| wait.fairy == fairy)
    }

    /// What a fairy is called.
    pub fn name<'b>(&'b self, fairy: &'b str) -> &'b str {
        self.faces.get(fairy).map_or(fairy, |face| &face.name)
    }

    /// The member that is meant, by its id or its name.
    pub fn member(&self, who: &str) -> Option<&Member> {
        let members = &self.project.members;
        members
            .iter()
            .find(|member| member.fairy == who)
            .or_else(|| {
                members
                    .iter()
                    .find(|member| self.name(&member.fairy).eq_ignore_ascii_case(who))
            })
    }

    /// What is left to say to an orchestrator whose answer is over; none: it waits, or is done.
    pub fn nudge(&self, fairy: &str) -> Option<String> {
        let project = &self.project;
        if !project.is_active() || self.waits_of(fairy).next().is_some() {
            return None;
        }
        let list = |status: Status| {
            let jobs = self.jobs.iter().filter(|job| job.status == status);
            jobs.map(|job| self.handle(&job.id))
                .collect::<Vec<_>>()
                .join(", ")
        };
        let (todo, busy) = (list(Status::Todo), list(Status::InProgress));
        Some(if !project.titled {
            "The project has no name and no plan yet: start it, or abort it.".to_owned()
        } else if self.jobs.is_empty() {
            "The project has no tasks yet: create them, each with its own area and owner."
                .to_owned()
        } else if !todo.is_empty() && project.drones().next().is_none() {
            format!("Nobody is left to direct, and not done are: {todo}. End the project.")
        } else if !todo.is_empty() {
            format!("Not begun are: {todo}. Direct a fairy to each, or delete what is not needed.")
        } else if !busy.is_empty() {
            format!("Under way are: {busy}. Await their completion.")
        } else {
            "All tasks are done. Review the work; if all is well, end the project.".to_owned()
        })
    }

    /// What was done and what was not, in words for people.
    pub fn account(&self) -> String {
        let titles = |done: bool| {
            let jobs = self.jobs.iter();
            jobs.filter(|job| (job.status == Status::Done) == done)
                .map(|job| job.title.as_str())
                .collect::<Vec<_>>()
                .join(", ")
        };
        let (done, open) = (titles(true), titles(false));
        match (done.is_empty(), open.is_empty()) {
            (true, true) => "There were no tasks.".to_owned(),
            (false, true) => format!("Done: {done}."),
            (true, false) => format!("Nothing was finished. Not done: {open}."),
            (false, false) => format!("Done: {done}. Not done: {open}."),
        }
    }

    /// The first orders of a new project.
    pub fn begin(&self) -> Vec<Order> {
        let mut orders = Vec::new();
        for member in &self.project.members {
            orders.push(if member.role.leads() {
                self.lead(member)
            } else {
                Order::Rest {
                    fairy: member.fairy.clone(),
                    mode: Mode::StandingBy,
                }
            });
        }
        orders
    }

    pub(super) fn lead(&self, member: &Member) -> Order {
        Order::Work {
            fairy: member.fairy.clone(),
            mode: member.role.active(),
            task: None,
            message: self.project.message.clone(),
            page: self.project.page.clone(),
            bounds: self.project.bounds,
        }
    }

    /// Sets a fairy on a task that is its own.
    pub(super) fn work(&self, member: &Member, job: &Job) -> Order {
        let message = match job.text.trim() {
            "" => job.title.clone(),
            text => text.to_owned(),
        };
        Order::Work {
            fairy: member.fairy.clone(),
            mode: member.role.working(),
            task: Some(job.id.clone()),
            message,
            page: job.page.clone(),
            bounds: job.bounds,
        }
    }

    pub(super) fn wake(&self, fairy: &str, message: String, bounds: Option<Rect>) -> Option<Order> {
        let member = self.project.member(fairy)?;
        Some(Order::Wake {
            fairy: fairy.to_owned(),
            mode: member.role.active(),
            message,
            bounds,
        })
    }

    /// A happening that somebody may wait for.
    pub(super) fn announce(&mut self, what: &Happening, orders: &mut Vec<Order>) {
        for wait in waits::consume(&mut self.waits, what) {
            let (message, bounds) = match &wait.on {
                WaitOn::TaskCompleted { task } => self.told_of(task),
                WaitOn::ModeTransition { fairy, mode } => (
                    format!("{} is {} now.", self.name(fairy), mode.name()),
                    None,
                ),
                WaitOn::Custom { .. } => (format!("What you waited for has come: {what}."), None),
            };
            orders.extend(self.wake(&wait.fairy, message, bounds));
        }
    }

    fn told_of(&self, task: &str) -> (String, Option<Rect>) {
        let Some(job) = self.job(task) else {
            return (format!("The task {task} is done."), None);
        };
        let by = job
            .assignee
            .as_deref()
            .map_or("somebody", |fairy| self.name(fairy));
        let message = format!(
            "The task \"{}\" ({}) is done, by {by}. It was: {}",
            self.handle(task),
            job.title,
            job.text
        );
        (message, job.bounds)
    }

    /// Wakes whoever waits for what can no longer be.
    pub(super) fn settle(&mut self, orders: &mut Vec<Order>) {
        if !self.project.is_active() {
            self.waits.clear();
            return;
        }
        // Whoever waits for several things that are over hears of all of them at once.
        let mut news: BTreeMap<String, (Vec<String>, Option<Rect>)> = BTreeMap::new();
        let mut kept = Vec::new();
        for wait in std::mem::take(&mut self.waits) {
            let Some((message, bounds)) = self.hopeless(&wait) else {
                kept.push(wait);
                continue;
            };
            let (words, around) = news.entry(wait.fairy).or_default();
            words.push(message);
            *around = match (*around, bounds) {
                (Some(all), Some(one)) => Some(all.union(&one)),
                (all, one) => all.or(one),
            };
        }
        self.waits = kept;
        for (fairy, (words, bounds)) in news {
            orders.extend(self.wake(&fairy, words.join("\n"), bounds));
        }
    }

    /// Why a wait is over without being met; none: it may still be.
    fn hopeless(&self, wait: &Wait) -> Option<(String, Option<Rect>)> {
        let why = match &wait.on {
            WaitOn::TaskCompleted { task } => match self.job(task) {
                None => (format!("The task you waited for ({task}) is gone."), None),
                Some(job) if job.status == Status::Todo => (
                    format!(
                        "Nobody works on the task \"{}\" ({}) any more: direct a fairy to it again, or delete it.",
                        self.handle(task),
                        job.title
                    ),
                    job.bounds,
                ),
                Some(job) if job.status == Status::Done => self.told_of(&job.id),
                Some(job) => {
                    let who = job.assignee.as_deref().unwrap_or_default();
                    let late = format!(
                        "The task \"{}\" ({}) is not done in time; {} still works on it. Await it again, or delete it.",
                        self.handle(task),
                        job.title,
                        self.name(who)
                    );
                    return self.is_over(wait).then_some((late, job.bounds));
                }
            },
            WaitOn::ModeTransition { fairy, .. } if self.project.member(fairy).is_none() => (
                format!("{} is no longer in the project.", self.name(fairy)),
                None,
            ),
            WaitOn::ModeTransition { fairy, .. } if *fairy == wait.fairy => {
                ("You cannot wait for yourself.".to_owned(), None)
            }
            WaitOn::ModeTransition { .. } | WaitOn::Custom { .. } if !self.is_over(wait) => {
                return None;
            }
            WaitOn::ModeTransition { fairy, mode } => {
                let now = self
                    .faces
                    .get(fairy)
                    .map_or("gone", |face| face.mode.name());
                let name = self.name(fairy);
                (
                    format!("{name} was not {} in time; it is {now}.", mode.name()),
                    None,
                )
            }
            WaitOn::Custom { name, .. } => (
                format!("What you waited for did not come in time: {name}."),
                None,
            ),
        };
        Some(why)
    }

    fn is_over(&self, wait: &Wait) -> bool {
        wait.until.is_some_and(|until| until <= self.now)
    }

    /// Nobody works on a task any more that is not done.
    pub(super) fn give_back(&mut self, id: &str) {
        self.project.progress.taken.remove(id);
        *self
            .project
            .progress
            .tries
            .entry(id.to_owned())
            .or_default() += 1;
        if let Some(job) = self.job_mut(id) {
            job.status = Status::Todo;
            job.assignee = None;
        }
    }

    /// The project is over. Whoever is still at work for it rests; `but` sees to itself.
    pub(super) fn end(
        &mut self,
        status: ProjectStatus,
        words: &str,
        but: Option<&str>,
        orders: &mut Vec<Order>,
    ) {
        let account = self.account();
        self.project.status = status;
        self.project.ended_at = Some(self.now);
        self.project.summary = Some(match words {
            "" => account,
            words => format!("{words} {account}"),
        });
        self.waits.clear();
        self.project.progress.taken.clear();
        for job in &mut self.jobs {
            if job.status == Status::InProgress {
                job.status = Status::Todo;
                job.assignee = None;
            }
        }
        for member in &self.project.members {
            if but != Some(member.fairy.as_str()) {
                orders.push(Order::Rest {
                    fairy: member.fairy.clone(),
                    mode: Mode::Idling,
                });
            }
        }
    }
}
