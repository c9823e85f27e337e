//! What a fairy may do now: the actions of its mode, those that a host added, less what its scope
//! leaves out.
//!
//! The menu is for the model's sake, so that it is not offered what it may not do. It is not the
//! enforcement: the room asks the fairy's capability again for every edit.

use std::collections::BTreeSet;

use glade_doc::Surface;

use crate::action::{self, AnyAction, Refusal};
use crate::extras::Extras;
use crate::mode::ModeRow;
use crate::outside;
use crate::plugins::Enabled;

/// The actions of one mode, for one fairy.
#[derive(Debug, Clone, Copy)]
pub struct Menu<'a> {
    pub row: &'static ModeRow,
    /// The surface of the page that it is on.
    pub surface: Surface,
    pub extras: Extras,
    /// The only actions that change a page or reach outside, if not all.
    pub only: Option<&'a BTreeSet<String>>,
    /// The host fetches things from outside.
    pub outside: bool,
    /// What the workspace's text pages have.
    pub plugins: &'a Enabled,
}

impl Menu<'_> {
    /// The actions in the order in which prompts list them.
    pub fn actions(&self) -> impl Iterator<Item = &'static dyn AnyAction> {
        self.extras
            .actions_of(self.row)
            .filter(|action| action::fits(action.name(), self.surface))
            .filter(|action| self.in_scope(action.name()))
            .filter(|action| self.plugins.bars_tool(action.name()).is_none())
            .filter(|action| self.outside || !outside::ACTIONS.contains(&action.name()))
    }

    pub fn names(&self) -> Vec<&'static str> {
        self.actions().map(|action| action.name()).collect()
    }

    /// The action of that name, or what to tell the model instead.
    pub fn find(&self, name: &str) -> Result<&'static dyn AnyAction, Refusal> {
        if let Some(found) = self.actions().find(|action| action.name() == name) {
            return Ok(found);
        }
        let allowed = self.names().join(", ");
        let known = action::find(name).is_some();
        Err(Refusal::new(if name.is_empty() {
            format!("an action had no _type; allowed are: {allowed}")
        } else if !known {
            format!("there is no action \"{name}\"; allowed are: {allowed}")
        } else if !action::fits(name, self.surface) {
            format!("the action \"{name}\" is not for this kind of page; allowed are: {allowed}")
        } else if let Some(reason) = self.plugins.bars_tool(name) {
            format!("{reason}; allowed are: {allowed}")
        } else if outside::ACTIONS.contains(&name) && !self.outside {
            format!(
                "the action \"{name}\" needs the network, which is switched off here; allowed are: {allowed}"
            )
        } else if self.row.allows(name) && !self.in_scope(name) {
            format!("you may not use the action \"{name}\"; allowed are: {allowed}")
        } else {
            format!(
                "the action \"{name}\" is not allowed in mode {}; allowed are: {allowed}",
                self.row.mode.name()
            )
        }))
    }

    /// Speaking, looking around and keeping its own notes is never out of scope.
    fn in_scope(&self, name: &str) -> bool {
        let free = action::find(name).is_some() && !action::is_scoped(name);
        free || self.only.is_none_or(|only| only.contains(name))
    }
}
