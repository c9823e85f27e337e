//! Who is in the room: an ephemeral store whose keys belong to peers.
//!
//! A key starts with a peer id. A client may set only keys of its own peer; what it resends of
//! others is ignored when it says nothing new, and refused when it changes another's value. What it
//! says of itself is held to the table of [`check_presence_value`]; who it is, the room says.

mod store;

use std::collections::{HashMap, HashSet};

use glade_access::Region;
use glade_doc::{PresenceFlaw, check_presence, check_presence_value, shows_a_fairy};
use loro::{LoroMapValue, LoroValue};

use crate::ConnId;
use store::Store;

const MAX_VALUE_BYTES: usize = 16 * 1024;
/// Most keys of one connection: one for each of its tabs' peers, and what it hangs on them.
const MAX_KEYS: usize = 16;
/// Longest key: a peer id, and a few words.
const MAX_KEY_BYTES: usize = 64;

/// Who shows something, by their token and by what the workspace calls them.
#[derive(Clone, Copy)]
pub(crate) struct Shower<'a> {
    pub subject: &'a str,
    pub name: &'a str,
    pub region: Option<&'a Region>,
}

#[derive(Default)]
pub(crate) struct Presence {
    store: Store,
    owners: HashMap<u64, ConnId>,
    /// A planted bug: whoever speaks is believed.
    #[cfg(any(test, feature = "sim"))]
    pub trusting: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PresenceRefusal {
    #[error("the presence cannot be read")]
    Malformed,
    #[error(transparent)]
    Flawed(PresenceFlaw),
    #[error("the presence speaks for somebody else, at `{key}`")]
    Foreign { key: String },
    #[error("the presence of `{}` is too large", key.chars().take(MAX_KEY_BYTES).collect::<String>())]
    TooLarge { key: String },
    #[error("the presence has more keys than a connection may have")]
    TooMany,
}

impl Presence {
    /// Takes a client's bytes; answers what to pass on to the others.
    /// `taken` says whether a peer id belongs to somebody else.
    pub fn apply(
        &mut self,
        conn: ConnId,
        shower: Shower<'_>,
        bytes: &[u8],
        now_ms: i64,
        taken: impl Fn(u64) -> bool,
    ) -> Result<Vec<Vec<u8>>, PresenceRefusal> {
        // Loro's decoder trusts what it is told, whatever it is.
        check_presence(bytes).map_err(|_| PresenceRefusal::Malformed)?;
        let said = store::decode(bytes).ok_or(PresenceRefusal::Malformed)?;
        let mut accepted = Vec::new();
        for (key, value) in said {
            let owner = key_peer(&key);
            let foreign = match owner {
                None => true,
                Some(peer) => {
                    self.owners.get(&peer).is_some_and(|other| *other != conn) || taken(peer)
                }
            };
            #[cfg(any(test, feature = "sim"))]
            let foreign = foreign && !self.trusting;
            if foreign {
                if self.store.get(&key).is_some_and(|known| *known != value) {
                    return Err(PresenceRefusal::Foreign { key });
                }
                continue;
            }
            if size_of(&value) > MAX_VALUE_BYTES || key.len() > MAX_KEY_BYTES {
                return Err(PresenceRefusal::TooLarge { key });
            }
            let said = check_presence_value(&value).map_err(PresenceRefusal::Flawed)?;
            if !shower.speaks_in(said) {
                return Err(PresenceRefusal::Foreign { key });
            }
            if let Some(peer) = owner {
                accepted.push((peer, key, shower.sign(said)));
            }
        }
        let of_conn =
            |key: &str| key_peer(key).and_then(|peer| self.owners.get(&peer)) == Some(&conn);
        let mut keys: HashSet<&str> = self.keys().filter(|key| of_conn(key)).collect();
        keys.extend(accepted.iter().map(|(_, key, _)| key.as_str()));
        if keys.len() > MAX_KEYS {
            return Err(PresenceRefusal::TooMany);
        }
        let mut out = Vec::with_capacity(accepted.len());
        for (peer, key, value) in accepted {
            self.owners.insert(peer, conn);
            out.push(self.set(&key, value, now_ms));
        }
        Ok(out)
    }

    /// What is shown now.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.store.states().map(|(key, _)| key)
    }

    /// What everybody shows.
    pub fn states(&self) -> impl Iterator<Item = &LoroValue> {
        self.store.states().map(|(_, value)| value)
    }

    /// Sets a value for a writer inside the server, answering the bytes to broadcast.
    pub fn set(&mut self, key: &str, value: LoroValue, now_ms: i64) -> Vec<u8> {
        self.store.put(key, Some(value), now_ms)
    }

    pub fn remove(&mut self, key: &str, now_ms: i64) -> Vec<u8> {
        self.store.put(key, None, now_ms)
    }

    /// Forgets a connection's keys, answering the bytes that tell the others.
    pub fn leave(&mut self, conn: ConnId, now_ms: i64) -> Vec<Vec<u8>> {
        let gone = |key: &str| key_peer(key).and_then(|peer| self.owners.get(&peer)) == Some(&conn);
        let keys = self.keys().filter(|key| gone(key));
        let keys: Vec<String> = keys.map(str::to_owned).collect();
        self.owners.retain(|_, owner| *owner != conn);
        keys.iter().map(|key| self.remove(key, now_ms)).collect()
    }

    /// What somebody who joins is told.
    pub fn all(&mut self, now_ms: i64) -> Vec<u8> {
        self.store.forget_old(now_ms);
        self.store.encode_all()
    }
}

/// The peer id that a key starts with, up to the first character that is not a digit.
fn key_peer(key: &str) -> Option<u64> {
    let digits = key.split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok()
}

impl Shower<'_> {
    /// The id of the fairy that it is; `None` for everybody else.
    fn fairy(&self) -> Option<&str> {
        self.subject.strip_prefix("fairy:")
    }

    /// Whoever says who they are says the truth. A value may leave it out.
    fn speaks_in(&self, said: &LoroMapValue) -> bool {
        let text = |name: &str| match said.get(name) {
            Some(LoroValue::String(text)) => Some(text.as_str()),
            _ => None,
        };
        text("subject").is_none_or(|subject| subject == self.subject)
            && text("fairy").is_none_or(|fairy| self.fairy() == Some(fairy))
            && (self.fairy().is_some() || !shows_a_fairy(said))
    }

    /// What others are shown: what was said, under the name that the workspace knows, and no cursor
    /// outside of the region that its token is for.
    fn sign(&self, said: &LoroMapValue) -> LoroValue {
        let mut shown: HashMap<String, LoroValue> = said
            .iter()
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        let kind = if self.fairy().is_some() {
            "fairy"
        } else {
            "person"
        };
        for (key, value) in [
            ("subject", self.subject),
            ("name", self.name),
            ("kind", kind),
        ] {
            shown.insert(key.to_owned(), value.into());
        }
        if let (Some(region), Some(cursor)) = (self.region, shown.get_mut("cursor"))
            && !is_inside(region, cursor)
        {
            *cursor = LoroValue::Null;
        }
        LoroValue::Map(shown.into())
    }
}

fn is_inside(region: &Region, cursor: &LoroValue) -> bool {
    let LoroValue::Map(point) = cursor else {
        return false;
    };
    let number = |name: &str| match point.get(name) {
        Some(LoroValue::Double(number)) => Some(*number),
        Some(LoroValue::I64(number)) => Some(*number as f64),
        _ => None,
    };
    let (Some(x), Some(y)) = (number("x"), number("y")) else {
        return false;
    };
    region.holds(&Region::around(x, y, 0.0, 0.0))
}

fn size_of(value: &LoroValue) -> usize {
    serde_json::to_vec(value).map_or(usize::MAX, |bytes| bytes.len())
}

#[cfg(test)]
mod tests;
