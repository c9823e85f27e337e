//! What a fairy has before its eyes of a text page: where it read last, and the words as it knows them.
//!
//! A block is rewritten against the words that the model was shown, not against those that stand there by
//! now: what a person typed in between is then no part of the change, and stays.

use std::collections::BTreeMap;

use glade_doc::ElementId;
use glade_text::Styled;
use serde::{Deserialize, Serialize};

/// Places that stay in view, the newest of them first.
const MOST: usize = 6;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Reading {
    /// What it read, found or changed last; the newest is last.
    places: Vec<Place>,
    /// The blocks that its last prompt showed whole, with what its own answer made of them.
    #[serde(skip)]
    known: BTreeMap<ElementId, Styled>,
}

/// Blocks in a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    pub first: ElementId,
    pub last: ElementId,
}

impl Reading {
    /// The places that should be in view, the most recent first.
    pub fn places(&self) -> impl Iterator<Item = &Place> {
        self.places.iter().rev()
    }

    pub fn look_at(&mut self, first: ElementId, last: ElementId) {
        let place = Place { first, last };
        self.places.retain(|other| *other != place);
        self.places.push(place);
        let over = self.places.len().saturating_sub(MOST);
        self.places.drain(..over);
    }

    /// What the fairy knows of a block's words, if it was shown all of them.
    pub fn known(&self, id: &ElementId) -> Option<&Styled> {
        self.known.get(id)
    }

    pub fn learn(&mut self, id: ElementId, words: Styled) {
        self.known.insert(id, words);
    }

    /// What an action did to these is taken back.
    pub fn know_again<'w>(&mut self, words: impl Iterator<Item = (&'w ElementId, &'w Styled)>) {
        for (id, words) in words {
            if let Some(known) = self.known.get_mut(id) {
                known.clone_from(words);
            }
        }
    }

    /// A new prompt shows the page anew.
    pub fn begin(&mut self, known: BTreeMap<ElementId, Styled>) {
        self.known = known;
    }
}
