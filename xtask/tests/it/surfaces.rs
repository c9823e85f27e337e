//! Nobody asks whether a page is a text page: what differs between surfaces is asked of the surface, or made for each of
//! them in a `match`.

use proc_macro2::{TokenStream, TokenTree};

use crate::sources::{flat, of_crates};

/// How often something is compared with one surface.
fn comparisons(tokens: &TokenStream) -> usize {
    let words: Vec<String> = flat(tokens)
        .iter()
        .map(|token| match token {
            TokenTree::Group(_) => String::new(),
            other => other.to_string(),
        })
        .collect();
    let compared = |three: &[String]| {
        ["=", "!"].contains(&three[0].as_str()) && three[1] == "=" && three[2] == "Surface"
    };
    words.windows(3).filter(|three| compared(three)).count()
}

#[test]
fn no_page_is_compared_with_one_surface() {
    let found: Vec<String> = of_crates()
        .iter()
        .filter(|source| !source.path.starts_with("crates/glade-doc/"))
        .filter(|source| comparisons(&source.tokens) > 0)
        .map(|source| source.path.clone())
        .collect();
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn comparisons_are_told_from_matches_and_values() {
    let count = |text: &str| comparisons(&text.parse().unwrap());
    let compares = "a == Surface::Text; if b != Surface::Canvas {}";
    let others =
        "let a = Surface::Text; match b { Surface::Canvas => Surface::Text }; f(Surface::Text)";
    assert_eq!([count(compares), count(others)], [2, 0]);
}
