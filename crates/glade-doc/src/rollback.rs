//! Rollback: one function for the cancel of a partial action, the undo of a run or a part of it,
//! and recovery after a crash.
//!
//! First a plan is made, which changes the index but not the document; then it is carried out as one commit of the
//! server's. Should that fail the index is as it was.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::dependents::{Held, LiveReferences, ReferenceIndex, Registers, held_of};
use crate::edit::write_register;
use crate::marks;
use crate::observe::Before;
use crate::schema::{IS_DELETED, TEXT};
use crate::texts::{self, TextOp, TextPlan};
use crate::touch::{MarkedSpan, Over, TouchKind};
use crate::touch_index::TouchIndex;
use crate::value::same_value;
use crate::{Commit, DocError, ElementId, PageDoc, PeerId, RunId, Touch, TouchKey};

/// What to take back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RollbackRequest {
    pub run: RunId,
    /// `None`: the whole run.
    pub actions: Option<RangeInclusive<u32>>,
    /// `None`: on all elements.
    pub elements: Option<BTreeSet<ElementId>>,
}

impl RollbackRequest {
    pub fn whole(run: RunId) -> Self {
        Self {
            run,
            actions: None,
            elements: None,
        }
    }

    /// Some actions, or some elements, or what these did to those.
    pub fn part(run: RunId, action: Option<u32>, elements: Option<BTreeSet<ElementId>>) -> Self {
        Self {
            run,
            actions: action.map(|action| action..=action),
            elements,
        }
    }

    /// The cancel of one action.
    pub fn action(run: RunId, action: u32) -> Self {
        Self {
            run,
            actions: Some(action..=action),
            elements: None,
        }
    }

    pub(crate) fn asks_for(&self, row: &Touch) -> bool {
        row.run == self.run
            && !row.is_orphaned()
            && self
                .actions
                .as_ref()
                .is_none_or(|actions| actions.contains(&row.action))
            && self
                .elements
                .as_ref()
                .is_none_or(|elements| elements.contains(&row.element))
    }
}

/// What stayed although it was asked to go, and for whom.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotUndone {
    pub what: ElementId,
    pub property: Option<String>,
    pub by: PeerId,
}

/// What a rollback did.
#[derive(Debug, Clone, PartialEq)]
pub struct RolledBack {
    /// `None` when the document already looked as it should.
    pub commit: Option<Commit>,
    pub undone: BTreeSet<ElementId>,
    pub kept: Vec<NotUndone>,
    /// Rows to store again.
    pub touches: Vec<Touch>,
    /// Rows to drop.
    pub forgotten: Vec<TouchKey>,
}

impl RolledBack {
    /// Rows of another index that changed with it.
    pub(crate) fn add(&mut self, (touches, forgotten): (Vec<Touch>, Vec<TouchKey>)) {
        self.touches.extend(touches);
        self.forgotten.extend(forgotten);
    }
}

/// All that a rollback will do.
pub(crate) struct Plan<'a> {
    registers: Registers,
    texts: BTreeMap<ElementId, TextPlan>,
    marks: BTreeMap<ElementId, Vec<MarkedSpan>>,
    undone: BTreeSet<ElementId>,
    kept: Vec<NotUndone>,
    /// Of those that runs had made.
    deleted: BTreeSet<ElementId>,
    /// The index as it will be, but for the new ids of retyped characters.
    touch_index: &'a mut TouchIndex,
    doc: &'a PageDoc,
    run: RunId,
    /// Whether what the run typed stops being marked as pending.
    ends_pending: bool,
}

/// What of a plan outlives it.
pub(crate) struct Planned {
    pub registers: Registers,
    /// Elements that runs had made and that go.
    pub deleted: BTreeSet<ElementId>,
}

pub(crate) fn plan<'a>(
    touch_index: &'a mut TouchIndex,
    doc: &'a PageDoc,
    request: &RollbackRequest,
    references: &mut Option<ReferenceIndex>,
) -> Plan<'a> {
    let asked: Vec<Touch> = touch_index
        .of_run(&request.run)
        .filter(|row| request.asks_for(row))
        .cloned()
        .collect();
    let made: BTreeSet<ElementId> = asked
        .iter()
        .filter(|row| matches!(row.kind, TouchKind::Created { .. }))
        .map(|row| row.element.clone())
        .collect();
    let mut plan = Plan {
        registers: BTreeMap::new(),
        texts: BTreeMap::new(),
        marks: BTreeMap::new(),
        undone: BTreeSet::new(),
        kept: Vec::new(),
        deleted: BTreeSet::new(),
        touch_index,
        doc,
        run: request.run.clone(),
        ends_pending: true,
    };
    let edited = || asked.iter().filter(|row| !made.contains(&row.element));
    plan.registers(edited(), doc);
    plan.texts(edited(), doc);
    plan.marks(edited());
    if !made.is_empty() || plan.touch_index.has_orphans() {
        let references = references.get_or_insert_with(|| ReferenceIndex::find(doc));
        let references = LiveReferences::new(doc, plan.registers.clone(), references);
        plan.creations(&made, &asked, &request.run, &references, doc);
        plan.orphans(&references, doc);
    }
    plan
}

impl Plan<'_> {
    /// Registers of elements that were there before.
    fn registers<'a>(&mut self, rows: impl Iterator<Item = &'a Touch>, doc: &PageDoc) {
        let mut registers: BTreeMap<(ElementId, String), BTreeSet<TouchKey>> = BTreeMap::new();
        for row in rows {
            let TouchKind::Register { over, .. } = row.kind else {
                continue;
            };
            if let Over::Peer(by) = over {
                self.touch_index.forget(&row.key());
                self.keep(row, by);
                continue;
            }
            registers
                .entry((row.element.clone(), row.property.clone()))
                .or_default()
                .insert(row.key());
        }
        for ((element, property), chosen) in registers {
            let mut layers = self.touch_index.layers(&element, &property);
            let outcome = layers.undo(&|key| chosen.contains(key));
            self.touch_index.set_layers(&element, &property, layers);
            for (key, by) in outcome.kept {
                self.kept.push(NotUndone {
                    what: key.element,
                    property: Some(key.property),
                    by,
                });
            }
            if let Some(before) = outcome.write {
                self.write(doc, &element, &property, before.unwrap_or(Value::Null));
            }
        }
    }

    fn keep(&mut self, row: &Touch, by: PeerId) {
        if !row.derived {
            self.kept.push(NotUndone {
                what: row.element.clone(),
                property: Some(row.property.clone()),
                by,
            });
        }
    }

    fn write(&mut self, doc: &PageDoc, element: &ElementId, property: &str, value: Value) {
        let same = doc
            .register(element, property)
            .is_some_and(|now| same_value(&now, &value));
        if !same {
            self.undone.insert(element.clone());
        }
        self.registers
            .insert((element.clone(), property.to_owned()), value);
    }

    fn texts<'a>(&mut self, rows: impl Iterator<Item = &'a Touch>, doc: &PageDoc) {
        let mut texts: BTreeMap<ElementId, BTreeSet<TouchKey>> = BTreeMap::new();
        for row in rows {
            if matches!(row.kind, TouchKind::Text { .. }) {
                texts
                    .entry(row.element.clone())
                    .or_default()
                    .insert(row.key());
            }
        }
        for (element, chosen) in texts {
            let mut rows = self.touch_index.text_rows(&element);
            let visible = texts::visible(doc.text(&element).as_ref());
            let plan = texts::plan_undo(texts::weave(&visible, &rows), &rows, &chosen);
            rows.retain(|key, _| !chosen.contains(key));
            self.touch_index.set_text_rows(&element, rows);
            if !plan.steps.is_empty() {
                self.undone.insert(element.clone());
            }
            self.texts.insert(element, plan);
        }
    }

    fn marks<'a>(&mut self, rows: impl Iterator<Item = &'a Touch>) {
        for row in rows {
            if let TouchKind::Marks { marked } = &row.kind {
                let known = self.marks.entry(row.element.clone()).or_default();
                known.extend(marked.iter().rev().cloned());
                self.undone.insert(row.element.clone());
                self.touch_index.forget(&row.key());
            }
        }
    }

    /// Elements that the run made: gone, or kept whole.
    fn creations(
        &mut self,
        made: &BTreeSet<ElementId>,
        asked: &[Touch],
        run: &RunId,
        references: &LiveReferences<'_>,
        doc: &PageDoc,
    ) {
        let live = made.iter().filter(|id| !doc.is_deleted(id));
        let live = live.map(|id| (id.clone(), run.clone())).collect();
        let mut held = held_of(self.touch_index, doc, references, &live, &BTreeSet::new());
        for id in made {
            match held.remove(id) {
                Some(held) => self.keep_whole(id, asked, held, doc),
                None => self.delete(id, doc),
            }
        }
    }

    fn delete(&mut self, id: &ElementId, doc: &PageDoc) {
        // Written even where it says so now: the plan may have been about to say otherwise.
        self.write(doc, id, IS_DELETED, Value::Bool(true));
        self.deleted.insert(id.clone());
        self.touch_index.forget_element(id);
    }

    fn keep_whole(&mut self, id: &ElementId, asked: &[Touch], held: Held, doc: &PageDoc) {
        let asked: BTreeSet<TouchKey> = asked
            .iter()
            .filter(|row| row.element == *id)
            .map(Touch::key)
            .collect();
        if doc.surface().has_styled_words() {
            // The block stays for whoever wrote in it; the run's own words go.
            let typed: Vec<Touch> = self.touch_index.of_element(id).cloned().collect();
            self.texts(typed.iter().filter(|row| asked.contains(&row.key())), doc);
        }
        let orphan = self.touch_index.creation(id).cloned();
        stand(self.touch_index, doc, &asked);
        if let Some(mut row) = orphan.filter(|_| !held.for_good) {
            if let TouchKind::Created { orphaned, .. } = &mut row.kind {
                *orphaned = true;
            }
            self.touch_index.put(row);
        }
        if !held.is_only_a_label {
            self.kept.push(NotUndone {
                what: id.clone(),
                property: Some(held.dependent.property).filter(|property| !property.is_empty()),
                by: held.dependent.by,
            });
        }
    }

    /// Elements of runs undone earlier that only another pending run was holding.
    fn orphans(&mut self, references: &LiveReferences<'_>, doc: &PageDoc) {
        let mut deleted: BTreeSet<ElementId> = self
            .registers
            .iter()
            .filter(|((_, property), value)| property == IS_DELETED && **value == Value::Bool(true))
            .map(|((id, _), _)| id.clone())
            .collect();
        loop {
            let orphans = orphans_but(self.touch_index, &deleted);
            let held = held_of(self.touch_index, doc, references, &orphans, &deleted);
            let free: Vec<&ElementId> = orphans
                .keys()
                .filter(|id| !held.contains_key(*id))
                .collect();
            if free.is_empty() {
                break;
            }
            for id in free {
                self.delete(id, doc);
                deleted.insert(id.clone());
            }
        }
        forget_held_orphans(self.touch_index, references, doc, &deleted);
    }

    /// What is taken back is an undo: the run's words go on being pending.
    pub(crate) fn still_pending(mut self) -> Self {
        self.ends_pending = false;
        self
    }

    pub(crate) fn planned(&self) -> Planned {
        Planned {
            registers: self.registers.clone(),
            deleted: self.deleted.clone(),
        }
    }

    /// What the plan will write, as it is before.
    pub(crate) fn before(&self) -> Before {
        Before::of(
            self.doc,
            self.registers.keys(),
            self.texts.keys(),
            self.marks.keys(),
        )
    }

    /// Carry the plan out as one commit.
    pub(crate) fn apply(mut self, doc: &PageDoc, author: PeerId) -> Result<RolledBack, DocError> {
        let run = self.run.clone();
        let commit = doc.write(author, None, doc.surface().root(), |_| {
            for ((id, property), value) in &self.registers {
                if let Some(map) = doc.map(id) {
                    write_register(&map, property, value)?;
                }
            }
            for (id, plan) in &self.texts {
                let Some(text) = doc.text(id) else { continue };
                for step in &plan.steps {
                    match step {
                        TextOp::Insert(at, words, wanted) => {
                            text.insert(*at, words)?;
                            if doc.surface().has_styled_words() {
                                marks::dress(&text, *at, words.chars().count(), wanted)?;
                            }
                        }
                        TextOp::Delete(at, length) => text.delete(*at, *length)?,
                    }
                }
                // Of a part, the rest of the run's words in this block goes on waiting.
                let done = !self.touch_index.of_element(id).any(|row| row.run == run);
                if doc.surface().has_styled_words() && done && self.ends_pending {
                    marks::settle(&text, run.as_str(), None)?;
                }
            }
            for (id, marked) in &self.marks {
                if let Some(text) = doc.text(id) {
                    marks::put_back(&text, marked)?;
                }
            }
            Ok(())
        })?;
        for (id, plan) in std::mem::take(&mut self.texts) {
            let mut rows = self.touch_index.text_rows(&id);
            texts::finish_undo(plan, &texts::visible(doc.text(&id).as_ref()), &mut rows);
            rows.retain(|_, row| !row.inserted.is_empty() || !row.deleted.is_empty());
            self.touch_index.set_text_rows(&id, rows);
        }
        let (touches, forgotten) = self.touch_index.take_changes();
        Ok(RolledBack {
            commit,
            undone: self.undone,
            kept: self.kept,
            touches,
            forgotten,
        })
    }
}

/// Let rows stand for good: their effects stay, and lie over everything below them.
pub(crate) fn stand(touch_index: &mut TouchIndex, doc: &PageDoc, chosen: &BTreeSet<TouchKey>) {
    let registers: BTreeSet<(&ElementId, &str)> = chosen
        .iter()
        .map(|key| (&key.element, key.property.as_str()))
        .collect();
    for (element, property) in registers {
        if property == TEXT {
            let mut rows = touch_index.text_rows(element);
            let visible = texts::visible(doc.text(element).as_ref());
            let items = texts::weave(&visible, &rows);
            texts::keep(items, &mut rows, chosen);
            touch_index.set_text_rows(element, rows);
            continue;
        }
        let mut layers = touch_index.layers(element, property);
        let covered = layers.keep(&|key| chosen.contains(key));
        // Covered rows leave the layers but not the index.
        for (key, by) in covered {
            touch_index.cover(&key, by);
        }
        touch_index.set_layers(element, property, layers);
    }
    for key in chosen {
        touch_index.forget(key);
    }
}

/// Orphans that somebody holds for good need no row any more.
pub(crate) fn forget_held_orphans(
    touch_index: &mut TouchIndex,
    references: &LiveReferences<'_>,
    doc: &PageDoc,
    deleted: &BTreeSet<ElementId>,
) {
    let orphans = orphans_but(touch_index, deleted);
    let held = held_of(touch_index, doc, references, &orphans, deleted);
    for id in held
        .iter()
        .filter(|(_, held)| held.for_good)
        .map(|(id, _)| id)
    {
        let key = touch_index.creation(id).map(Touch::key);
        if let Some(key) = key {
            touch_index.forget(&key);
        }
    }
}

/// What waits for another run since its own was undone, and does not go right now.
fn orphans_but(
    touch_index: &TouchIndex,
    deleted: &BTreeSet<ElementId>,
) -> BTreeMap<ElementId, RunId> {
    touch_index
        .orphaned()
        .filter(|row| !deleted.contains(&row.element))
        .map(|row| (row.element.clone(), row.run.clone()))
        .collect()
}
