//! What a fairy may do now: the actions of its mode, those that a host added, less what its scope
//! leaves out.
//!
//! The menu is for the model's sake, so that it is not offered what it may not do. It is not the
//! enforcement: the room asks the fairy's capability again for every edit.

use std::collections::BTreeSet;

use glade_doc::Surface;

use crate::action::{self, AnyAction, Refusal};
use crate::facts::{Facts, Impact};
use crate::mode::ModeRow;
use crate::plugins::Enabled;

/// The actions of one mode, for one fairy.
#[derive(Debug, Clone, Copy)]
pub struct Menu<'a> {
    pub row: &'static ModeRow,
    /// The surface of the page that it is on.
    pub surface: Surface,
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
        action::allowed(self.row).filter(|action| self.barred(action.facts()).is_none())
    }

    pub fn names(&self) -> Vec<&'static str> {
        self.actions().map(|action| action.name()).collect()
    }

    /// The action of that name, or what to tell the model instead.
    pub fn find(&self, name: &str) -> Result<&'static dyn AnyAction, Refusal> {
        let reason = match action::find(name) {
            None if name.is_empty() => "an action had no _type".to_owned(),
            None => format!("there is no action \"{name}\""),
            Some(action) => {
                let allowed = self.row.allows(action.facts());
                match self.barred(action.facts()) {
                    None if allowed => return Ok(action),
                    Some(Barred::Surface) => {
                        format!("the action \"{name}\" is not for this kind of page")
                    }
                    Some(Barred::Plugin(reason)) => reason,
                    Some(Barred::Network) => format!(
                        "the action \"{name}\" needs the network, which is switched off here"
                    ),
                    Some(Barred::Scope) if allowed => {
                        format!("you may not use the action \"{name}\"")
                    }
                    None | Some(Barred::Scope) => format!(
                        "the action \"{name}\" is not allowed in mode {}",
                        self.row.mode.name()
                    ),
                }
            }
        };
        let allowed = self.names().join(", ");
        Err(Refusal::new(format!("{reason}; allowed are: {allowed}")))
    }

    /// Why this fairy cannot use an action here, whatever its mode.
    fn barred(&self, facts: &Facts) -> Option<Barred> {
        if !facts.on.fits(self.surface) {
            return Some(Barred::Surface);
        }
        if let Some(reason) = self.plugins.bars(facts) {
            return Some(Barred::Plugin(reason));
        }
        if facts.impact == Impact::Reaches && !self.outside {
            return Some(Barred::Network);
        }
        // Speaking, looking around and keeping its own notes is never out of scope.
        let in_scope = !facts.is_scoped()
            || self
                .only
                .is_none_or(|only| only.iter().any(|name| facts.is_called(name)));
        (!in_scope).then_some(Barred::Scope)
    }
}

enum Barred {
    Surface,
    Plugin(String),
    Network,
    /// Its scope leaves the action out.
    Scope,
}
