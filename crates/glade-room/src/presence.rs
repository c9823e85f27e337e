//! Who is in the room: an ephemeral store whose keys belong to peers.
//!
//! A key starts with a peer id. A client may set only keys of its own peer; what it resends of
//! others is ignored when it says nothing new, and refused when it changes another's value.

mod store;

use std::collections::{HashMap, HashSet};

use glade_doc::check_presence;
use loro::LoroValue;

use crate::ConnId;
use store::Store;

const MAX_VALUE_BYTES: usize = 16 * 1024;
/// Most keys of one connection: one for each of its tabs' peers, and what it hangs on them.
const MAX_KEYS: usize = 16;

#[derive(Default)]
pub(crate) struct Presence {
    store: Store,
    owners: HashMap<u64, ConnId>,
    /// A planted bug: whoever speaks is believed.
    #[cfg(any(test, feature = "sim"))]
    pub trusting: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PresenceRefusal {
    Malformed,
    Foreign { key: String },
    TooLarge { key: String },
    TooMany,
}

impl Presence {
    /// Takes a client's bytes; answers what to pass on to the others.
    /// `taken` says whether a peer id belongs to somebody else.
    pub fn apply(
        &mut self,
        conn: ConnId,
        subject: &str,
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
            if size_of(&value) > MAX_VALUE_BYTES {
                return Err(PresenceRefusal::TooLarge { key });
            }
            if !speaks_for(subject, &value) {
                return Err(PresenceRefusal::Foreign { key });
            }
            if let Some(peer) = owner {
                accepted.push((peer, key, value));
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

/// Whoever says who they are says the truth. A value may leave it out.
fn speaks_for(subject: &str, value: &LoroValue) -> bool {
    let LoroValue::Map(map) = value else {
        return true;
    };
    let text = |name: &str| match map.get(name) {
        Some(LoroValue::String(text)) => Some(text.to_string()),
        _ => None,
    };
    let is_fairy = text("kind").as_deref() == Some("fairy") || map.contains_key("fairy");
    text("subject").is_none_or(|said| said == subject)
        && (!is_fairy || subject.starts_with("fairy:"))
}

fn size_of(value: &LoroValue) -> usize {
    serde_json::to_vec(value).map_or(usize::MAX, |bytes| bytes.len())
}

#[cfg(test)]
mod tests {
    use loro::awareness::EphemeralStore;

    use super::*;

    const TIMEOUT_MS: i64 = i64::MAX / 4;
    const NOW: i64 = 1_700_000_000_000;

    fn bytes(entries: &[(&str, i64)]) -> Vec<u8> {
        let store = EphemeralStore::new(TIMEOUT_MS);
        for (key, value) in entries {
            store.set(key, *value);
        }
        store.encode_all()
    }

    #[test]
    fn a_peer_sets_its_own_keys_and_they_are_passed_on() {
        let mut presence = Presence::default();
        let out = presence
            .apply(
                ConnId(1),
                "person:ann",
                &bytes(&[("7", 1), ("7/cursor", 2)]),
                NOW,
                |_| false,
            )
            .unwrap();
        assert_eq!(out.len(), 2);
    }

    #[test]
    fn a_full_resend_of_what_others_said_is_ignored() {
        let mut presence = Presence::default();
        presence
            .apply(ConnId(1), "person:ann", &bytes(&[("7", 1)]), NOW, |_| false)
            .unwrap();
        let out = presence
            .apply(
                ConnId(2),
                "person:ben",
                &bytes(&[("7", 1), ("8", 5)]),
                NOW,
                |_| false,
            )
            .unwrap();
        assert_eq!(out.len(), 1);
    }

    #[test]
    fn changing_anothers_value_is_refused_and_changes_nothing() {
        let mut presence = Presence::default();
        presence
            .apply(ConnId(1), "person:ann", &bytes(&[("7", 1)]), NOW, |_| false)
            .unwrap();
        let refused = presence.apply(
            ConnId(2),
            "person:ben",
            &bytes(&[("7", 2), ("8", 5)]),
            NOW,
            |_| false,
        );
        assert_eq!(refused, Err(PresenceRefusal::Foreign { key: "7".into() }));
        let states: Vec<_> = presence.store.states().collect();
        assert_eq!(states, [("7", &LoroValue::from(1))]);
    }

    #[test]
    fn a_key_of_a_peer_bound_to_somebody_else_is_not_taken() {
        let mut presence = Presence::default();
        let out = presence
            .apply(ConnId(1), "person:ann", &bytes(&[("9", 1)]), NOW, |peer| {
                peer == 9
            })
            .unwrap();
        assert!(out.is_empty());
    }

    #[test]
    fn leaving_removes_the_keys_of_the_connection_only() {
        let mut presence = Presence::default();
        presence
            .apply(ConnId(1), "person:ann", &bytes(&[("7", 1)]), NOW, |_| false)
            .unwrap();
        presence
            .apply(ConnId(2), "person:ben", &bytes(&[("8", 1)]), NOW, |_| false)
            .unwrap();
        assert_eq!(presence.leave(ConnId(1), NOW).len(), 1);
        assert_eq!(presence.store.states().count(), 1);
    }

    fn map(entries: &[(&str, &str)]) -> LoroValue {
        let entries = entries
            .iter()
            .map(|(name, value)| ((*name).to_owned(), LoroValue::from(*value)));
        LoroValue::Map(entries.collect::<HashMap<_, _>>().into())
    }

    #[test]
    fn nobody_says_that_they_are_somebody_else_or_a_fairy() {
        let mut presence = Presence::default();
        for (value, fits) in [
            (map(&[("subject", "person:ann"), ("kind", "person")]), true),
            (map(&[("name", "no subject")]), true),
            (map(&[("subject", "person:ben")]), false),
            (map(&[("subject", "person:ann"), ("kind", "fairy")]), false),
            (map(&[("fairy", "fy_1")]), false),
        ] {
            let store = EphemeralStore::new(TIMEOUT_MS);
            store.set("7", value.clone());
            let taken =
                presence.apply(ConnId(1), "person:ann", &store.encode_all(), NOW, |_| false);
            assert_eq!(taken.is_ok(), fits, "{value:?}");
        }
    }

    #[test]
    fn a_connection_has_room_for_a_few_keys() {
        let mut presence = Presence::default();
        let mut refused = None;
        for n in 0..100 {
            let key = format!("7/{n}");
            let taken = presence.apply(ConnId(1), "person:ann", &bytes(&[(&key, 1)]), NOW, |_| {
                false
            });
            refused = refused.or(taken.err().map(|refusal| (n, refusal)));
        }
        assert_eq!(refused, Some((16, PresenceRefusal::TooMany)));
        assert_eq!(presence.store.states().count(), 16);
    }

    #[test]
    fn garbage_is_refused() {
        let mut presence = Presence::default();
        // A list of one list, and so on, as deep as a frame is long; and a time before all times.
        let deep = [&[1, 1, b'7', 1][..], &[5, 1].repeat(100_000)].concat();
        let early = [&[1, 1, b'7', 0][..], &[0xff; 9], &[1]].concat();
        for bytes in [&[0xff; 9][..], &deep, &early] {
            assert_eq!(
                presence.apply(ConnId(1), "person:ann", bytes, NOW, |_| false),
                Err(PresenceRefusal::Malformed)
            );
        }
    }
}
