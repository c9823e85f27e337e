//! What must hold once everything is quiet.

use std::collections::{BTreeMap, BTreeSet};

use glade_canvas::Scene;
use glade_doc::{ElementId, GuardedPage, PageDoc, Props, Touch};
use serde_json::Value;

use super::act::{container, ties, words};
use super::client::of;
use super::disk::Event;
use super::fairies::Fate;
use super::hostile::EVIL;
use super::live_room::{Expected, open};
use super::world::World;
use super::{Breach, MAIN, ROOMS};
use crate::input::Call;
use crate::merging::SERVER;
use crate::output::{Record, UndoReport};

impl World {
    pub fn laws(&mut self) -> Result<(), Breach> {
        for n in 0..ROOMS {
            self.ask(n, Call::Show, Expected::Done);
            self.outputs()?;
            let document = &mut self.rooms[n].core.document;
            if let Some(replica) = document.replica.caught_up() {
                same("the fairies' replica", replica, document.guarded.doc())?;
            }
            let core = &self.rooms[n].core;
            let room = core.document.doc();
            for person in 0..self.people() {
                let client = &self.clients[Self::client(person, n)];
                same(&format!("person {person}"), &client.doc, room)?;
            }
            let stored = open(self.disk.synced[n].opening(1))?;
            same("the disk", stored.document.doc(), room)?;
            let scene = core.scene().read().unwrap().clone();
            demand(scene == Scene::from_doc(room), || {
                "the scene is not the document's".to_owned()
            })?;
            self.touches(n)?;
            self.no_evil(room)?;
            self.every_character_once(n, room)?;
            self.everyone_is_seen(n)?;
        }
        self.tabs_show_their_rooms()
    }

    /// Whatever an undo left, it left for somebody who has written here.
    pub fn kept_for_somebody(&self, report: &UndoReport) -> Result<(), Breach> {
        for kept in &report.kept {
            let known = kept.by == SERVER || self.owners.values().any(|owner| *owner == kept.by);
            demand(known, || format!("an undo left {kept:?}"))?;
        }
        Ok(())
    }

    fn touches(&self, n: usize) -> Result<(), Breach> {
        let rows = |page: &GuardedPage| -> Vec<Touch> {
            let mut rows: Vec<Touch> = page.touches().cloned().collect();
            rows.sort_by_key(Touch::key);
            rows
        };
        let mut stored = self.disk.synced[n].touches();
        stored.sort_by_key(Touch::key);
        let live = rows(&self.rooms[n].core.document.guarded);
        demand(stored == live, || {
            let only = |a: &[Touch], b: &[Touch]| -> Vec<Touch> {
                a.iter().filter(|row| !b.contains(row)).cloned().collect()
            };
            format!(
                "stored touches differ: only stored {:#?}, only live {:#?}",
                only(&stored, &live),
                only(&live, &stored)
            )
        })
    }

    fn no_evil(&self, room: &PageDoc) -> Result<(), Breach> {
        let elements = room.elements();
        let evil = elements
            .iter()
            .any(|(id, props)| id.as_str() == EVIL || props.get("link") == Some(&EVIL.into()));
        // Whoever may not reword a comment has not: it still begins with its author's name.
        let forged = room.comments().into_iter().any(|(_, said)| {
            let text = |name: &str| said.get(name).and_then(Value::as_str).unwrap_or_default();
            !text("text").starts_with(text("author"))
        });
        demand(!evil && !forged, || {
            "an unauthorised update was merged".to_owned()
        })?;
        demand(!elements.contains_key(&ElementId::from("late")), || {
            "a fenced fairy's edit was merged".to_owned()
        })
    }

    /// What was acknowledged is there, and nothing is there twice.
    fn every_character_once(&self, n: usize, room: &PageDoc) -> Result<(), Breach> {
        for person in 0..self.people() {
            let client = &self.clients[Self::client(person, n)];
            for (token, id) in &client.saved {
                let found = words(room, id).chars().filter(|c| c == token).count();
                demand(found == 1, || {
                    format!(
                        "person {person} typed {token} into {id} once; it is there {found} times"
                    )
                })?;
            }
        }
        let mut seen = BTreeSet::new();
        for id in room.elements().keys() {
            for token in words(room, id).chars() {
                demand(seen.insert(token), || {
                    format!("{token} in {id} was typed once and is there twice")
                })?;
            }
        }
        Ok(())
    }

    /// Joins and refusals that somebody was told of are on record.
    pub fn nothing_untold(&self) -> Result<(), Breach> {
        let (mut joins, mut refusals) = (0, 0);
        for event in &self.disk.history {
            let Event::Write { records, .. } = event else {
                continue;
            };
            for record in records {
                joins += u64::from(matches!(record, Record::Joined { .. }));
                refusals += u64::from(matches!(record, Record::Refused { .. }));
            }
        }
        demand(joins >= self.told.joins, || {
            format!("{joins} of {} joins are on record", self.told.joins)
        })?;
        demand(refusals >= self.told.refusals, || {
            let told = self.told.refusals;
            format!("{refusals} of {told} refusals are on record")
        })
    }

    /// After the undo of all runs: what they made is gone, unless somebody else has a part in it or it
    /// belongs to what stays.
    pub fn undone(&self) -> Result<(), Breach> {
        let elements = self.rooms[MAIN].core.document.doc().elements();
        let live: BTreeMap<&ElementId, &Props> = elements
            .iter()
            .filter(|(_, props)| props.get("isDeleted") != Some(&Value::Bool(true)))
            .collect();
        let stays = self.may_stay(&live);
        for (id, run) in self.runs.iter().filter(|(_, run)| run.fate == Fate::Undone) {
            let outlived = |made: &&ElementId| live.contains_key(made) && !stays.contains(made);
            if let Some(element) = run.made.iter().find(outlived) {
                return Err(Breach(format!("{element} of {id} outlived its undo")));
            }
        }
        Ok(())
    }

    /// What others than the undone runs touched, what that is bound to, and the labels that one run made
    /// with what they are on.
    fn may_stay<'a>(&'a self, live: &BTreeMap<&'a ElementId, &Props>) -> BTreeSet<ElementId> {
        let kept = self.runs.values().filter(|run| run.fate == Fate::Kept);
        let mut waiting: Vec<ElementId> = self
            .clients
            .iter()
            .step_by(ROOMS)
            .flat_map(|client| &client.touched)
            .chain(self.tabs.touched(MAIN))
            .chain(kept.flat_map(|run| &run.targets))
            .cloned()
            .collect();
        let made_together = |a: &ElementId, b: &ElementId| {
            let mut runs = self.runs.values();
            runs.any(|run| run.made.contains(a) && run.made.contains(b))
        };
        let mut stays = BTreeSet::new();
        while let Some(id) = waiting.pop() {
            if !stays.insert(id.clone()) {
                continue;
            }
            let Some(props) = live.get(&id) else { continue };
            waiting.extend(ties(props));
            let labels = live.iter().filter(|(label, props)| {
                container(props).as_ref() == Some(&id) && made_together(label, &id)
            });
            waiting.extend(labels.map(|(label, _)| (*label).clone()));
        }
        stays
    }
}

pub fn same(who: &str, doc: &PageDoc, room: &PageDoc) -> Result<(), Breach> {
    demand(of(doc) == of(room), || {
        format!("{who} is at {:?}, the room at {:?}", of(doc), of(room))
    })?;
    demand(doc.elements() == room.elements(), || {
        format!("{who} shows something else than the room")
    })?;
    demand(doc.comments() == room.comments(), || {
        format!("{who} reads other comments than the room")
    })
}

pub fn demand(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), Breach> {
    if holds {
        return Ok(());
    }
    Err(Breach(otherwise()))
}
