//! What a binary of one's own adds to the fairies: actions, parts, modes and plugins of text pages.
//!
//! They are part of what the program is, as its own are: added once, before anything asks what there
//! is, and the same from then on.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use crate::action::{self, AnyAction};
use crate::mode::{self, ModeRow};
use crate::part::{self, AnyPart};
use crate::plugins::{self, Plugin};

/// Actions, parts, modes and plugins of somebody else's making.
#[derive(Debug, Clone, Copy, Default)]
pub struct Extensions {
    pub actions: &'static [&'static dyn AnyAction],
    pub parts: &'static [&'static dyn AnyPart],
    pub modes: &'static [&'static ModeRow],
    pub plugins: &'static [&'static Plugin],
}

/// Why extensions are not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExtensionError {
    #[error("there are two {kind}s named \"{name}\": rename the one that you add")]
    Twice { kind: &'static str, name: String },
    #[error(
        "\"{0}\" is no name for an extension: small letters, digits and single hyphens, at most 64"
    )]
    Name(String),
    #[error("extensions are added once, before anything else: call this first in main")]
    Late,
}

static ADDED: OnceLock<Extensions> = OnceLock::new();

/// Adds them, for as long as the program runs.
pub fn add(extensions: Extensions) -> Result<(), ExtensionError> {
    let own = action::REGISTRY.iter().map(|action| action.name());
    let code = action::OF_CODE.iter().map(|action| action.facts().name);
    let added = extensions.actions.iter().map(|action| action.name());
    check("action", own.chain(code), added)?;
    let own = part::REGISTRY.iter().map(|part| part.facts().name);
    let added = extensions.parts.iter().map(|part| part.facts().name);
    check("part", own, added)?;
    let own = mode::TABLE.iter().map(|row| row.mode.name());
    let added = extensions.modes.iter().map(|row| row.mode.name());
    check("mode", own, added)?;
    let own = plugins::PLUGINS.iter().map(|plugin| plugin.name);
    let added = extensions.plugins.iter().map(|plugin| plugin.name);
    check("plugin", own, added)?;
    ADDED.set(extensions).map_err(|_| ExtensionError::Late)
}

/// Looked at once, it stays what it is.
pub(crate) fn added() -> &'static Extensions {
    ADDED.get_or_init(Extensions::default)
}

fn check(
    kind: &'static str,
    own: impl Iterator<Item = &'static str>,
    added: impl Iterator<Item = &'static str>,
) -> Result<(), ExtensionError> {
    let mut known: BTreeSet<&str> = own.collect();
    for name in added {
        if !is_name(name) {
            return Err(ExtensionError::Name(name.to_owned()));
        }
        if !known.insert(name) {
            let name = name.to_owned();
            return Err(ExtensionError::Twice { kind, name });
        }
    }
    Ok(())
}

/// Whether every provider's wire takes it as the name of a tool.
pub fn is_name(name: &str) -> bool {
    let word = |word: &str| {
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        !word.is_empty() && word.bytes().all(plain)
    };
    name.len() <= 64 && name.split('-').all(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn twice(kind: &'static str, name: &str) -> Result<(), ExtensionError> {
        let name = name.to_owned();
        Err(ExtensionError::Twice { kind, name })
    }

    #[test]
    fn a_name_that_is_taken_or_no_name_is_refused() {
        let check = |added: &'static [&'static str]| {
            check("part", ["time"].into_iter(), added.iter().copied())
        };
        assert_eq!(check(&["tide", "moon"]), Ok(()));
        assert_eq!(check(&["time"]), twice("part", "time"));
        assert_eq!(check(&["tide", "tide"]), twice("part", "tide"));
        for name in ["", "Tide", "a--b", "-a", "a_b", "a b"] {
            let refused = check(Box::leak(Box::new([name])));
            assert_eq!(refused, Err(ExtensionError::Name(name.to_owned())));
        }
    }

    #[test]
    fn what_the_program_has_already_is_not_added_again() {
        static MODES: &[&ModeRow] = &[&crate::modes::idling::ROW];
        let extensions = Extensions {
            modes: MODES,
            ..Extensions::default()
        };
        assert_eq!(add(extensions), twice("mode", "idling"));
        let extensions = Extensions {
            actions: &[&crate::actions::think::Think],
            ..Extensions::default()
        };
        assert_eq!(add(extensions), twice("action", "think"));
    }
}
