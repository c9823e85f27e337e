//! Things are named by what a stranger in this field would guess. Words that were our own are gone, and stay gone.

use proc_macro2::{TokenStream, TokenTree};

use crate::sources::{flat, of_crates};

/// In no identifier, as a word of it.
const NOWHERE: &[&str] = &[
    "carrier",
    "carry",
    "deed",
    "deeds",
    "desk",
    "notary",
    "parcel",
    "restless",
    "sieve",
    "tend",
    "turnstile",
];

/// Plain English in a sentence (`signature_holds`), but no name of a module, a type or a constant.
const NO_ITEM: &[&str] = &["alone", "book", "holding", "holds", "house", "means"];

const ITEMS: &[&str] = &[
    "const", "enum", "mod", "static", "struct", "trait", "type", "union",
];

/// Where a word is still to go: the beginning of a path, and the word.
const STILL_THERE: &[(&str, &str)] = &[
    ("crates/glade-agent/src/", "deed"),
    ("crates/glade-host/src/fairies/", "carry"),
    ("crates/glade-host/src/fairies/", "deed"),
    ("crates/glade-host/src/fairies/", "deeds"),
    ("crates/glade-host/src/rooms/", "deed"),
];

/// `CamelCase` and `snake_case` as words.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = '_';
    for ch in name.chars() {
        if ch == '_' || (ch.is_uppercase() && !before.is_uppercase()) {
            words.push(String::new());
        }
        if let Some(last) = words.last_mut().filter(|_| ch != '_') {
            last.extend(ch.to_lowercase());
        }
        before = ch;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The private words among these tokens' identifiers.
fn private_words(tokens: &TokenStream) -> Vec<String> {
    let mut found = Vec::new();
    let mut before = String::new();
    for token in flat(tokens) {
        if let TokenTree::Ident(name) = &token {
            let name = name.to_string();
            let words = words(&name);
            let is_item = ITEMS.contains(&before.as_str());
            let bad = |word: &&String| {
                let word = word.as_str();
                NOWHERE.contains(&word) || (is_item && NO_ITEM.contains(&word))
            };
            found.extend(words.iter().filter(bad).cloned());
            before = name;
        } else {
            before.clear();
        }
    }
    found
}

#[test]
fn no_private_words_are_left_in_names() {
    let mut found = Vec::new();
    let mut unused: Vec<_> = STILL_THERE.iter().collect();
    for source in of_crates() {
        for word in private_words(&source.tokens) {
            let is_known =
                |(path, known): &(&str, &str)| source.path.starts_with(path) && *known == word;
            if STILL_THERE.iter().any(is_known) {
                unused.retain(|known| !is_known(known));
            } else {
                found.push(format!("{} in {}", word, source.path));
            }
        }
    }
    found.dedup();
    assert_eq!(found, Vec::<String>::new());
    assert!(unused.is_empty(), "strike what is gone: {unused:?}");
}

#[test]
fn names_are_read_word_by_word() {
    let tokens = "mod house; struct FairyDesk; fn extend(carry_out: u8) { signature_holds(\"desk\") } const ALONE: u8 = 1;";
    let found = private_words(&tokens.parse().unwrap());
    assert_eq!(found, ["house", "desk", "carry", "alone"]);
}
