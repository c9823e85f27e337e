//! Markdown in and out.

use glade_doc::text::Mark;
use glade_text::markdown::{Source, from_markdown, to_markdown};
use glade_text::{NewBlock, Page, html};
use proptest::prelude::*;
use serde_json::json;

use crate::work::{page_of, page_of_file};

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
        "*$x$*&#97; and &#98;**(c)**\n",
        "1. one\n\n   <b>\n\n   # two\n",
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
        "| Name | Age | Town |  |\n| :-- | --: | :-: | --- |\n| Ann | 31 | Oslo |  |\n",
        "- a\n\n  - \n\n- b\n",
        "# `a|b` and $a|b$\n",
        "- words\n\n  <b>\n",
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
        "a [b `c` d](https://e.f) g\n",
        "[a <https://b.c> d](https://e.f)\n",
        "\t\t\t",
        "[ref]: /there\n",
    ] {
        let source = Source::new(text);
        assert_eq!(source.write(&page_of_file(&source)), text);
    }
}

#[test]
fn only_a_changed_block_is_written_anew() {
    let text = "Title\n=====\n\nSome *words*  here.\n\n* a\n* b\n\nend\n";
    let source = Source::new(text);
    let mut page = page_of_file(&source);
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

#[test]
fn a_changed_paragraph_keeps_its_lines_and_signs() {
    for (text, old, new, expected) in [
        (
            "The quick brown fox\njumps over the colour and\nruns __fast__ *now*.\n",
            "colour",
            "color",
            "The quick brown fox\njumps over the color and\nruns __fast__ *now*.\n",
        ),
        (
            "* one\n  two colour\n  three\n* b\n",
            "colour",
            "hue and cry",
            "* one\n  two hue and cry\n  three\n* b\n",
        ),
        (
            "> a quote\n> of colour\n\nend\n",
            "colour",
            "hue",
            "> a quote\n> of hue\n\nend\n",
        ),
        (
            "Colour it\n=========\n",
            "Colour",
            "Paint",
            "Paint it\n=========\n",
        ),
        ("a colour\nb\n", "colour\u{20}b", "* c", "a \\* c\n"),
    ] {
        let source = Source::new(text);
        let mut page = page_of_file(&source);
        let block = page
            .blocks
            .iter_mut()
            .find(|block| block.text.contains(old));
        let block = block.unwrap();
        let marks = std::mem::take(&mut block.marks);
        let grown = new.chars().count() as isize - old.chars().count() as isize;
        let at = block.text.find(old).unwrap();
        block.marks = marks
            .into_iter()
            .map(|mut mark| {
                if mark.from >= at {
                    mark.from = mark.from.saturating_add_signed(grown);
                    mark.to = mark.to.saturating_add_signed(grown);
                }
                mark
            })
            .collect();
        block.text = block.text.replace(old, new);
        assert_eq!(source.write(&page), expected);
    }
}

#[test]
fn lines_of_values_stay_lines() {
    let text = |source: &str| from_markdown(source)[0].text.clone();
    for source in [
        "Name, Age\n\"Müller, Hans\", 31\nEva, 29, Rome",
        "Preis;Menge\n1,5;2",
        "a\tb\n1\t2",
    ] {
        assert_eq!(text(source), source);
    }
    assert_eq!(
        text("We met Ann, who was late,\nand Ben, who was not.\n"),
        "We met Ann, who was late, and Ben, who was not."
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

    /// A file in which one word of one block was changed says what the page says.
    #[test]
    fn a_changed_file_reads_as_the_page(parts in proptest::collection::vec((words(), words(), 0usize..6), 1..6), which in 0usize..64, word in "[a-z*#]{1,4}") {
        let source: Vec<String> = parts.iter().map(|(one, two, kind)| match kind {
            0 => format!("{one}\n{two}"),
            1 => format!("## {one}"),
            2 => format!("> {one}\n> {two}"),
            3 => format!("* {one}\n  {two}\n* {two}"),
            4 => format!("1) {one}\n\n   {two}"),
            _ => format!("a _{one}_ __b__\n{two}"),
        }).collect();
        let source = Source::new(&source.join("\n\n"));
        let mut page = page_of_file(&source);
        prop_assume!(!page.blocks.is_empty());
        let which = which % page.blocks.len();
        let block = &mut page.blocks[which];
        prop_assume!(block.kind != "codeBlock" && block.kind != "divider" && block.table.is_none());
        block.text.push_str(&format!(" {word}"));
        let said = |page: &Page| -> Vec<(String, String)> {
            let blocks = page.blocks.iter().filter(|block| !block.text.trim().is_empty());
            blocks.map(|block| (block.kind.clone(), block.text.trim().to_owned())).collect()
        };
        let written = source.write(&page);
        prop_assert_eq!(said(&page_of(&from_markdown(&written))), said(&page), "{}", written);
    }

    /// Marks begin and end anywhere: beside letters, signs, spaces and each other.
    #[test]
    fn marked_words_survive_export_and_import(
        text in "[a-z!$*(. ]{1,12}",
        marks in proptest::collection::vec((0usize..5, 0usize..12, 1usize..6), 1..5),
    ) {
        let text = format!("a{}z", text.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" "));
        let length = text.chars().count();
        let mut block = NewBlock::new("paragraph", text.clone());
        block.marks = marks.into_iter().filter(|(_, from, _)| *from < length).map(|(name, from, chars)| Mark {
            from,
            to: (from + chars).min(length),
            name: ["bold", "italic", "strike", "underline", "code"][name].to_owned(),
            value: json!(true),
        }).collect();
        let source = to_markdown(&page_of(&[block]));
        let again = from_markdown(&source);
        prop_assert_eq!(&again[0].text, &text, "{}", source);
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
