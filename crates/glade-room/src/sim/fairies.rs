//! Fairies: runs with actions, fences, undo and keep.

use std::collections::BTreeSet;

use glade_access::Capability;
use glade_doc::{Counter, Edit, ElementId, PeerId, RollbackRequest, RunId, RunTag};
use rand::Rng;

use super::live_room::Expected;
use super::world::World;
use super::{Breach, MAIN, act};
use crate::input::Call;
use crate::seats::FairySession;

pub struct Fairy {
    pub id: String,
    capability: Capability,
    session: Option<FairySession>,
    run: Option<RunId>,
    action: u32,
}

pub struct Run {
    pub fate: Fate,
    /// Elements that it made.
    pub made: BTreeSet<ElementId>,
    /// Every element that it wrote, bound to or labelled.
    pub targets: BTreeSet<ElementId>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    Running,
    Pending,
    Kept,
    Undone,
}

impl Fairy {
    pub fn new(n: usize) -> Self {
        Self {
            id: format!("fy_{n}"),
            capability: Capability::local("main", &format!("fairy:fy_{n}")).unwrap(),
            session: None,
            run: None,
            action: 0,
        }
    }
}

impl World {
    pub fn fairy_step(&mut self) -> Result<(), Breach> {
        let which = self.rng.random_range(0..self.fairies.len());
        let drawn = self.rng.random_range(0..100);
        let (session, run) = match (&self.fairies[which].session, &self.fairies[which].run) {
            (Some(session), Some(run)) => (session.clone(), run.clone()),
            _ => return self.start_run(which),
        };
        match drawn {
            0..70 => self.fairy_commit(which, &session, &run),
            70..85 => {
                self.ask(MAIN, Call::EndAction { session }, Expected::Done);
                self.fairies[which].action += 1;
                self.outputs()
            }
            85..90 => {
                let action = self.fairies[which].action;
                self.note(|| format!("fairy {which} reverts action {action} of {run}"));
                let revert = Call::RevertAction {
                    session,
                    run,
                    action,
                };
                self.ask(MAIN, revert, Expected::Done);
                self.fairies[which].action += 1;
                self.outputs()
            }
            90..94 => self.stop(which),
            94..97 => {
                self.ask(MAIN, Call::EndAction { session }, Expected::Done);
                self.end_run(which);
                self.outputs()
            }
            _ => self.settle_one(),
        }
    }

    fn start_run(&mut self, which: usize) -> Result<(), Breach> {
        let id = self.fairies[which].id.clone();
        let capability = self.fairies[which].capability.clone();
        let peer = self.fresh_peer(&capability.subject.clone());
        let seat = Call::Seat {
            fairy: id.clone(),
            capability: Box::new(capability),
            peer,
        };
        self.ask(MAIN, seat, Expected::Answer);
        let session = self.rooms[MAIN].core.seats.session(&id).unwrap();
        let run = RunId::from(format!("run_{}", self.number()));
        self.note(|| format!("fairy {which} begins {run}"));
        let begin = Call::BeginRun {
            session: session.clone(),
            run: run.clone(),
            asker: None,
        };
        self.ask(MAIN, begin, Expected::Done);
        let new = Run {
            fate: Fate::Running,
            made: BTreeSet::new(),
            targets: BTreeSet::new(),
        };
        self.runs.insert(run.clone(), new);
        let fairy = &mut self.fairies[which];
        (fairy.session, fairy.run, fairy.action) = (Some(session), Some(run), 1);
        self.outputs()
    }

    fn fairy_commit(
        &mut self,
        which: usize,
        session: &FairySession,
        run: &RunId,
    ) -> Result<(), Breach> {
        let (fresh, token) = (self.name(), self.token(0xac00));
        let act = act::random_of_fairy(
            self.rooms[MAIN].core.document.doc(),
            &mut self.rng,
            &fresh,
            token,
        );
        let tag = RunTag {
            run: run.clone(),
            step: 1,
            action: self.fairies[which].action,
        };
        let edits = act.on(self.rooms[MAIN].core.document.doc());
        self.note(|| {
            format!(
                "fairy {which} does {act:?} in action {} of {run}",
                tag.action
            )
        });
        let known = self.runs.get_mut(run).unwrap();
        known.targets.extend(act.targets());
        if act.targets().contains(&ElementId::from(fresh.as_str())) {
            known.made.insert(fresh.as_str().into());
        }
        let commit = commit(session, tag, edits);
        let asked = self.ask(MAIN, commit, Expected::Answer);
        let taken = Expected::Taken(session.peer, self.next_counter(session.peer));
        self.rooms[MAIN].expect(asked, taken);
        self.outputs()
    }

    fn next_counter(&self, peer: PeerId) -> Counter {
        let doc = self.rooms[MAIN].core.document.doc();
        doc.next_counter(peer)
    }

    fn stop(&mut self, which: usize) -> Result<(), Breach> {
        let id = self.fairies[which].id.clone();
        self.note(|| format!("fairy {which} is stopped"));
        let old = self.fairies[which].session.clone();
        let fence = Call::Fence { fairy: id };
        self.ask(MAIN, fence, Expected::Answer);
        if let (Some(old), Some(run)) = (old, self.fairies[which].run.clone()) {
            let tag = RunTag {
                run,
                step: 1,
                action: self.fairies[which].action,
            };
            let late = vec![act::put("late".into(), serde_json::json!({ "x": 1 }))];
            self.ask(MAIN, commit(&old, tag, late), Expected::Fenced);
        }
        let server = self.rooms[MAIN].core.server_peer;
        let safe = Expected::Safe(server, self.next_counter(server));
        self.ask(MAIN, Call::Settle, safe);
        self.end_run(which);
        self.outputs()
    }

    fn end_run(&mut self, which: usize) {
        if let Some(run) = self.fairies[which].run.take() {
            let run = self.runs.get_mut(&run).unwrap();
            run.fate = Fate::Pending;
        }
    }

    fn settle_one(&mut self) -> Result<(), Breach> {
        let pending: Vec<RunId> = self
            .runs
            .iter()
            .filter(|(_, run)| run.fate == Fate::Pending)
            .map(|(id, _)| id.clone())
            .collect();
        if pending.is_empty() {
            return Ok(());
        }
        let id = pending[self.rng.random_range(0..pending.len())].clone();
        match self.rng.random_range(0..3) {
            0 => {
                self.note(|| format!("{id} is kept"));
                let keep = Call::KeepPart(RollbackRequest::whole(id.clone()));
                self.ask(MAIN, keep, Expected::Answer);
                self.runs.get_mut(&id).unwrap().fate = Fate::Kept;
            }
            1 => {
                let part: BTreeSet<ElementId> = self.rooms[MAIN]
                    .core
                    .document
                    .guarded
                    .touched_elements(&id)
                    .into_iter()
                    .step_by(2)
                    .collect();
                self.note(|| format!("a part of {id} is undone: {part:?}"));
                let part = RollbackRequest::part(id.clone(), None, Some(part));
                self.ask(MAIN, Call::UndoPart(part), Expected::Answer);
            }
            _ => self.undo(&id),
        }
        let server = self.rooms[MAIN].core.server_peer;
        let safe = Expected::Safe(server, self.next_counter(server));
        self.ask(MAIN, Call::Settle, safe);
        self.outputs()
    }

    fn undo(&mut self, id: &RunId) {
        self.note(|| format!("{id} is undone"));
        let whole = RollbackRequest::whole(id.clone());
        self.ask(MAIN, Call::UndoPart(whole), Expected::Answer);
        self.runs.get_mut(id).unwrap().fate = Fate::Undone;
    }

    /// The host wakes: runs that were under way are taken back, as it does.
    pub fn after_crash(&mut self) -> Result<(), Breach> {
        for fairy in &mut self.fairies {
            fairy.session = None;
            fairy.run = None;
        }
        let running: Vec<RunId> = self
            .runs
            .iter()
            .filter(|(_, run)| run.fate == Fate::Running)
            .map(|(id, _)| id.clone())
            .collect();
        for id in running {
            self.undo(&id);
        }
        self.outputs()
    }

    pub fn stop_all(&mut self) -> Result<(), Breach> {
        for which in 0..self.fairies.len() {
            self.stop(which)?;
        }
        Ok(())
    }

    /// Undoes every run that nobody kept. A crash may have taken an earlier undo back.
    pub fn undo_all(&mut self) -> Result<(), Breach> {
        let runs: Vec<RunId> = self
            .runs
            .iter()
            .filter(|(_, run)| run.fate != Fate::Kept)
            .map(|(id, _)| id.clone())
            .collect();
        for id in runs {
            self.undo(&id);
        }
        self.outputs()
    }
}

fn commit(session: &FairySession, tag: RunTag, edits: Vec<Edit>) -> Call {
    Call::Commit {
        session: session.clone(),
        tag,
        tool: "create".to_owned(),
        edits,
    }
}
