//! Things are named by what a stranger in this field would guess. Words that were our own are gone, and stay gone.

use proc_macro2::{TokenStream, TokenTree};

use crate::sources::{flat, of_crates, read};

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
const NO_ITEM: &[&str] = &[
    "alone", "book", "given", "heard", "holding", "holds", "house", "means", "said", "told", "wish",
];

const ITEMS: &[&str] = &[
    "const", "enum", "mod", "static", "struct", "trait", "type", "union",
];

/// In no comment and no message either: they say nothing to whoever was not told.
const NOT_IN_PROSE: &[&str] = &[
    "deed",
    "deeds",
    "desk",
    "notary",
    "parcel",
    "restless",
    "sieve",
    "turnstile",
];

/// Where a word is still to go: the beginning of a path, and the word.
const STILL_THERE: &[(&str, &str)] = &[];

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

/// The private words in a text, one beside the other as they come.
fn in_prose(text: &str) -> Vec<String> {
    let words = text.split(|ch: char| !ch.is_alphanumeric());
    let lower = words.map(str::to_lowercase);
    lower
        .filter(|word| NOT_IN_PROSE.contains(&word.as_str()))
        .collect()
}

#[test]
fn no_private_words_are_left_in_comments_and_messages() {
    let found: Vec<String> = of_crates()
        .iter()
        .flat_map(|source| {
            let words = in_prose(&read(&source.path));
            words
                .into_iter()
                .map(|word| format!("{word} in {}", source.path))
        })
        .collect();
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn prose_is_read_word_by_word() {
    let text = "/// The Desk's deeds, \"restless\": no desktop and no indeed";
    assert_eq!(in_prose(text), ["desk", "deeds", "restless"]);
}

#[test]
fn names_are_read_word_by_word() {
    let tokens = "mod house; struct FairyDesk; fn extend(carry_out: u8) { signature_holds(\"desk\") } const ALONE: u8 = 1;";
    let found = private_words(&tokens.parse().unwrap());
    assert_eq!(found, ["house", "desk", "carry", "alone"]);
}
