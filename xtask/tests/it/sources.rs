//! Our sources, as text and as tokens.

use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_owned()
}

/// A file of the repository.
pub fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

pub struct Source {
    /// From the repository's root.
    pub path: String,
    pub tokens: TokenStream,
}

/// What the crates are made of: every file under `crates/*/src`, without the modules of tests.
pub fn of_crates() -> Vec<Source> {
    let root = root();
    let mut files = Vec::new();
    for entry in fs::read_dir(root.join("crates")).unwrap() {
        walk(&entry.unwrap().path().join("src"), &mut files);
    }
    files.sort();
    assert!(files.len() > 300, "only {} files found", files.len());
    let source = |file: &PathBuf| {
        let path = file.strip_prefix(&root).unwrap().to_str().unwrap();
        let tokens = fs::read_to_string(file).unwrap().parse().unwrap();
        Source {
            path: path.to_owned(),
            tokens: without_tests(tokens),
        }
    };
    files.iter().map(source).collect()
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_owned();
        if name == "tests" {
            continue;
        }
        if path.is_dir() {
            walk(&path, files);
        } else if path.extension().is_some_and(|it| it == "rs") {
            files.push(path);
        }
    }
}

/// Leaves out what `#[cfg(test)]` and `#[test]` stand before, up to the end of its braces.
pub fn without_tests(tokens: TokenStream) -> TokenStream {
    let mut kept: Vec<TokenTree> = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let is_hash = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '#');
        if is_hash && tokens.peek().is_some_and(is_test_attribute) {
            for token in tokens.by_ref() {
                let ends = match &token {
                    TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
                    TokenTree::Punct(punct) => punct.as_char() == ';',
                    _ => false,
                };
                if ends {
                    break;
                }
            }
        } else {
            kept.push(token);
        }
    }
    kept.into_iter().collect()
}

fn is_test_attribute(token: &TokenTree) -> bool {
    ["[test]", "[cfg(test)]"].contains(&token.to_string().replace(' ', "").as_str())
}

/// Every token, those in groups too.
pub fn flat(tokens: &TokenStream) -> Vec<TokenTree> {
    let mut all = Vec::new();
    for token in tokens.clone() {
        if let TokenTree::Group(group) = &token {
            let inside = flat(&group.stream());
            all.push(token);
            all.extend(inside);
        } else {
            all.push(token);
        }
    }
    all
}

#[test]
fn tests_are_left_out() {
    let tokens = |text: &str| text.parse::<TokenStream>().unwrap();
    let kept = without_tests(tokens(
        "#[cfg(test)] mod tests; struct A { a: u8 } #[cfg(test)] mod more { struct B; } fn c() {}",
    ));
    assert_eq!(
        kept.to_string(),
        tokens("struct A { a: u8 } fn c() {}").to_string()
    );
}
