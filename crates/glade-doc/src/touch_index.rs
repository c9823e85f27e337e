//! The touch index of one page: every row of every pending run, and which of them changed.

mod rows;

use std::collections::BTreeSet;

use crate::registers::{Layer, Layers};
use crate::schema::TEXT;
use crate::texts::{TextRow, TextRows};
use crate::touch::{Over, TouchKind};
use crate::{ElementId, PeerId, RunId, Touch, TouchKey};
use rows::Rows;

#[derive(Debug, Default)]
pub(crate) struct TouchIndex {
    rows: Rows,
    next_order: u64,
    dirty: BTreeSet<TouchKey>,
}

impl TouchIndex {
    pub(crate) fn from_rows(rows: Vec<Touch>) -> Self {
        let next_order = rows
            .iter()
            .filter_map(|row| match row.kind {
                TouchKind::Register { order, .. } => Some(order + 1),
                _ => None,
            })
            .max()
            .unwrap_or(0);
        Self {
            rows: rows.into_iter().collect(),
            next_order,
            dirty: BTreeSet::new(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Lets `change` change the index; where that fails it is as it was.
    pub(crate) fn try_changing<T, E>(
        &mut self,
        change: impl FnOnce(&mut Self) -> Result<T, E>,
    ) -> Result<T, E> {
        let (next_order, dirty) = (self.next_order, self.dirty.clone());
        self.rows.remember();
        let changed = change(self);
        match &changed {
            Ok(_) => self.rows.let_go(),
            Err(_) => {
                self.rows.restore();
                (self.next_order, self.dirty) = (next_order, dirty);
            }
        }
        changed
    }

    pub(crate) fn rows(&self) -> impl Iterator<Item = &Touch> {
        self.rows.all()
    }

    pub(crate) fn of_run(&self, run: &RunId) -> impl Iterator<Item = &Touch> {
        self.rows.of_run(run)
    }

    /// The rows of runs that were undone while another run was holding what they made.
    pub(crate) fn orphaned(&self) -> impl Iterator<Item = &Touch> {
        self.rows.orphaned()
    }

    pub(crate) fn has_orphans(&self) -> bool {
        self.orphaned().next().is_some()
    }

    pub(crate) fn get(&self, key: &TouchKey) -> Option<&Touch> {
        self.rows.get(key)
    }

    pub(crate) fn put(&mut self, row: Touch) {
        let key = row.key();
        if self.rows.get(&key) != Some(&row) {
            self.dirty.insert(key);
            self.rows.put(row);
        }
    }

    pub(crate) fn forget(&mut self, key: &TouchKey) {
        if self.rows.remove(key) {
            self.dirty.insert(key.clone());
        }
    }

    pub(crate) fn forget_element(&mut self, element: &ElementId) {
        for key in self.keys_of(element) {
            self.forget(&key);
        }
    }

    /// The rows to store and the rows to drop since this was last asked.
    pub(crate) fn take_changes(&mut self) -> (Vec<Touch>, Vec<TouchKey>) {
        let (mut changed, mut forgotten) = (Vec::new(), Vec::new());
        for key in std::mem::take(&mut self.dirty) {
            match self.rows.get(&key) {
                Some(row) => changed.push(row.clone()),
                None => forgotten.push(key),
            }
        }
        (changed, forgotten)
    }

    pub(crate) fn of_element(&self, element: &ElementId) -> impl Iterator<Item = &Touch> {
        self.of_register(element, "")
            .chain(self.after_creation(element))
    }

    fn after_creation(&self, element: &ElementId) -> impl Iterator<Item = &Touch> {
        // The smallest property name after the empty one.
        self.rows
            .from(first_key(element, "\0"))
            .take_while(move |row| row.element == *element)
    }

    pub(crate) fn of_register(
        &self,
        element: &ElementId,
        property: &str,
    ) -> impl Iterator<Item = &Touch> {
        self.rows
            .from(first_key(element, property))
            .take_while(move |row| row.element == *element && row.property == property)
    }

    pub(crate) fn keys_of(&self, element: &ElementId) -> Vec<TouchKey> {
        self.of_element(element).map(Touch::key).collect()
    }

    /// The row of the pending action that made this element.
    pub(crate) fn creation(&self, element: &ElementId) -> Option<&Touch> {
        self.of_register(element, "").next()
    }

    pub(crate) fn made_by(&self, element: &ElementId, run: &RunId) -> bool {
        self.creation(element).is_some_and(|row| row.run == *run)
    }

    pub(crate) fn next_order(&mut self) -> u64 {
        self.next_order += 1;
        self.next_order - 1
    }

    /// The rows of a register that nobody's deliberate write covers, from the bottom up.
    pub(crate) fn layers(&self, element: &ElementId, property: &str) -> Layers {
        let mut live: Vec<(u64, Over, Layer)> = self
            .of_register(element, property)
            .filter_map(|row| match &row.kind {
                TouchKind::Register {
                    before,
                    before_by,
                    order,
                    over,
                } if !matches!(over, Over::Peer(_)) => Some((
                    *order,
                    *over,
                    Layer {
                        key: row.key(),
                        peer: row.peer,
                        derived: row.derived,
                        before: before.clone(),
                        before_by: *before_by,
                    },
                )),
                _ => None,
            })
            .collect();
        live.sort_by_key(|(order, ..)| *order);
        Layers {
            derived_over: live
                .last()
                .is_some_and(|(_, over, _)| *over == Over::Derived),
            layers: live.into_iter().map(|(_, _, layer)| layer).collect(),
        }
    }

    /// Write changed layers back: rows that are no longer among them are forgotten.
    pub(crate) fn set_layers(&mut self, element: &ElementId, property: &str, layers: Layers) {
        let left: BTreeSet<&TouchKey> = layers.layers.iter().map(|layer| &layer.key).collect();
        for layer in self.layers(element, property).layers {
            if !left.contains(&layer.key) {
                self.forget(&layer.key);
            }
        }
        let top = layers.layers.len().saturating_sub(1);
        let derived_over = layers.derived_over;
        for (at, layer) in layers.layers.into_iter().enumerate() {
            let Some(mut row) = self.rows.get(&layer.key).cloned() else {
                continue;
            };
            row.derived = layer.derived;
            row.peer = layer.peer;
            if let TouchKind::Register {
                before,
                before_by,
                over,
                ..
            } = &mut row.kind
            {
                *before = layer.before;
                *before_by = layer.before_by;
                *over = if derived_over && at == top {
                    Over::Derived
                } else {
                    Over::Nobody
                };
            }
            self.put(row);
        }
    }

    /// `peer` wrote over this row on purpose.
    pub(crate) fn cover(&mut self, key: &TouchKey, peer: PeerId) {
        let Some(mut row) = self.rows.get(key).cloned() else {
            return;
        };
        if let TouchKind::Register { over, .. } = &mut row.kind {
            *over = Over::Peer(peer);
            self.put(row);
        }
    }

    pub(crate) fn text_rows(&self, element: &ElementId) -> TextRows {
        self.of_register(element, TEXT)
            .filter_map(|row| match &row.kind {
                TouchKind::Text { inserted, deleted } => Some((
                    row.key(),
                    TextRow {
                        inserted: inserted.clone(),
                        deleted: deleted.clone(),
                    },
                )),
                _ => None,
            })
            .collect()
    }

    /// Write changed text rows back: those missing are forgotten.
    pub(crate) fn set_text_rows(&mut self, element: &ElementId, rows: TextRows) {
        for key in self.text_rows(element).keys() {
            if !rows.contains_key(key) {
                self.forget(key);
            }
        }
        for (key, row) in rows {
            if let Some(mut touch) = self.rows.get(&key).cloned() {
                touch.kind = TouchKind::Text {
                    inserted: row.inserted,
                    deleted: row.deleted,
                };
                self.put(touch);
            }
        }
    }
}

fn first_key(element: &ElementId, property: &str) -> TouchKey {
    TouchKey {
        element: element.clone(),
        property: property.to_owned(),
        run: RunId(String::new()),
        action: 0,
    }
}
