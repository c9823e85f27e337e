//! What happens to a project from outside, and what follows from it.

use std::collections::BTreeSet;

use super::board::{Board, Face};
use super::order::Order;
use super::project::{Job, ProjectStatus, Raised, Spending};
use crate::agenda::Status;
use crate::mode::Mode;
use crate::waits::Happening;

/// Why a member leaves its project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaving {
    /// A person stopped it.
    Stopped,
    /// A person sent it to sleep, elsewhere, or away for good.
    Taken,
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq)]
pub enum News {
    /// A member is in another mode; `why` if it did not go there by itself.
    Mode {
        fairy: String,
        mode: Mode,
        why: Option<String>,
    },
    /// A person took a member out.
    Left { fairy: String, why: Leaving },
    /// A person changed a task.
    JobChanged(Job),
    /// A person deleted a task.
    JobGone { task: String },
    /// A person, or something outside, says that something has happened.
    Raised(Raised),
    /// A member used this much.
    Spent(Spending),
    /// An order could not be carried out.
    Undelivered { fairy: String, why: String },
    /// A person ended the project.
    Disbanded,
    /// The host came back: these members have a run under way.
    Restarted { at_work: BTreeSet<String> },
    /// Time passed.
    Tick,
}

impl Board {
    /// Takes in what happened.
    pub fn happened(&mut self, news: News) -> Vec<Order> {
        let mut orders = Vec::new();
        if !self.project.is_active() {
            return orders;
        }
        match news {
            News::Mode { fairy, mode, why } => self.went(&fairy, mode, why, &mut orders),
            News::Left { fairy, why } => self.left(&fairy, why, &mut orders),
            News::JobChanged(job) => self.changed(job, &mut orders),
            News::JobGone { task } => {
                let worker = self
                    .job(&task)
                    .filter(|job| job.status == Status::InProgress);
                if let Some(fairy) = worker.and_then(|job| job.assignee.clone()) {
                    orders.extend(self.stand_by(&fairy));
                }
                self.remove(&task);
            }
            News::Raised(raised) => self.raise(raised, &mut orders),
            News::Spent(spent) => self.spent(spent, &mut orders),
            News::Undelivered { fairy, why } => self.undelivered(&fairy, &why, &mut orders),
            News::Disbanded => {
                let words = "Disbanded by a person.";
                self.end(ProjectStatus::Disbanded, words, None, &mut orders);
            }
            News::Restarted { at_work } => self.restarted(&at_work, &mut orders),
            News::Tick => {}
        }
        self.settle(&mut orders);
        orders
    }

    fn went(&mut self, fairy: &str, mode: Mode, why: Option<String>, orders: &mut Vec<Order>) {
        let Some(member) = self.project.member(fairy).cloned() else {
            return;
        };
        if let Some(face) = self.faces.get_mut(fairy) {
            face.mode = mode;
        }
        let current = self.job_of(fairy).map(|job| job.id.clone());
        if mode == member.role.working() {
            self.project.progress.taken.extend(current);
        } else if let Some(id) = current.filter(|id| self.project.progress.taken.contains(id)) {
            let title = self
                .job(&id)
                .map_or_else(String::new, |job| job.title.clone());
            let (bounds, handle) = (
                self.job(&id).and_then(|job| job.bounds),
                self.handle(&id).to_owned(),
            );
            self.give_back(&id);
            let reason = why
                .clone()
                .unwrap_or_else(|| "it left the task unfinished".to_owned());
            let words = format!(
                "{} gave the task \"{handle}\" ({title}) back: {reason}.",
                self.name(fairy)
            );
            self.tell_leader(fairy, words, bounds, orders);
        }
        if member.role.leads() {
            let leads = [
                member.role.active(),
                member.role.waiting(),
                member.role.working(),
            ];
            if leads.contains(&mode) {
                self.project.progress.led = true;
            } else if self.project.progress.led {
                let words = match why {
                    Some(why) => format!("{} could not go on: {why}.", self.name(fairy)),
                    None => format!("{} gave up.", self.name(fairy)),
                };
                self.end(ProjectStatus::Failed, &words, Some(fairy), orders);
                return;
            }
        }
        let what = Happening::ModeTransition {
            fairy: fairy.to_owned(),
            mode,
        };
        self.announce(&what, orders);
    }

    /// News for the orchestrator that make its waits for the same thing superfluous.
    fn tell_leader(
        &mut self,
        about: &str,
        words: String,
        bounds: Option<glade_canvas::Rect>,
        orders: &mut Vec<Order>,
    ) {
        let Some(leader) = self.project.leader().map(|one| one.fairy.clone()) else {
            return;
        };
        if leader == about {
            return;
        }
        // Whoever waits for a task that is nobody's any more hears of it here, once.
        let jobs = &self.jobs;
        self.waits.retain(|wait| {
            let gone = |task: &str| {
                let job = jobs.iter().find(|job| job.id == task);
                job.is_none_or(|job| job.status == Status::Todo)
            };
            match &wait.on {
                crate::waits::WaitOn::TaskCompleted { task } if wait.fairy == leader => !gone(task),
                _ => true,
            }
        });
        orders.extend(self.wake(&leader, words, bounds));
    }

    fn left(&mut self, fairy: &str, why: Leaving, orders: &mut Vec<Order>) {
        let Some(member) = self.project.member(fairy).cloned() else {
            return;
        };
        if member.role.leads() {
            let words = match why {
                Leaving::Stopped => "Disbanded: a person stopped its orchestrator.",
                Leaving::Taken => "Disbanded: a person took its orchestrator away.",
            };
            return self.end(ProjectStatus::Disbanded, words, None, orders);
        }
        let job = self.job_of(fairy).cloned();
        if let Some(job) = &job {
            self.give_back(&job.id);
        }
        self.project.members.retain(|one| one.fairy != fairy);
        self.project.former.insert(fairy.to_owned(), self.now);
        // What it was to do later is nobody's now.
        for job in &mut self.jobs {
            if job.status == Status::Todo && job.assignee.as_deref() == Some(fairy) {
                job.assignee = None;
            }
        }
        self.waits.retain(|wait| wait.fairy != fairy);
        let name = self.name(fairy).to_owned();
        let back = job.as_ref().map_or_else(String::new, |job| {
            format!(
                " and gave the task \"{}\" ({}) back",
                self.handle(&job.id),
                job.title
            )
        });
        let words = match why {
            Leaving::Stopped => {
                format!("A person stopped {name}: it left the project{back}.")
            }
            Leaving::Taken => format!("A person took {name} out of the project{back}."),
        };
        let bounds = job.and_then(|job| job.bounds);
        self.tell_leader(fairy, words, bounds, orders);
    }

    fn changed(&mut self, job: Job, orders: &mut Vec<Order>) {
        let Some(known) = self.job_mut(&job.id) else {
            return;
        };
        let before = std::mem::replace(known, job.clone());
        let worker = |job: &Job| {
            let at_work = job.status == Status::InProgress;
            job.assignee.clone().filter(|_| at_work)
        };
        let (was, is) = (worker(&before), worker(&job));
        if was == is {
            let moved = before.bounds != job.bounds || before.page != job.page;
            if let Some(fairy) = is.filter(|_| moved) {
                orders.push(Order::Rescope { fairy });
            }
            return;
        }
        if let Some(fairy) = was {
            self.project.progress.taken.remove(&job.id);
            orders.extend(self.stand_by(&fairy));
        }
        if let Some(fairy) = is {
            // A person gives it to a member that is free; anybody else's hands are not ours to move.
            let free = self
                .jobs
                .iter()
                .filter(|one| worker(one).as_deref() == Some(&fairy))
                .count()
                == 1;
            match self.project.member(&fairy).cloned().filter(|_| free) {
                Some(member) if !member.role.leads() => orders.push(self.work(&member, &job)),
                _ => self.unassign(&job.id),
            }
        }
        if job.status == Status::Done && before.status != Status::Done {
            self.announce(&Happening::TaskCompleted { task: job.id }, orders);
        }
    }

    fn unassign(&mut self, id: &str) {
        if let Some(job) = self.job_mut(id) {
            job.status = Status::Todo;
            job.assignee = None;
        }
    }

    fn stand_by(&self, fairy: &str) -> Option<Order> {
        let member = self.project.member(fairy)?;
        if member.role.leads() {
            let words = "A person took your task away: go on with the project.".to_owned();
            return self.wake(fairy, words, None);
        }
        Some(Order::Rest {
            fairy: fairy.to_owned(),
            mode: Mode::StandingBy,
        })
    }

    fn spent(&mut self, spent: Spending, orders: &mut Vec<Order>) {
        let cost = &mut self.project.cost;
        cost.input_tokens += spent.input_tokens;
        cost.output_tokens += spent.output_tokens;
        cost.usd += spent.usd;
        cost.steps += spent.steps;
        let (cost, budget) = (*cost, self.project.budget);
        let over = if cost.steps >= budget.steps {
            format!(
                "The project has made {} requests, as many as it may.",
                cost.steps
            )
        } else if cost.input_tokens + cost.output_tokens >= budget.tokens {
            format!(
                "The project has used {} tokens, as many as it may.",
                budget.tokens
            )
        } else if cost.usd >= budget.usd {
            format!("The project has cost ${:.2}, as much as it may.", cost.usd)
        } else {
            return;
        };
        self.end(ProjectStatus::Failed, &over, None, orders);
    }

    fn undelivered(&mut self, fairy: &str, why: &str, orders: &mut Vec<Order>) {
        let Some(member) = self.project.member(fairy).cloned() else {
            return;
        };
        if member.role.leads() {
            let words = format!("{} could not be reached: {why}.", self.name(fairy));
            return self.end(ProjectStatus::Failed, &words, Some(fairy), orders);
        }
        let Some(job) = self.job_of(fairy).cloned() else {
            return;
        };
        self.give_back(&job.id);
        let words = format!(
            "{} could not begin the task \"{}\" ({}): {why}.",
            self.name(fairy),
            self.handle(&job.id),
            job.title
        );
        self.tell_leader(fairy, words, job.bounds, orders);
    }

    /// Everyone who should be at work is set on it again; nobody twice.
    fn restarted(&mut self, at_work: &BTreeSet<String>, orders: &mut Vec<Order>) {
        for member in &self.project.members {
            let mode = self.faces.get(&member.fairy).map(|face| face.mode);
            // A run for a person is no work for the project: an order lost with the crash still stands.
            if at_work.contains(&member.fairy) && mode.is_some_and(Mode::is_of_a_project) {
                continue;
            }
            if let Some(job) = self.job_of(&member.fairy) {
                orders.push(self.work(member, job));
                continue;
            }
            if !member.role.leads() {
                if mode.is_none_or(|mode| !mode.serves_a_person() && mode != Mode::StandingBy) {
                    orders.push(Order::Rest {
                        fairy: member.fairy.clone(),
                        mode: Mode::StandingBy,
                    });
                }
            } else if !self.project.progress.led {
                orders.push(self.lead(member));
            } else if let Some(nudge) = self.nudge(&member.fairy) {
                orders.extend(self.wake(&member.fairy, nudge, None));
            }
        }
    }

    /// How a member looks from now on.
    pub fn meet(&mut self, fairy: &str, name: &str, mode: Mode) {
        let face = Face {
            name: name.to_owned(),
            mode,
        };
        self.faces.insert(fairy.to_owned(), face);
    }
}
