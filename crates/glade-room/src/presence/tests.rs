use loro::awareness::EphemeralStore;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

const TIMEOUT_MS: i64 = i64::MAX / 4;
const NOW: i64 = 1_700_000_000_000;
const ANN: Shower<'_> = Shower {
    subject: "person:ann",
    name: "Ann",
    region: None,
};
const BEN: Shower<'_> = Shower {
    subject: "person:ben",
    name: "Ben",
    region: None,
};

fn bytes(entries: &[(&str, Value)]) -> Vec<u8> {
    let store = EphemeralStore::new(TIMEOUT_MS);
    for (key, value) in entries {
        store.set(key, LoroValue::from(value.clone()));
    }
    store.encode_all()
}

/// Somebody whose cursor is at a place.
fn at(x: i64) -> Value {
    json!({ "cursor": { "x": x, "y": 0 } })
}

/// What others are shown of it.
fn shown(who: Shower<'_>, said: &Value) -> LoroValue {
    let mut shown = said.clone();
    for (key, value) in [
        ("subject", who.subject),
        ("name", who.name),
        ("kind", "person"),
    ] {
        shown[key] = json!(value);
    }
    LoroValue::from(shown)
}

type Taken = Result<Vec<Vec<u8>>, PresenceRefusal>;

fn say(presence: &mut Presence, conn: u64, who: Shower<'_>, entries: &[(&str, Value)]) -> Taken {
    presence.apply(ConnId(conn), who, &bytes(entries), NOW, |_| false)
}

#[test]
fn a_peer_sets_its_own_keys_and_they_are_passed_on() {
    let mut presence = Presence::default();
    let out = say(&mut presence, 1, ANN, &[("7", at(1)), ("7/cursor", at(2))]);
    assert_eq!(out.unwrap().len(), 2);
}

#[test]
fn a_full_resend_of_what_others_said_is_ignored() {
    let mut presence = Presence::default();
    say(&mut presence, 1, ANN, &[("7", at(1))]).unwrap();
    let anns = json!(shown(ANN, &at(1)));
    let out = say(&mut presence, 2, BEN, &[("7", anns), ("8", at(5))]);
    assert_eq!(out.unwrap().len(), 1);
}

#[test]
fn changing_anothers_value_is_refused_and_changes_nothing() {
    let mut presence = Presence::default();
    say(&mut presence, 1, ANN, &[("7", at(1))]).unwrap();
    let refused = say(&mut presence, 2, BEN, &[("7", at(2)), ("8", at(5))]);
    assert_eq!(refused, Err(PresenceRefusal::Foreign { key: "7".into() }));
    let states: Vec<_> = presence.store.states().collect();
    assert_eq!(states, [("7", &shown(ANN, &at(1)))]);
}

#[test]
fn nobody_takes_back_what_another_shows() {
    let mut presence = Presence::default();
    say(&mut presence, 1, ANN, &[("7", at(1))]).unwrap();
    let store = EphemeralStore::new(TIMEOUT_MS);
    store.set("7", 1);
    store.delete("7");
    let out = presence.apply(ConnId(2), BEN, &store.encode_all(), NOW, |_| false);
    assert_eq!(out, Ok(Vec::new()));
    assert_eq!(presence.keys().collect::<Vec<_>>(), ["7"]);
}

#[test]
fn a_key_of_a_peer_bound_to_somebody_else_is_not_taken() {
    let mut presence = Presence::default();
    let bytes = bytes(&[("9", at(1))]);
    let out = presence.apply(ConnId(1), ANN, &bytes, NOW, |peer| peer == 9);
    assert_eq!(out, Ok(Vec::new()));
}

#[test]
fn leaving_removes_the_keys_of_the_connection_only() {
    let mut presence = Presence::default();
    say(&mut presence, 1, ANN, &[("7", at(1))]).unwrap();
    say(&mut presence, 2, BEN, &[("8", at(1))]).unwrap();
    assert_eq!(presence.leave(ConnId(1), NOW).len(), 1);
    assert_eq!(presence.store.states().count(), 1);
}

#[test]
fn nobody_says_that_they_are_somebody_else_or_a_fairy() {
    let mut presence = Presence::default();
    for (value, fits) in [
        (json!({ "subject": "person:ann", "kind": "person" }), true),
        (json!({ "name": "no subject" }), true),
        (json!({ "subject": "person:ben" }), false),
        (json!({ "subject": "person:ann", "kind": "fairy" }), false),
        (json!({ "fairy": "fy_1" }), false),
        (json!({ "hat": "cap" }), false),
    ] {
        let taken = say(&mut presence, 1, ANN, &[("7", value.clone())]);
        assert_eq!(taken.is_ok(), fits, "{value:?}");
    }
}

#[test]
fn a_fairy_says_of_itself_only_who_it_is() {
    let mut presence = Presence::default();
    let fay = Shower {
        subject: "fairy:fy_1",
        name: "Fay",
        region: None,
    };
    for (value, fits) in [
        (json!({ "fairy": "fy_1", "kind": "fairy" }), true),
        (json!({ "fairy": "fy_2" }), false),
    ] {
        let taken = say(&mut presence, 1, fay, &[("7", value.clone())]);
        assert_eq!(taken.is_ok(), fits, "{value:?}");
    }
}

#[test]
fn whoever_they_say_they_are_others_see_the_name_that_the_workspace_knows() {
    let mut presence = Presence::default();
    for said in [json!({ "name": "Owner", "color": "#123456" }), at(3)] {
        say(&mut presence, 1, ANN, &[("7", said.clone())]).unwrap();
        assert_eq!(presence.store.get("7"), Some(&shown(ANN, &said)));
    }
}

#[test]
fn who_has_a_region_shows_no_cursor_outside_of_it() {
    let mut presence = Presence::default();
    let region = Region::new(0, 0, 100, 100).unwrap();
    let guest = Shower {
        region: Some(&region),
        ..ANN
    };
    for (x, seen) in [(50, at(50)), (150, json!({ "cursor": null }))] {
        say(&mut presence, 1, guest, &[("7", at(x))]).unwrap();
        assert_eq!(presence.store.get("7"), Some(&shown(ANN, &seen)));
    }
}

#[test]
fn a_connection_has_room_for_a_few_keys() {
    let mut presence = Presence::default();
    let mut refused = None;
    for n in 0..100 {
        let key = format!("7/{n}");
        let taken = say(&mut presence, 1, ANN, &[(&key, at(1))]);
        refused = refused.or(taken.err().map(|refusal| (n, refusal)));
    }
    assert_eq!(refused, Some((16, PresenceRefusal::TooMany)));
    assert_eq!(presence.store.states().count(), 16);
    let key = "7".repeat(3) + &"/".repeat(100);
    let refused = say(&mut presence, 2, BEN, &[(&key, at(1))]);
    assert_eq!(refused, Err(PresenceRefusal::TooLarge { key }));
}

#[test]
fn garbage_is_refused() {
    let mut presence = Presence::default();
    // A list of one list, and so on, as deep as a frame is long; and a time before all times.
    let deep = [&[1, 1, b'7', 1][..], &[5, 1].repeat(100_000)].concat();
    let early = [&[1, 1, b'7', 0][..], &[0xff; 9], &[1]].concat();
    for bytes in [&[0xff; 9][..], &deep, &early] {
        assert_eq!(
            presence.apply(ConnId(1), ANN, bytes, NOW, |_| false),
            Err(PresenceRefusal::Malformed)
        );
    }
}

/// Anything that JSON can say, and what comes close to what may be shown.
fn anything() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,20}".prop_map(Value::from),
        "[a-z]{2000}".prop_map(Value::from),
    ];
    let key = prop_oneof![
        prop::sample::select(vec![
            "subject",
            "name",
            "kind",
            "color",
            "cursor",
            "selection",
            "viewport",
            "activity",
            "caret",
            "fairy",
            "x",
            "y",
            "w",
            "h",
            "anchor",
            "head",
            "block",
            "at",
        ])
        .prop_map(str::to_owned),
        ".{0,12}",
    ];
    leaf.prop_recursive(4, 64, 8, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::hash_map(key.clone(), inner, 0..6)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    /// Whatever is said, others hear only what fits the table, from whom it is.
    #[test]
    fn what_does_not_fit_reaches_nobody(said in anything()) {
        let mut presence = Presence::default();
        say(&mut presence, 1, ANN, &[("7", at(1))]).unwrap();
        let fits = check_presence_value(&LoroValue::from(said.clone())).is_ok();
        let taken = say(&mut presence, 2, BEN, &[("8", said)]);
        prop_assert!(fits || taken.is_err());
        prop_assert_eq!(presence.store.get("7"), Some(&shown(ANN, &at(1))));
        let seen = EphemeralStore::new(TIMEOUT_MS);
        for bytes in taken.iter().flatten() {
            seen.apply(bytes).unwrap();
        }
        prop_assert_eq!(taken.is_err(), seen.get("8").is_none());
        if let Some(value) = seen.get("8") {
            let map = check_presence_value(&value).unwrap();
            prop_assert_eq!(map.get("name"), Some(&"Ben".into()));
            prop_assert_eq!(map.get("subject"), Some(&"person:ben".into()));
            prop_assert_eq!(map.get("kind"), Some(&"person".into()));
        }
        prop_assert!(taken.is_ok() || presence.keys().eq(["7"]));
    }
}
