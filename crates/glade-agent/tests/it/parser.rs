//! The stream parser: any cut of a text gives the same actions, and no text breaks it.

use std::path::Path;

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::stream::{feed, whole};

/// Whether `part` can grow into `all`.
fn is_prefix(part: &Value, all: &Value) -> bool {
    match (part, all) {
        (Value::String(part), Value::String(all)) => all.starts_with(part.as_str()),
        (Value::Array(part), Value::Array(all)) => {
            part.len() <= all.len() && part.iter().zip(all).all(|(part, all)| is_prefix(part, all))
        }
        (Value::Object(part), Value::Object(all)) => part
            .iter()
            .all(|(key, part)| all.get(key).is_some_and(|all| is_prefix(part, all))),
        _ => part == all,
    }
}

#[test]
fn the_answers_of_the_corpus_are_the_same_letter_by_letter() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    for entry in std::fs::read_dir(folder).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        whole(&String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn actions_are_found_in_prose_and_code_fences() {
    let text = "Sure [1], here {as asked}:\n```json\n{\"actions\":[{\"_type\":\"think\",\"text\":\"a ``` b\"}]}\n```\nDone {ok}.";
    assert_eq!(whole(text), [json!({"_type": "think", "text": "a ``` b"})]);
}

#[test]
fn a_bare_array_and_single_actions_are_understood() {
    let two = [json!({"_type": "a", "n": 1}), json!({"_type": "b"})];
    assert_eq!(whole(r#"[{"_type":"a","n":1},{"_type":"b"}]"#), two);
    assert_eq!(whole("{\"_type\":\"a\",\"n\":1}\n{\"_type\":\"b\"}"), two);
    assert_eq!(whole(r#"{"n":1,"_type":"a"} and {"_type":"b"}"#), two);
}

#[test]
fn other_keys_beside_the_actions_are_skipped() {
    let text =
        r#"{"thoughts":{"a":[1,{"_type":"no"}]},"actions":[{"_type":"a"}],"more":[{"x":1}]}"#;
    assert_eq!(whole(text), [json!({"_type": "a"})]);
}

#[test]
fn five_actions_in_one_piece_are_five_actions() {
    let actions: Vec<Value> = (0..5)
        .map(|n| json!({"_type": "think", "text": n.to_string()}))
        .collect();
    let text = json!({"actions": actions}).to_string();
    assert_eq!(feed([text.as_str()]).0, actions);
}

#[test]
fn an_escaped_backslash_at_the_end_of_a_string_ends_it_well() {
    let actions = json!([{"_type": "a", "text": "C:\\"}, {"_type": "b", "text": "\\\""}, {"_type": "c", "text": "\\\\"}]);
    assert_eq!(Value::from(whole(&actions.to_string())), actions);
}

#[test]
fn surrogate_pairs_split_over_pieces_become_one_character() {
    let pieces = [
        r#"[{"t":"\ud8"#,
        r#"3d"#,
        r#"\u"#,
        r#"de00 \uD83D!"#,
        r#"\ude00"}]"#,
    ];
    let (whole, partial, _) = feed(pieces);
    assert_eq!(whole, [json!({"t": "😀 \u{FFFD}!\u{FFFD}"})]);
    assert_eq!(
        partial
            .iter()
            .map(|(_, value)| value["t"].as_str().unwrap())
            .collect::<Vec<_>>(),
        ["", "😀 \u{FFFD}!"]
    );
}

#[test]
fn a_cut_stream_never_completes_its_last_action_nor_shows_half_an_atom() {
    let text = r#"{"actions":[{"_type":"move","x":12"#;
    let (whole, partial, _) = feed([text]);
    assert_eq!(whole, Vec::<Value>::new());
    assert_eq!(partial, [(0, json!({"_type": "move"}))]);
    let (whole, partial, _) = feed([text, ",\"y\":tr"]);
    assert_eq!(
        (whole.len(), partial.last().unwrap()),
        (0, &(0, json!({"_type": "move", "x": 12})))
    );
}

#[test]
fn a_partial_is_shown_once_a_piece_and_only_if_it_changed() {
    let (_, partial, _) = feed([r#"[{"a":"#, " ", "\"", "b", "", "c", "\"", "  "]);
    let shown: Vec<Value> = partial.into_iter().map(|(_, value)| value).collect();
    assert_eq!(
        shown,
        [
            json!({}),
            json!({"a": ""}),
            json!({"a": "b"}),
            json!({"a": "bc"})
        ]
    );
}

#[test]
fn broken_json_is_reported_and_nothing_after_it_is_read() {
    let text = r#"{"actions":[{"_type":"a"},{"_type":"b" oh},{"_type":"c"}]}"#;
    let (whole, _, broken) = feed([text]);
    assert_eq!((whole, broken.len()), (vec![json!({"_type": "a"})], 1));
    let deep = format!("[{}", "{\"a\":".repeat(5000));
    assert_eq!(feed([deep.as_str()]).2, ["values nested too deeply"]);
}

#[test]
fn small_slips_are_forgiven() {
    let text = "[{\"_type\":\"a\",\"x\":+1,\"y\":.5,\"t\":\"a\nb\\q\",},]";
    assert_eq!(
        whole(text),
        [json!({"_type": "a", "x": 1.0, "y": 0.5, "t": "a\nbq"})]
    );
}

fn json_value() -> impl Strategy<Value = Value> {
    let text = prop_oneof!["[a-z\"\\\\/\\n\\t{}\\[\\],: ]{0,12}", "\\PC{0,6}"];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-1e9..1e9f64).prop_map(Value::from),
        text.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 5, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            proptest::collection::btree_map("[a-z_\"\\\\]{1,6}", inner, 0..5)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn action() -> impl Strategy<Value = Value> {
    (
        proptest::collection::btree_map("[a-z]{1,6}", json_value(), 0..5),
        "[a-z-]{1,8}",
    )
        .prop_map(|(map, name)| {
            let mut action = serde_json::Map::new();
            action.insert("_type".to_owned(), name.into());
            action.extend(map);
            Value::Object(action)
        })
}

/// The same JSON with every character beyond ASCII, and a few others, escaped.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if c.is_ascii() {
            out.push(c);
        } else {
            let mut units = [0u16; 2];
            for unit in c.encode_utf16(&mut units) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    out
}

fn cut(text: &str, at: &[proptest::sample::Index]) -> Vec<String> {
    let mut ends: Vec<usize> = at.iter().map(|index| index.index(text.len() + 1)).collect();
    ends.retain(|end| text.is_char_boundary(*end));
    ends.push(text.len());
    ends.sort_unstable();
    let mut pieces = Vec::new();
    let mut from = 0;
    for end in ends {
        pieces.push(text[from..end].to_owned());
        from = end;
    }
    pieces
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_cut_gives_what_serde_gives_and_partials_only_grow(
        actions in proptest::collection::vec(action(), 0..5),
        pretty in any::<bool>(),
        ascii in any::<bool>(),
        wrapped in any::<bool>(),
        prose in "[a-z .`\n]{0,20}",
        cuts in proptest::collection::vec(any::<proptest::sample::Index>(), 0..40),
    ) {
        let value = if wrapped { json!({"actions": actions}) } else { json!(actions) };
        let json = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
        let json = if ascii { escaped(&json) } else { json };
        // What serde reads from the print is the measure: printing a float may round it.
        let expected: Value = serde_json::from_str(&json).unwrap();
        let expected = if wrapped { expected["actions"].clone() } else { expected };
        let text = format!("{prose}{json}{prose}");
        let pieces = cut(&text, &cuts);
        let (whole, partial, broken) = feed(pieces.iter().map(String::as_str));
        prop_assert_eq!(broken, Vec::<String>::new());
        prop_assert_eq!(Value::from(whole), expected.clone());
        let mut last: Option<(usize, Value)> = None;
        for (index, value) in partial {
            prop_assert!(is_prefix(&value, &expected[index]), "{} of {}", value, expected[index]);
            if let Some((before, old)) = &last && *before == index {
                prop_assert!(is_prefix(old, &value));
                prop_assert_ne!(old, &value, "only changes are shown");
            }
            last = Some((index, value));
        }
    }

    #[test]
    fn a_prefix_of_a_text_gives_a_prefix_of_its_actions(
        actions in proptest::collection::vec(action(), 1..4),
        at in any::<proptest::sample::Index>(),
    ) {
        let text = json!({"actions": actions}).to_string();
        let expected: Value = serde_json::from_str(&text).unwrap();
        let mut end = at.index(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let (whole, partial, _) = feed([&text[..end]]);
        for (index, value) in whole.iter().enumerate() {
            prop_assert_eq!(value, &expected["actions"][index]);
        }
        for (index, value) in partial {
            prop_assert!(is_prefix(&value, &expected["actions"][index]));
        }
    }

    #[test]
    fn garbage_never_breaks_the_parser(
        pieces in proptest::collection::vec("([\\[\\]{}\":,\\\\ue0-9tfn -]|actions|_type|\\PC){0,12}", 0..30),
    ) {
        let together: String = pieces.concat();
        let (whole, _, broken) = feed(pieces.iter().map(String::as_str));
        let at_once = feed([together.as_str()]);
        prop_assert_eq!((whole, broken), (at_once.0, at_once.2));
    }
}
