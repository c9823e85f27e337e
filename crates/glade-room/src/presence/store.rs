//! Values that are shown for a while, in the wire format of Loro's ephemeral store. That store reads
//! the machine's clock; this one is told the time, and encodes the same state to the same bytes.

use std::collections::BTreeMap;

use loro::LoroValue;
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};

const TIMEOUT_MS: i64 = 30_000;

#[derive(Default)]
pub struct Store(BTreeMap<String, State>);

struct State {
    /// `None`: it was taken back.
    value: Option<LoroValue>,
    at_ms: i64,
}

impl Store {
    pub fn get(&self, key: &str) -> Option<&LoroValue> {
        self.0.get(key)?.value.as_ref()
    }

    pub fn states(&self) -> impl Iterator<Item = (&str, &LoroValue)> {
        let states = self.0.iter();
        states.filter_map(|(key, state)| Some((key.as_str(), state.value.as_ref()?)))
    }

    /// Sets a value or takes it back; answers the bytes that tell others.
    pub fn put(&mut self, key: &str, value: Option<LoroValue>, now_ms: i64) -> Vec<u8> {
        // Readers keep the first that they hear of a moment: what comes later is always newer.
        let after = self.0.get(key).map_or(i64::MIN, |last| last.at_ms + 1);
        let at_ms = now_ms.max(after);
        let state = State { value, at_ms };
        let bytes = encode(std::iter::once((key, &state)));
        self.0.insert(key.to_owned(), state);
        bytes
    }

    pub fn forget_old(&mut self, now_ms: i64) {
        self.0.retain(|_, state| now_ms - state.at_ms <= TIMEOUT_MS);
    }

    pub fn encode_all(&self) -> Vec<u8> {
        encode(self.0.iter().map(|(key, state)| (key.as_str(), state)))
    }
}

fn encode<'a>(states: impl Iterator<Item = (&'a str, &'a State)>) -> Vec<u8> {
    let states: Vec<_> = states
        .map(|(key, state)| (key, state.value.as_ref().map(Sorted), state.at_ms))
        .collect();
    // Strings, numbers and lists of them: nothing that cannot be encoded.
    postcard::to_allocvec(&states).unwrap_or_default()
}

/// The values that a client shows, the newest of each key; what it takes back is left out.
pub fn decode(bytes: &[u8]) -> Option<BTreeMap<String, LoroValue>> {
    let states: Vec<(String, Option<LoroValue>, i64)> = postcard::from_bytes(bytes).ok()?;
    let mut newest: BTreeMap<String, State> = BTreeMap::new();
    for (key, value, at_ms) in states {
        if newest.get(&key).is_none_or(|known| known.at_ms < at_ms) {
            newest.insert(key, State { value, at_ms });
        }
    }
    let shown = newest.into_iter();
    Some(
        shown
            .filter_map(|(key, state)| Some((key, state.value?)))
            .collect(),
    )
}

/// A value as Loro encodes it, with the keys of maps in order: theirs is that of a hash map.
struct Sorted<'a>(&'a LoroValue);

impl Serialize for Sorted<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            LoroValue::List(list) => {
                to.serialize_newtype_variant("LoroValue", 5, "List", &Items(list))
            }
            LoroValue::Map(map) => {
                let entries: BTreeMap<&str, &LoroValue> = map
                    .iter()
                    .map(|(key, value)| (key.as_str(), value))
                    .collect();
                to.serialize_newtype_variant("LoroValue", 6, "Map", &Entries(entries))
            }
            plain => plain.serialize(to),
        }
    }
}

struct Items<'a>(&'a [LoroValue]);

impl Serialize for Items<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut items = to.serialize_seq(Some(self.0.len()))?;
        for item in self.0 {
            items.serialize_element(&Sorted(item))?;
        }
        items.end()
    }
}

struct Entries<'a>(BTreeMap<&'a str, &'a LoroValue>);

impl Serialize for Entries<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut entries = to.serialize_map(Some(self.0.len()))?;
        for (key, value) in &self.0 {
            entries.serialize_entry(key, &Sorted(value))?;
        }
        entries.end()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use loro::awareness::EphemeralStore;
    use serde_json::json;

    use super::*;

    const NEVER: i64 = i64::MAX / 4;

    fn value() -> LoroValue {
        let value = json!({
            "name": "Ann", "at": [1, -2.5, null, true, {"deep": "er", "a": 1}], "kind": "person",
        });
        LoroValue::from(value)
    }

    #[test]
    fn what_it_says_is_what_loros_own_store_reads() {
        let mut store = Store::default();
        let mut bytes = store.put("7", Some(value()), 1_000);
        let theirs = EphemeralStore::new(NEVER);
        theirs.apply(&bytes).unwrap();
        store.put("8", Some(1.into()), 1_001);
        theirs.apply(&store.encode_all()).unwrap();
        let known = HashMap::from([("7".to_owned(), value()), ("8".to_owned(), 1.into())]);
        assert_eq!(
            theirs
                .get_all_states()
                .into_iter()
                .collect::<HashMap<_, _>>(),
            known
        );
        bytes = store.put("7", None, 1_002);
        theirs.apply(&bytes).unwrap();
        assert_eq!(theirs.get("7"), None);
    }

    #[test]
    fn what_loros_own_store_says_is_read() {
        let theirs = EphemeralStore::new(NEVER);
        theirs.set("7", value());
        theirs.set("8", 1);
        theirs.delete("8");
        let said = decode(&theirs.encode_all());
        assert_eq!(said, Some(BTreeMap::from([("7".to_owned(), value())])));
    }

    #[test]
    fn the_last_word_of_a_moment_is_the_one_that_readers_keep() {
        let mut store = Store::default();
        let theirs = EphemeralStore::new(NEVER);
        for word in ["first", "second"] {
            let bytes = store.put("7", Some(word.into()), 1_000);
            theirs.apply(&bytes).unwrap();
        }
        assert_eq!(theirs.get("7"), Some("second".into()));
    }

    #[test]
    fn what_nobody_renewed_is_forgotten() {
        let mut store = Store::default();
        store.put("7", Some(1.into()), 1_000);
        store.put("8", Some(2.into()), 1_001);
        store.forget_old(1_001 + TIMEOUT_MS);
        assert_eq!(
            store.states().collect::<Vec<_>>(),
            [("8", &LoroValue::from(2))]
        );
    }
}
