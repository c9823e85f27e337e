//! Beginning to wait, and saying what others may wait for.

use std::collections::BTreeMap;

use serde_json::Value;

use super::board::Board;
use super::order::Order;
use super::project::{Member, Raised};
use crate::action::Refusal;
use crate::agenda::Status;
use crate::mode::Mode;
use crate::waits::{self, Happening, Wait, WaitOn};

/// Events that nobody has waited for yet; older ones are forgotten.
const MOST_UNHEARD: usize = 50;

/// The modes that a member can get into that does not lead.
const OF_A_HAND: [Mode; 7] = [
    Mode::StandingBy,
    Mode::WorkingDrone,
    Mode::Idling,
    Mode::OneShotting,
    Mode::Pausing,
    Mode::Soloing,
    Mode::WorkingSolo,
];

impl Board {
    fn begin_to_wait(&mut self, by: &str, on: WaitOn, within_ms: Option<i64>) {
        let wait = Wait {
            fairy: by.to_owned(),
            on,
            // However long a fairy means to wait, it is never longer than the rules allow.
            until: Some(
                self.now + within_ms.map_or(self.rules.wait_ms, |ms| ms.min(self.rules.wait_ms)),
            ),
        };
        waits::add(&mut self.waits, wait);
    }

    pub(super) fn wait_for_tasks(&mut self, by: &str, tasks: &[String]) -> Result<(), Refusal> {
        let mut found = Vec::new();
        for task in tasks {
            let job = self.known(task)?;
            match job.status {
                Status::Done => {}
                Status::InProgress if job.assignee.as_deref() == Some(by) => {
                    return Err(Refusal::new(format!(
                        "you cannot wait for yourself: the task \"{task}\" is yours"
                    )));
                }
                Status::InProgress => found.push(job.id),
                Status::Todo => {
                    return Err(Refusal::new(format!(
                        "nobody works on the task \"{task}\" yet: direct a fairy to it first"
                    )));
                }
            }
        }
        if found.is_empty() {
            return Err(Refusal::new(if tasks.is_empty() {
                "name the tasks to wait for in taskIds"
            } else {
                "there is nothing to wait for: these tasks are done"
            }));
        }
        for task in found {
            self.begin_to_wait(by, WaitOn::TaskCompleted { task }, None);
        }
        Ok(())
    }

    pub(super) fn wait_for_mode(
        &mut self,
        me: &Member,
        fairy: &str,
        mode: Mode,
        within_ms: Option<i64>,
    ) -> Result<(), Refusal> {
        let hand = self.hand(me, fairy)?.fairy.clone();
        if hand == me.fairy {
            return Err(Refusal::new(
                "you cannot wait for yourself: wait for another fairy, or go on",
            ));
        }
        if !OF_A_HAND.contains(&mode) {
            let modes: Vec<&str> = OF_A_HAND.iter().map(|mode| mode.name()).collect();
            return Err(Refusal::new(format!(
                "{} will never be {}: it can be {}",
                self.name(&hand),
                mode.name(),
                modes.join(", ")
            )));
        }
        let now = self.faces.get(&hand).map(|face| face.mode);
        if now == Some(mode) {
            return Err(Refusal::new(format!(
                "{} is {} already: go on",
                self.name(&hand),
                mode.name()
            )));
        }
        self.begin_to_wait(
            &me.fairy,
            WaitOn::ModeTransition { fairy: hand, mode },
            within_ms,
        );
        Ok(())
    }

    /// Waits for an event; one that was raised before anybody waited for it has come already.
    pub(super) fn wait_for_event(
        &mut self,
        by: &str,
        name: &str,
        matching: &BTreeMap<String, Value>,
        within_ms: Option<i64>,
        orders: &mut Vec<Order>,
    ) {
        let on = WaitOn::Custom {
            name: name.to_owned(),
            matching: matching.clone(),
        };
        self.begin_to_wait(by, on.clone(), within_ms);
        let unheard = &mut self.project.progress.unheard;
        let came = unheard
            .iter()
            .position(|raised| on.is_met_by(&raised.happening()));
        if let Some(at) = came {
            let raised = unheard.remove(at);
            self.announce(&raised.happening(), orders);
        }
    }

    /// Something that a fairy or a person says has happened.
    pub(super) fn raise(&mut self, raised: Raised, orders: &mut Vec<Order>) {
        let before = self.waits.len();
        self.announce(&raised.happening(), orders);
        if self.waits.len() == before {
            let unheard = &mut self.project.progress.unheard;
            if unheard.len() >= MOST_UNHEARD {
                unheard.remove(0);
            }
            unheard.push(raised);
        }
    }
}

impl Raised {
    fn happening(&self) -> Happening {
        Happening::Custom {
            name: self.name.clone(),
            data: self.data.clone(),
        }
    }
}
