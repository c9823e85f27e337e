//! Who is in the room: an ephemeral store whose keys belong to peers.
//!
//! A key starts with a peer id. A client may set only keys of its own peer; what it resends of
//! others is ignored when it says nothing new, and refused when it changes another's value.

use std::collections::HashMap;

use loro::LoroValue;
use loro::awareness::EphemeralStore;

use super::ConnId;

const TIMEOUT_MS: i64 = 30_000;
/// For decoding only: a client's clock may be off, its keys must still be seen.
const NEVER: i64 = i64::MAX / 4;
const MAX_VALUE_BYTES: usize = 16 * 1024;

pub struct Presence {
    store: EphemeralStore,
    owners: HashMap<u64, ConnId>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PresenceRefusal {
    Malformed,
    Foreign { key: String },
    TooLarge { key: String },
}

impl Presence {
    pub fn new() -> Self {
        Self {
            store: EphemeralStore::new(TIMEOUT_MS),
            owners: HashMap::new(),
        }
    }

    /// Takes a client's bytes; answers what to pass on to the others.
    /// `taken` says whether a peer id belongs to somebody else.
    pub fn apply(
        &mut self,
        conn: ConnId,
        bytes: &[u8],
        taken: impl Fn(u64) -> bool,
    ) -> Result<Vec<Vec<u8>>, PresenceRefusal> {
        let scratch = EphemeralStore::new(NEVER);
        scratch
            .apply(bytes)
            .map_err(|_| PresenceRefusal::Malformed)?;
        let mut accepted = Vec::new();
        for (key, value) in scratch.get_all_states() {
            let owner = key_peer(&key);
            let foreign = match owner {
                None => true,
                Some(peer) => {
                    self.owners.get(&peer).is_some_and(|other| *other != conn) || taken(peer)
                }
            };
            if foreign {
                if self.store.get(&key).is_some_and(|known| known != value) {
                    return Err(PresenceRefusal::Foreign { key });
                }
                continue;
            }
            if size_of(&value) > MAX_VALUE_BYTES {
                return Err(PresenceRefusal::TooLarge { key });
            }
            if let Some(peer) = owner {
                accepted.push((peer, key, value));
            }
        }
        let mut out = Vec::with_capacity(accepted.len());
        for (peer, key, value) in accepted {
            self.owners.insert(peer, conn);
            out.push(self.set(&key, value));
        }
        Ok(out)
    }

    /// Sets a value for a writer inside the server, answering the bytes to broadcast.
    pub fn set(&self, key: &str, value: LoroValue) -> Vec<u8> {
        self.store.set(key, value);
        self.store.encode(key)
    }

    pub fn remove(&self, key: &str) -> Vec<u8> {
        self.store.delete(key);
        self.store.encode(key)
    }

    /// Forgets a connection's keys, answering the bytes that tell the others.
    pub fn leave(&mut self, conn: ConnId) -> Vec<Vec<u8>> {
        let gone: Vec<u64> = self
            .owners
            .iter()
            .filter(|(_, owner)| **owner == conn)
            .map(|(peer, _)| *peer)
            .collect();
        self.owners.retain(|_, owner| *owner != conn);
        self.store
            .get_all_states()
            .into_keys()
            .filter(|key| key_peer(key).is_some_and(|peer| gone.contains(&peer)))
            .map(|key| self.remove(&key))
            .collect()
    }

    pub fn all(&self) -> Vec<u8> {
        self.store.remove_outdated();
        self.store.encode_all()
    }
}

/// The peer id that a key starts with, up to the first character that is not a digit.
fn key_peer(key: &str) -> Option<u64> {
    let digits = key.split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok()
}

fn size_of(value: &LoroValue) -> usize {
    serde_json::to_vec(value).map_or(usize::MAX, |bytes| bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(entries: &[(&str, i64)]) -> Vec<u8> {
        let store = EphemeralStore::new(TIMEOUT_MS);
        for (key, value) in entries {
            store.set(key, *value);
        }
        store.encode_all()
    }

    #[test]
    fn a_peer_sets_its_own_keys_and_they_are_passed_on() {
        let mut presence = Presence::new();
        let out = presence
            .apply(ConnId(1), &bytes(&[("7", 1), ("7/cursor", 2)]), |_| false)
            .unwrap();
        assert_eq!(out.len(), 2);
    }

    #[test]
    fn a_full_resend_of_what_others_said_is_ignored() {
        let mut presence = Presence::new();
        presence
            .apply(ConnId(1), &bytes(&[("7", 1)]), |_| false)
            .unwrap();
        let out = presence
            .apply(ConnId(2), &bytes(&[("7", 1), ("8", 5)]), |_| false)
            .unwrap();
        assert_eq!(out.len(), 1);
    }

    #[test]
    fn changing_anothers_value_is_refused_and_changes_nothing() {
        let mut presence = Presence::new();
        presence
            .apply(ConnId(1), &bytes(&[("7", 1)]), |_| false)
            .unwrap();
        let refused = presence.apply(ConnId(2), &bytes(&[("7", 2), ("8", 5)]), |_| false);
        assert_eq!(refused, Err(PresenceRefusal::Foreign { key: "7".into() }));
        let states = presence.store.get_all_states();
        assert_eq!(states.len(), 1);
        assert_eq!(states["7"], LoroValue::from(1));
    }

    #[test]
    fn a_key_of_a_peer_bound_to_somebody_else_is_not_taken() {
        let mut presence = Presence::new();
        let out = presence
            .apply(ConnId(1), &bytes(&[("9", 1)]), |peer| peer == 9)
            .unwrap();
        assert!(out.is_empty());
    }

    #[test]
    fn leaving_removes_the_keys_of_the_connection_only() {
        let mut presence = Presence::new();
        presence
            .apply(ConnId(1), &bytes(&[("7", 1)]), |_| false)
            .unwrap();
        presence
            .apply(ConnId(2), &bytes(&[("8", 1)]), |_| false)
            .unwrap();
        assert_eq!(presence.leave(ConnId(1)).len(), 1);
        assert_eq!(presence.store.get_all_states().len(), 1);
    }

    #[test]
    fn garbage_is_refused() {
        let mut presence = Presence::new();
        assert_eq!(
            presence.apply(ConnId(1), &[0xff; 9], |_| false),
            Err(PresenceRefusal::Malformed)
        );
    }
}
