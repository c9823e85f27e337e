//! Markdown in and out.

use glade_doc::text::Mark;
use glade_doc::{CanvasDoc, Surface};
use glade_text::markdown::{Source, from_markdown, to_markdown};
use glade_text::{NewBlock, Page, Place, html, write};
use proptest::prelude::*;
use serde_json::json;

/// Blocks as a page, through a real document.
pub fn page_of(blocks: &[NewBlock]) -> Page {
    let mut number = 0;
    let mut id = || {
        number += 1;
        format!("b{number}")
    };
    let edits = write(&Page::default(), Place::End, blocks, &mut id);
    let doc = CanvasDoc::blank(Surface::Text);
    doc.commit(1, None, &edits).unwrap();
    Page::read(&doc.elements())
}

fn through(source: &str) -> String {
    to_markdown(&page_of(&from_markdown(source)))
}

#[test]
fn what_pages_hold_comes_out_as_it_went_in() {
    for source in [
        "# Plan\n\nWe *meet* on **Monday**, not ~~Sunday~~.\n",
        "- one\n- two\n  - deeper\n- three\n",
        "1. first\n2. second\n   - inside\n3. third\n",
        "- [ ] open\n- [x] done\n",
        "> quoted\n>\n> twice\n",
        "> [!WARNING]\n> careful\n",
        "```rust\nfn main() {}\n```\n",
        "---\n",
        "![a cat](cat.png)\n",
        "$$\nE = mc^2\n$$\n",
        "| Name | Age |\n| --- | --- |\n| Ann | 31 |\n| Ben \\| B | *29* |\n",
        "see [the docs](https://example.org/) and `code`\n",
        "two lines\\\nin one\n",
        "<u>under</u> and <mark>bright</mark>\n",
        "*a **b** c* and ***d** e*\n",
        "*see [the **docs**](https://example.org/) now*\n",
        "4. four\n5. five\n",
        "see [the docs](https://example.org/ \"all \\\"of\\\" them\")\n",
        "![a cat](cat.png \"asleep\")\n",
        "[![built](badge.svg)](https://example.org/ci)\n",
        "press <kbd>Ctrl</kbd> *and* <kbd>C</kbd><!-- why -->\n",
        "so $a^2 + b^2$ is $c^2$, for \\$5\n",
        "| formula |\n| --- |\n| $a \\| b$ |\n",
        "> # In it\n>\n> - one\n> - two\n>\n> ```\n> code\n> ```\n>\n> words\n\nafter\n",
        "> > twice\n>\n> once\n",
        "> one\n\n> another\n",
        "- item\n  > quoted\n  >\n  > on\n- \n  > first\n",
        "- one\n\n* another\n* list\n",
        "1. one\n\n1) another\n2) list\n",
        "hey\\![here](/there)\n",
        "> ```\n> code\n> ```\n\n> another\n",
        "> one\n>\n> > two\n>\n> > three\n",
        "- apart\n\n- from it\n",
        "- \n  ```\n  code\n  ```\n- two\n",
        "| Left | Right |\n| --- | --- |\n| **bold** | [link](#page=pg_a) |\n|  | `a \\| b` |\n",
        "- [ ] open\n  - [x] inside\n- [x] done\n",
        "a \\* star, an under_score, 1\\. no list\n",
    ] {
        let expected = if source.starts_with("a \\*") {
            "a \\* star, an under_score, 1. no list\n"
        } else {
            source
        };
        assert_eq!(through(source), expected);
    }
}

#[test]
fn blocks_keep_what_they_are() {
    let blocks = from_markdown("## Two\n\n1. step\n\n   more\n\n- [x] did\n");
    let shapes: Vec<(&str, &str)> = blocks
        .iter()
        .map(|block| (block.kind.as_str(), block.text.as_str()))
        .collect();
    assert_eq!(
        shapes,
        [
            ("heading", "Two"),
            ("listItem", "step"),
            ("paragraph", "more"),
            ("listItem", "did")
        ]
    );
    assert_eq!(blocks[0].props["level"], json!(2));
    assert_eq!(blocks[1].props["list"], json!("ordered"));
    assert_eq!(blocks[2].props["indent"], json!(1));
    assert_eq!(blocks[3].props["checked"], json!(true));
}

#[test]
fn html_holds_no_script() {
    let source = "a <script>alert(1)</script> b\n\n| a |\n| - |\n| <script>alert(4)</script> |\n\n[x](javascript:alert(1))\n\n<script>\nalert(2)\n</script>\n\n<img src=x onerror=alert(3)>\n";
    let html = html::to_html(&page_of(&from_markdown(source)));
    for sign in ["<script", "javascript:", "<img"] {
        assert!(!html.contains(sign), "{html}");
    }
}

#[test]
fn a_file_that_nobody_changed_is_written_as_it_stood() {
    for text in [
        "Title\n=====\n\n\n* a\n* b\n\n***\n\nend without a newline",
        "\n\nlate\n\n\n",
        "1) x\n2) y\n\n> a\n  b\n",
        "    code\n\n| a|b |\n|-|-|\n|1|2|\n\ntext\n",
    ] {
        let source = Source::new(text);
        assert_eq!(source.write(&page_of(&source.blocks())), text);
    }
}

#[test]
fn only_a_changed_block_is_written_anew() {
    let text = "Title\n=====\n\nSome *words*  here.\n\n* a\n* b\n\nend\n";
    let source = Source::new(text);
    let mut page = page_of(&source.blocks());
    page.blocks[1].text = "Other words here.".to_owned();
    page.blocks[1].marks.clear();
    assert_eq!(
        source.write(&page),
        text.replace("Some *words*  here.", "Other words here.")
    );
    page.blocks.remove(3);
    assert_eq!(
        source.write(&page),
        "Title\n=====\n\nOther words here.\n\n* a\n\nend\n"
    );
}

fn words() -> impl Strategy<Value = String> {
    let pieces = prop_oneof![
        "[a-z]{1,4}",
        Just("*".to_owned()),
        Just("_".to_owned()),
        Just("`".to_owned()),
        Just("[x](y)".to_owned()),
        Just("<b>".to_owned()),
        Just("# ".to_owned()),
        Just("- ".to_owned()),
        Just("1. ".to_owned()),
        Just("&amp;".to_owned()),
        Just("~~".to_owned()),
        Just("|".to_owned()),
        Just("\\".to_owned()),
        Just("$x$".to_owned()),
        Just(" ".to_owned()),
    ];
    proptest::collection::vec(pieces, 1..8).prop_map(|pieces| pieces.concat().trim().to_owned())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Whatever people write, a page that is exported and imported says the same.
    #[test]
    fn plain_words_survive_export_and_import(texts in proptest::collection::vec(words(), 1..4), kind in 0usize..4) {
        let kind = ["paragraph", "heading", "blockquote", "listItem"][kind];
        let collapse = |text: &str| text.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        let blocks: Vec<NewBlock> = texts.iter().map(|text| collapse(text)).filter(|text| !text.is_empty()).map(|text| {
            let block = NewBlock::new(kind, text);
            if kind == "heading" { block.with("level", 2) } else if kind == "listItem" { block.with("list", "bullet") } else { block }
        }).collect();
        let source = to_markdown(&page_of(&blocks));
        let again = from_markdown(&source);
        let said: Vec<&str> = again.iter().map(|block| block.text.as_str()).collect();
        let meant: Vec<&str> = blocks.iter().map(|block| block.text.as_str()).collect();
        prop_assert_eq!(said, meant, "{}", source);
    }

    /// A link's title is anything that fits on its mark.
    #[test]
    fn link_titles_survive_export_and_import(title in "[ -~\u{e4}\n]{1,12}", words in words()) {
        let text = format!("{words}!see it");
        let from = text.chars().count() - 2;
        let link = json!({"href": "https://example.org/a_(b)", "title": title});
        let mark = Mark { from, to: from + 2, name: "link".to_owned(), value: link };
        let block = NewBlock { marks: vec![mark], ..NewBlock::new("paragraph", text) };
        let source = to_markdown(&page_of(std::slice::from_ref(&block)));
        let again = from_markdown(&source);
        let found: Vec<&Mark> = again.iter().flat_map(|block| &block.marks).collect();
        let wanted: Vec<&Mark> = block.marks.iter().collect();
        prop_assert_eq!(found, wanted, "{}", source);
    }
}
