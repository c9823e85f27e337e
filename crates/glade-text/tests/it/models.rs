//! What a model is shown of blocks, and what becomes of them when it writes them anew.

use glade_doc::text::Mark;
use glade_text::markdown::{Shower, from_lines, from_markdown};
use glade_text::{Block, NewBlock, Styled};
use proptest::prelude::*;
use serde_json::json;

use crate::work::page_of;

fn shown(block: &Block) -> String {
    Shower::default().show(block)
}

fn styled(source: &str) -> Styled {
    let blocks = from_lines(source);
    let block = blocks.into_iter().next().unwrap_or_default();
    Styled {
        text: block.text,
        marks: block.marks,
    }
}

/// A paragraph, as it stands on a page.
fn block(text: &str, marks: &[(usize, usize, &str)]) -> Block {
    let mark = |(from, to, name): &(usize, usize, &str)| Mark {
        from: *from,
        to: *to,
        name: (*name).to_owned(),
        value: match *name {
            "link" => json!("https://example.org/"),
            "comment-anchor" => json!("cm_1"),
            "highlight" => json!("yellow"),
            _ => json!(true),
        },
    };
    NewBlock {
        marks: marks.iter().map(mark).collect(),
        ..NewBlock::new("paragraph", text)
    }
    .as_block()
}

/// What a block is after a model that was shown it wrote this.
fn rewritten(block: &Block, written: &str) -> Styled {
    Styled::of(block).rewritten(&styled(&shown(block)), &styled(written))
}

fn marks(styled: &Styled) -> Vec<String> {
    let chars: Vec<char> = styled.text.chars().collect();
    let told = |mark: &Mark| {
        let words: String = chars[mark.from..mark.to].iter().collect();
        format!("{}: {words}", mark.name)
    };
    styled.marks.iter().map(told).collect()
}

#[test]
fn a_block_is_shown_with_no_more_backslashes_than_it_needs() {
    for source in [
        "# 1. Soil (wet)",
        "costs $5, not $10 [net]",
        "5 * 3 = 15 & a_b < c | d",
        "`let a` is **bold** in [it](https://example.org/a_b)",
        "- [ ] open",
        "- [x] done",
        "> [!WARNING]\n> hot",
        "```rust\nfn main() {}\n```",
        "![a cat](cat.png \"asleep\")",
        "| a | b |\n| --- | --- |\n| *c* | 1_000 |",
        "one line\nand another",
    ] {
        let blocks = from_lines(source);
        assert_eq!(shown(&blocks[0].as_block()), source);
    }
}

#[test]
fn marks_stay_with_their_words_through_a_rewriting() {
    let page = block(
        "See the old page now.",
        &[(8, 11, "bold"), (12, 16, "link")],
    );
    assert_eq!(
        shown(&page),
        "See the **old** [page](https://example.org/) now."
    );
    let new = rewritten(
        &page,
        "Now look at the **new** [page](https://example.org/).",
    );
    assert_eq!(new.text, "Now look at the new page.");
    assert_eq!(marks(&new), ["bold: new", "link: page"]);
    let plain = rewritten(&page, "See the old [page](https://example.org/) now.");
    assert_eq!(marks(&plain), ["link: page"]);
    let more = rewritten(&page, "*See* the **old** [page](https://example.org/) now.");
    assert_eq!(marks(&more), ["italic: See", "bold: old", "link: page"]);
}

#[test]
fn what_markdown_has_no_sign_for_stays_with_its_words() {
    let page = block(
        "We meet on Monday.",
        &[(3, 17, "comment-anchor"), (11, 17, "highlight")],
    );
    let new = rewritten(&page, "We all meet early on <mark>Tuesday</mark>.");
    assert_eq!(
        marks(&new),
        [
            "comment-anchor: meet early on Tuesday",
            "highlight: Tuesday"
        ]
    );
    assert!(
        new.marks.iter().any(|mark| mark.value == json!("yellow")),
        "{new:?}"
    );
}

#[test]
fn a_rewriting_on_its_way_keeps_what_it_has_not_come_to() {
    let page = Styled::of(&block(
        "We meet on Monday. Bring the plans.",
        &[(29, 34, "bold")],
    ));
    let begun = page.begun(&styled("We *gather* on"));
    assert_eq!(begun.text, "We gather on Monday. Bring the plans.");
    assert_eq!(marks(&begun), ["italic: gather", "bold: plans"]);
}

#[test]
fn a_mark_is_set_and_taken_off_on_a_range_and_nowhere_else() {
    let page = Styled::of(&block("one two three", &[(0, 7, "bold"), (4, 7, "italic")]));
    assert_eq!(
        marks(&page.marked(4, 13, "bold", None)),
        ["bold: one ", "italic: two"]
    );
    let link = page.marked(4, 7, "link", Some(&json!("https://example.org/")));
    let code = link.marked(4, 7, "code", Some(&json!(true)));
    assert_eq!(marks(&code), ["bold: one two", "code: two", "italic: two"]);
}

/// Inline Markdown of all sorts, well formed and not.
fn inline() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[a-zé]{1,5}",
        2 => Just(" ".to_owned()),
        1 => "[a-z]{1,4}( [a-z]{1,4})?".prop_map(|words| format!("**{words}**")),
        1 => "[a-z]{1,4}( [a-z]{1,4})?".prop_map(|words| format!("*{words}*")),
        1 => "[a-z]{1,4}".prop_map(|words| format!("~~{words}~~")),
        1 => "[a-z*_]{1,4}".prop_map(|words| format!("`{words}`")),
        1 => "[a-z*]{1,4}".prop_map(|words| format!("[{words}](https://example.org/a_b?c=d&e \"t\")")),
        1 => "[a-z]{1,4}".prop_map(|words| format!("<u>{words}</u>")),
        1 => "[a-z]{1,4}".prop_map(|words| format!("<mark>{words}</mark>")),
        1 => Just("$x_1$".to_owned()),
        1 => Just("<kbd>".to_owned()),
        2 => prop::sample::select(vec!["*", "_", "`", "[", "]", "(", "<", ">", "$", "~", "|", "!", "#", "\\", "&amp;", "1.", "-", "+", "\n", "\u{2028}", "=", ":"]).prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 1..10).prop_map(|pieces| pieces.concat())
}

/// Words with marks anywhere, those that Markdown cannot write included.
fn odd() -> impl Strategy<Value = Block> {
    let names = [
        "bold",
        "italic",
        "strike",
        "underline",
        "highlight",
        "link",
        "code",
        "comment-anchor",
    ];
    let mark = (0usize..24, 1usize..8, prop::sample::select(names.to_vec()));
    (
        "[ a-z.*_`!$\\[\\]<#\n-]{1,24}",
        prop::collection::vec(mark, 0..5),
    )
        .prop_map(|(text, some)| {
            let length = text.chars().count();
            let fitting = some.into_iter().filter(|(from, ..)| *from < length);
            let marks: Vec<_> = fitting
                .map(|(from, more, name)| (from, (from + more).min(length), name))
                .collect();
            // As a document holds them.
            let made = NewBlock {
                marks: block(&text, &marks).marks,
                ..NewBlock::new("paragraph", text)
            };
            page_of(&[made]).blocks.into_iter().next().unwrap()
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Whatever inline Markdown a page was made of: shown to a model and written back it is the same document.
    #[test]
    fn what_is_shown_and_written_back_is_the_same_document(source in inline()) {
        let Some(block) = page_of(&from_markdown(&source)).blocks.into_iter().next() else { return Ok(()) };
        prop_assume!(block.kind == "paragraph");
        let own = Styled::of(&block);
        prop_assert_eq!(rewritten(&block, &shown(&block)), own);
        prop_assert_eq!(&styled(&shown(&block)).text, &block.text, "{}", shown(&block));
    }

    /// Also of words with marks that no Markdown can write.
    #[test]
    fn a_rewriting_with_the_same_words_changes_nothing(block in odd()) {
        prop_assert_eq!(rewritten(&block, &shown(&block)), Styled::of(&block));
    }

    /// One word replaced by another: every other word wears what it wore.
    #[test]
    fn marks_of_untouched_words_never_move(words in prop::collection::vec(("[a-z]{2,5}", 0usize..6), 2..9), which in 0usize..9, new in "[A-Z]{1,6}") {
        let which = which % words.len();
        let signs = [("", ""), ("**", "**"), ("*", "*"), ("[", "](https://example.org/)"), ("`", "`"), ("~~", "~~")];
        // Each word once, so that it can be found again.
        let named: Vec<(String, usize)> = words.iter().enumerate().map(|(at, (word, sign))| (format!("{word}{at}"), *sign)).collect();
        let source = |replaced: bool| -> String {
            let words = named.iter().enumerate().map(|(at, (word, sign))| {
                let word = if replaced && at == which { &new } else { word };
                format!("{}{word}{}", signs[*sign].0, signs[*sign].1)
            });
            words.collect::<Vec<_>>().join(" ")
        };
        let block = page_of(&from_markdown(&source(false))).blocks.remove(0);
        let after = rewritten(&block, &source(true));
        let worn = |styled: &Styled, word: &str| -> Vec<String> {
            let Some(at) = styled.text.find(word) else { return Vec::new() };
            let at = styled.text[..at].chars().count();
            let over = styled.marks.iter().filter(|mark| mark.from <= at && at < mark.to);
            over.map(|mark| format!("{} {}", mark.name, mark.value)).collect()
        };
        for (at, (word, _)) in named.iter().enumerate().filter(|(at, _)| *at != which) {
            prop_assert_eq!(worn(&after, word), worn(&Styled::of(&block), word), "word {} of {}", at, source(true));
        }
    }
}
