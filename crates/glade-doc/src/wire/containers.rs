//! The containers that a block writes to. Loro makes room for each, and for all that lie above one by
//! its name, so what no page has is refused here.

use crate::Counter;
use crate::schema::{self, ContainerKind};

use super::block::Keys;
use super::bytes::{Reader, narrow};
use super::values::fits;
use super::{Checked, Flaw};

const UNREADABLE: Flaw = Flaw::Broken("a container in it cannot be read");
const UNKNOWN_KIND: Flaw = Flaw::Broken("a container in it is of an unknown kind");
/// As Loro numbers and calls them.
const NAMES: [&str; 6] = ["Map", "List", "Text", "Tree", "MovableList", "Counter"];
const MAP: u8 = 0;
const TEXT: u8 = 2;
/// So much of a name is told to whoever sent it.
const LONGEST_NAME_SHOWN: usize = 200;

/// The kind of each container.
pub(super) fn check(bytes: &[u8], keys: &Keys<'_>) -> Checked<Vec<ContainerKind>> {
    const FIELDS: u8 = 4;
    let mut bytes = Reader(bytes);
    let count = bytes.count()?;
    fits(count, 5, &bytes)?;
    let mut kinds = Vec::with_capacity(count);
    for _ in 0..count {
        if bytes.byte()? != FIELDS {
            return Err(UNREADABLE);
        }
        let is_root = bytes.byte()?;
        let kind = bytes.byte()?;
        let peer = bytes.number()?;
        let key_or_counter = bytes.signed()?;
        let called = NAMES.get(usize::from(kind)).ok_or(UNKNOWN_KIND)?;
        match is_root {
            0 => {
                let counter: Counter = narrow(key_or_counter)?;
                let container = format!("cid:{counter}@#{peer}:{called}");
                return Err(Flaw::Plain { container });
            }
            1 => {
                let name = keys.get(narrow(key_or_counter)?)?;
                kinds.push(of_a_page(name, kind).ok_or_else(|| {
                    let name: String = name.chars().take(LONGEST_NAME_SHOWN).collect();
                    let container = format!("cid:root-{name}:{called}");
                    Flaw::Unknown { container }
                })?);
            }
            _ => return Err(UNREADABLE),
        }
    }
    bytes.finished("bytes follow on its containers")?;
    Ok(kinds)
}

fn of_a_page(name: &str, kind: u8) -> Option<ContainerKind> {
    let kind = match kind {
        MAP => ContainerKind::Map,
        TEXT => ContainerKind::Text,
        _ => return None,
    };
    schema::is_of_a_page(name, kind).then_some(kind)
}
