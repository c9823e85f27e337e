//! The tabs of a world, as the world knows them.

use std::collections::{BTreeMap, BTreeSet};

use glade_access::Capability;
use glade_doc::{Counter, ElementId, PeerId};

use super::wire::{Studio, Written};
use crate::ConnId;
use crate::sim::disk::Versions;

/// None, in most worlds.
#[derive(Default)]
pub struct Tabs {
    pub(super) studio: Option<Box<dyn Studio>>,
    pub(super) all: Vec<Tab>,
}

pub struct Tab {
    pub room: usize,
    pub capability: Capability,
    /// The line that it calls on, before anybody answers.
    pub dialing: Option<u64>,
    pub line: Option<(u64, ConnId)>,
    /// The characters that it typed, each nowhere else.
    pub typed: BTreeMap<char, Typed>,
    /// How far each peer's operations have reached the device.
    pub on_device: Versions,
    /// What its person was given back.
    pub copies: String,
    /// Everything that it ever wrote to, bound to or labelled.
    pub touched: BTreeSet<ElementId>,
}

pub struct Typed {
    pub into: ElementId,
    pub written: Written,
}

impl Tabs {
    /// The connection that a line has become, if it is still a tab's.
    pub(super) fn conn(&self, line: u64) -> Option<ConnId> {
        let mut lines = self.all.iter().filter_map(|tab| tab.line);
        lines
            .find(|(known, _)| *known == line)
            .map(|(_, conn)| conn)
    }

    pub(super) fn forget(&mut self, line: u64) {
        for tab in &mut self.all {
            tab.line = tab.line.filter(|(known, _)| *known != line);
            tab.dialing = tab.dialing.filter(|known| *known != line);
        }
    }

    /// Where the tab of this person is connected.
    pub fn line_of(&self, subject: Option<&str>) -> Option<ConnId> {
        let mut tabs = self.all.iter();
        let tab = tabs.find(|tab| Some(tab.capability.subject.as_str()) == subject)?;
        tab.line.map(|(_, conn)| conn)
    }

    /// What tabs in this room wrote to.
    pub fn touched(&self, room: usize) -> impl Iterator<Item = &ElementId> {
        let tabs = self.all.iter().filter(move |tab| tab.room == room);
        tabs.flat_map(|tab| &tab.touched)
    }
}

impl Tab {
    pub fn new(room: usize, capability: Capability) -> Self {
        Self {
            room,
            capability,
            dialing: None,
            line: None,
            typed: BTreeMap::new(),
            on_device: Versions::new(),
            copies: String::new(),
            touched: BTreeSet::new(),
        }
    }

    pub fn keep(&mut self, peer: PeerId, to: Counter) {
        let known = self.on_device.entry(peer).or_insert(0);
        *known = to.max(*known);
    }

    /// Whether this is on the device, or was.
    pub fn kept(&self, written: &Written) -> bool {
        let known = self.on_device.get(&written.peer);
        known.is_some_and(|to| *to >= written.to)
    }
}
