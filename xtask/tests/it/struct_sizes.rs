//! No struct has more fields than a reader can keep in mind.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

use crate::sources::{flat, of_crates};

const MOST_FIELDS: usize = 18;

/// Structs that are still over, with the most fields that each may have. An entry goes when its struct is split; a
/// number never grows.
const STILL_OVER: &[(&str, usize)] = &[
    ("Agent", 20),
    ("FairyTask", 26),
    ("RoomCore", 28),
    // The simulator's.
    ("World", 20),
];

/// The structs with named fields in these tokens, and how many each has.
fn structs(tokens: &TokenStream) -> Vec<(String, usize)> {
    let tokens = flat(tokens);
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let is_struct = matches!(token, TokenTree::Ident(word) if word == "struct");
        let Some(TokenTree::Ident(name)) = tokens.get(at + 1).filter(|_| is_struct) else {
            continue;
        };
        let body = tokens[at + 1..].iter().find_map(|token| match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                Some(fields(&group.stream()))
            }
            TokenTree::Punct(punct) if punct.as_char() == ';' => Some(0),
            _ => None,
        });
        found.push((name.to_string(), body.unwrap_or_default()));
    }
    found
}

/// How many names stand before a single colon.
fn fields(body: &TokenStream) -> usize {
    let tokens: Vec<TokenTree> = body.clone().into_iter().collect();
    let is_field = |pair: &[TokenTree]| match pair {
        [TokenTree::Ident(_), TokenTree::Punct(punct)] => {
            punct.as_char() == ':' && punct.spacing() == Spacing::Alone
        }
        _ => false,
    };
    tokens.windows(2).filter(|pair| is_field(pair)).count()
}

#[test]
fn no_struct_has_too_many_fields() {
    let over: Vec<(String, usize)> = of_crates()
        .iter()
        .flat_map(|source| structs(&source.tokens))
        .filter(|(_, count)| *count > MOST_FIELDS)
        .collect();
    let most = |name: &str| STILL_OVER.iter().find(|(known, _)| *known == name);
    let new: Vec<_> = over
        .iter()
        .filter(|(name, count)| most(name).is_none_or(|(_, most)| count > most))
        .collect();
    assert!(new.is_empty(), "split these: {new:?}");
    let gone: Vec<_> = STILL_OVER
        .iter()
        .filter(|(known, _)| over.iter().all(|(name, _)| name != known))
        .collect();
    assert!(gone.is_empty(), "strike these from the list: {gone:?}");
}

#[test]
fn fields_are_counted_and_paths_are_not() {
    let text = "struct A<T: Copy> where T: Send { #[serde(default)] pub a: std::fmt::Result, b: Vec<(u8, T)> }
        struct Unit; struct Pair(u8, u8); fn f() { struct Inside { c: [u8; 2] } }";
    let found = structs(&text.parse().unwrap());
    let expected = [("A", 2), ("Unit", 0), ("Pair", 0), ("Inside", 1)];
    assert_eq!(
        found,
        expected.map(|(name, count)| (name.to_owned(), count))
    );
}
