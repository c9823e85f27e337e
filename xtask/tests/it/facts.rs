//! A fact of an action or a part is written down once, in its own file: what else needs it asks for it.

use std::collections::BTreeMap;

use proc_macro2::{TokenStream, TokenTree};

use crate::sources::{Source, flat, of_crates};

/// Where an action's name of one word is looked for. With a hyphen it is a name anywhere; a part's of one
/// word (`data`, `time`) says nothing.
const NEAR: &[&str] = &[
    "crates/glade-agent/",
    "crates/glade-code/",
    "crates/glade-host/src/fairies/",
    "crates/glade-room/",
];

/// What may say a name again: the beginning of a path, the name (or all), and why.
const AGAIN: &[(&str, &str, &str)] = &[
    (
        "crates/glade-sketch/",
        "",
        "a model: it writes answers as any model does",
    ),
    (
        "crates/glade-agent/src/adjusted.rs",
        "update",
        "a field of what a model wrote",
    ),
    (
        "crates/glade-room/src/company.rs",
        "block-move",
        "the room knows no actions",
    ),
    (
        "crates/glade-room/src/company.rs",
        "block-delete",
        "the room knows no actions",
    ),
    (
        "crates/glade-room/src/sim/fairies.rs",
        "create",
        "a fairy of the simulator",
    ),
    (
        "crates/glade-agent/src/diagram/ask.rs",
        "label",
        "a field that models write for words",
    ),
    (
        "crates/glade-agent/src/actions/place.rs",
        "align",
        "a field",
    ),
    (
        "crates/glade-agent/src/plugins.rs",
        "search",
        "the name of a plugin",
    ),
    (
        "crates/glade-code/src/chat/turns.rs",
        "message",
        "a field of a stored failure",
    ),
    (
        "crates/glade-host/src/fairies/fairy/comments.rs",
        "search",
        "a field of what was found",
    ),
];

fn literal(token: &TokenTree) -> Option<String> {
    let TokenTree::Literal(literal) = token else {
        return None;
    };
    let text = literal.to_string();
    let inside = text.strip_prefix('"')?.strip_suffix('"')?;
    Some(inside.to_owned())
}

/// The names that `Facts::new("name", …)`, `PartFacts::new("name", …)` and `facts("name", …)` give.
fn defined(tokens: &TokenStream) -> Vec<String> {
    let tokens = flat(tokens);
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let word = |back: usize| match at.checked_sub(back).map(|at| &tokens[at]) {
            Some(TokenTree::Ident(word)) => word.to_string(),
            _ => String::new(),
        };
        let makes = word(1) == "facts"
            || (word(1) == "new" && ["Facts", "PartFacts"].contains(&word(4).as_str()));
        if let (true, TokenTree::Group(group)) = (makes, token) {
            found.extend(group.stream().into_iter().next().as_ref().and_then(literal));
        }
    }
    found
}

fn is_home(source: &Source) -> bool {
    ["actions", "parts"].iter().any(|folder| {
        let home = format!("crates/glade-agent/src/{folder}/");
        source.path.starts_with(&home)
    })
}

#[test]
fn no_name_of_an_action_or_a_part_is_written_twice() {
    let sources = of_crates();
    let mut homes: BTreeMap<String, String> = BTreeMap::new();
    for source in sources.iter().filter(|source| is_home(source)) {
        for name in defined(&source.tokens) {
            homes.insert(name, source.path.clone());
        }
    }
    assert!(homes.len() > 80, "only {} names found", homes.len());
    let mut unused: Vec<_> = AGAIN.iter().collect();
    let mut found = Vec::new();
    for source in &sources {
        for name in flat(&source.tokens).iter().filter_map(literal) {
            let Some(home) = homes.get(&name) else {
                continue;
            };
            let near =
                home.contains("/actions/") && NEAR.iter().any(|path| source.path.starts_with(path));
            if *home == source.path || !(near || name.contains('-')) {
                continue;
            }
            let is_known = |(path, known, _): &(&str, &str, &str)| {
                source.path.starts_with(path) && (known.is_empty() || *known == name)
            };
            if AGAIN.iter().any(is_known) {
                unused.retain(|known| !is_known(known));
            } else {
                found.push(format!("{name:?} in {}, of {home}", source.path));
            }
        }
    }
    found.dedup();
    assert_eq!(found, Vec::<String>::new());
    assert!(unused.is_empty(), "strike what is gone: {unused:?}");
}

#[test]
fn names_are_found_where_they_are_given() {
    let text = r#"static FACTS: Facts = Facts::new("align", "i", On::Canvas); const A: X = X(facts("end-project", Work::Lead)); fn f() { Facts::new(name, "x"); Refusal::new("no") } static B: PartFacts = PartFacts::new("time", Topic::Run);"#;
    assert_eq!(
        defined(&text.parse().unwrap()),
        ["align", "end-project", "time"]
    );
}
