//! Things are named by what a stranger in this field would guess. Words that were our own are gone, and stay gone.

use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};

use crate::sources::{flat, of_crates, root};

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

/// The private words in a text or in the names that are in it, as they come.
fn in_prose(text: &str) -> Vec<String> {
    let names = text.split(|ch: char| !ch.is_alphanumeric());
    let is_private = |word: &String| NOT_IN_PROSE.contains(&word.as_str());
    names.flat_map(words).filter(is_private).collect()
}

/// The studio's sources, without its tests.
fn of_the_studio(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            of_the_studio(&path, into);
        } else if !path.to_string_lossy().contains(".test.") {
            into.push(path);
        }
    }
}

#[test]
fn no_private_words_are_left_in_comments_and_messages() {
    let mut files: Vec<PathBuf> = of_crates()
        .into_iter()
        .map(|it| root().join(it.path))
        .collect();
    let rust = files.len();
    of_the_studio(&root().join("web/src"), &mut files);
    assert!(files.len() > rust + 200, "the studio's sources are gone");
    let found: Vec<String> = files
        .iter()
        .flat_map(|path| {
            let words = in_prose(&fs::read_to_string(path).unwrap());
            words
                .into_iter()
                .map(|word| format!("{word} in {}", path.display()))
        })
        .collect();
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn prose_is_read_word_by_word() {
    let text = "/// The Desk's deeds, \"restless\": no desktop and no indeed; a FairyDesk";
    assert_eq!(in_prose(text), ["desk", "deeds", "restless", "desk"]);
}

#[test]
fn names_are_read_word_by_word() {
    let tokens = "mod house; struct FairyDesk; fn extend(carry_out: u8) { signature_holds(\"desk\") } const ALONE: u8 = 1;";
    let found = private_words(&tokens.parse().unwrap());
    assert_eq!(found, ["house", "desk", "carry", "alone"]);
}
