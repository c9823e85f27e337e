//! A file that is worked on keeps the bytes of what was not touched.

use glade_text::markdown::{Source, from_markdown};
use glade_text::{Block, NewBlock, Page, Styled};
use proptest::prelude::*;
use serde_json::json;

use crate::work::page_of_file;

fn new(kind: &str, text: &str) -> Block {
    NewBlock::new(kind, text).as_block()
}

/// A file after something was done to its page.
fn after(text: &str, work: impl FnOnce(&mut Page)) -> String {
    let source = Source::new(text);
    let mut page = page_of_file(&source);
    work(&mut page);
    source.write(&page)
}

/// The place of the block that holds these words.
fn at(page: &Page, words: &str) -> usize {
    let held = |block: &Block| block.all_text().contains(words);
    page.blocks.iter().position(held).unwrap()
}

fn replace(page: &mut Page, old: &str, new: &str) {
    let at = at(page, old);
    let block = &mut page.blocks[at];
    let byte = block.text.find(old).unwrap();
    let from = block.text[..byte].chars().count();
    let new = Styled {
        text: new.to_owned(),
        marks: Vec::new(),
    };
    let words = Styled::of(block).replaced(from, from + old.chars().count(), &new);
    (block.text, block.marks) = (words.text, words.marks);
}

#[test]
fn front_matter_is_a_block_of_its_own_and_stays_to_the_byte() {
    let text = "---\ntitle:   Plan # draft\ntags: [a,b]\n---\n\n# Plan\n\nWe meet.\n";
    let changed = after(text, |page| replace(page, "meet", "gather"));
    assert_eq!(changed, text.replace("meet", "gather"));
    let kinds: Vec<String> = from_markdown(text)
        .iter()
        .map(|block| block.kind.clone())
        .collect();
    assert_eq!(kinds, ["codeBlock", "heading", "paragraph"]);
    let toml = "+++\ntitle = \"x\"\n+++\nwords\n";
    assert_eq!(
        after(toml, |page| replace(page, "words", "more")),
        toml.replace("words", "more")
    );
    // A rule above words is none.
    assert_eq!(from_markdown("---\n\na: b\n\n---\n").len(), 3);
    assert_eq!(from_markdown("---\nwords\n---\n").len(), 2);
}

#[test]
fn one_change_leaves_every_other_line_as_it_stood() {
    let text = "Station\n=======\n\n* one colour\n* two\n    * deep\n\n4. four\n5. five\n\n    indented code, colour\n    let a   = 1;\n\n\
        > [!NOTE]\n> a note\n> on two lines\n\n<!-- a comment -->\n\n|a|b|\n|:-|-:|\n|1|2|\n\n__Do not__ stop.  \nNext \\* line, see [it][ref].\n\n[ref]: https://example.org/ 'Title'\n";
    for (old, new) in [
        ("one colour", "one hue"),
        ("deep", "deeper"),
        ("five", "six"),
        ("a   = 1", "a   = 2"),
        ("a note", "the note"),
        ("stop", "go"),
        ("Station", "Mast"),
    ] {
        assert_eq!(
            after(text, |page| replace(page, old, new)),
            text.replace(old, new)
        );
    }
}

#[test]
fn new_items_are_signed_and_numbered_as_their_list_is() {
    let item = |list: &str, text: &str| {
        NewBlock::new("listItem", text)
            .with("list", list)
            .as_block()
    };
    let bullets = after("* a\n* b\n\nend\n", |page| {
        page.blocks.insert(1, item("bullet", "new"))
    });
    assert_eq!(bullets, "* a\n* new\n* b\n\nend\n");
    let steps = after("4) four\n5) five\n", |page| {
        page.blocks.push(item("ordered", "six"))
    });
    assert_eq!(steps, "4) four\n5) five\n6) six\n");
    let deep = after("-   wide\n\nend\n", |page| {
        let mut deep = item("bullet", "deep");
        deep.props.insert("indent".to_owned(), json!(1));
        page.blocks.insert(1, deep);
    });
    assert_eq!(deep, "-   wide\n    - deep\n\nend\n");
}

#[test]
fn addresses_for_links_stay_whatever_goes_beside_them() {
    let text = "See [it][a].\n\n[a]: https://example.org/\n\nGone.\n\nSee [b].\n\n[b]: https://example.com/\n";
    let gone = after(text, |page| {
        let at = at(page, "Gone");
        page.blocks.remove(at);
    });
    assert_eq!(gone, text.replace("Gone.\n\n", ""));
    let added = after(text, |page| page.blocks.insert(1, new("paragraph", "New.")));
    for line in text.lines() {
        assert!(added.contains(line), "{line} is not in {added}");
    }
}

#[test]
fn a_moved_block_keeps_its_bytes() {
    let text = "# A\n\nfirst __one__\n\nsecond *two*\n\n    code\n\nend\n";
    let moved = after(text, |page| {
        let code = page.blocks.remove(3);
        page.blocks.insert(1, code);
    });
    assert_eq!(
        moved,
        "# A\n\n    code\n\nfirst __one__\n\nsecond *two*\n\nend\n"
    );
}

/// Parts of files, as people write them.
fn part() -> impl Strategy<Value = String> {
    let word = "[a-z]{2,6}";
    prop_oneof![
        (word, word).prop_map(|(a, b)| format!("{a} __{b}__ and *{a}*,\nnext line")),
        (word, word).prop_map(|(a, b)| format!("{a} {b}\n{}", "=".repeat(a.len() + b.len() + 1))),
        word.prop_map(|a| format!("### {a} ###")),
        (word, word).prop_map(|(a, b)| format!("* {a}\n* {b}\n    * {a}{b}")),
        (word, word).prop_map(|(a, b)| format!("+ {a}\n\n+ {b}")),
        (word, word).prop_map(|(a, b)| format!("3) {a}\n4) {b}")),
        (word, word).prop_map(|(a, b)| format!("1. {a}\n1. {b}\n1. {a}")),
        (word, word).prop_map(|(a, b)| format!("- [ ] {a}\n- [x] {b}")),
        (word, word).prop_map(|(a, b)| format!("    {a} = 1\n\n    {b}  = 2")),
        (word, word).prop_map(|(a, b)| format!("~~~ {a}\n{b}\n~~~")),
        (word, word).prop_map(|(a, b)| format!("> {a}\n{b}")),
        (word, word).prop_map(|(a, b)| format!("> [!Warning]\n> {a}\n> {b}")),
        (word, word).prop_map(|(a, b)| format!("|{a}|{b}|\n|:-:|-|\n|1|{b}|")),
        word.prop_map(|a| format!("<!-- {a} -->")),
        word.prop_map(|a| format!("<details>\n<summary>{a}</summary>\n</details>")),
        (word, word)
            .prop_map(|(a, b)| format!("see [{a}][{b}]\n\n[{b}]: https://example.org/{a} '{b}'")),
        Just("***".to_owned()),
        word.prop_map(|a| format!("![{a}]({a}.png)")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// One word of one block is changed: the bytes before and behind that block are those that were there.
    #[test]
    fn files_keep_untouched_bytes(parts in prop::collection::vec(part(), 2..8), front in any::<bool>(), which in 0usize..64) {
        let front = if front { "---\nname:  x\n---\n\n" } else { "" };
        let which = which % parts.len();
        let text = |parts: &[String]| format!("{front}{}\n", parts.join("\n\n"));
        // A word of its own, to be found again.
        let mut marked = parts.clone();
        marked[which].push_str("\n\nthe QQQ word");
        let before = text(&marked);
        let written = after(&before, |page| replace(page, "QQQ", "other"));
        prop_assert_eq!(&written, &before.replace("QQQ", "other"));
        // The block goes: all lines of the others are there, in their order.
        let without = after(&before, |page| {
            let at = at(page, "QQQ");
            page.blocks.remove(at);
        });
        let lines = |text: &str| -> Vec<String> {
            let lines = text.lines().filter(|line| !["", ">"].contains(&line.trim()) && !line.contains("QQQ"));
            lines.map(str::to_owned).collect()
        };
        // Right behind a list, or behind its like, indented code would be a part of that: it gets fences.
        let takes_in = |part: &String| ["    ", "* ", "+ ", "- ", "3) ", "1. "].iter().any(|sign| part.starts_with(sign));
        let code = parts.get(which + 1).is_some_and(|next| next.starts_with("    "));
        if !(code && takes_in(&parts[which])) {
            prop_assert_eq!(lines(&without), lines(&before), "{}", without);
        }
        // One comes: the same.
        let more = after(&before, |page| {
            let at = at(page, "QQQ");
            page.blocks.insert(at, new("paragraph", "a QQQ more"));
        });
        prop_assert_eq!(lines(&more), lines(&before), "{}", more);
    }
}
