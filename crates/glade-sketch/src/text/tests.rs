//! What `sketch` makes of a page, as actions.

use glade_agent::parts::text_blocks::{SeenBlock, TextBlocks};
use serde_json::{Value, json};

use super::answer;

/// A page of blocks, each `kind: words`.
fn page(blocks: &[&str]) -> TextBlocks {
    let block = |(at, said): (usize, &&str)| {
        let (kind, text) = said.split_once(": ").unwrap();
        let (kind, level) = match kind.strip_prefix("heading") {
            Some(level) => ("heading", level.parse().ok()),
            None => (kind, None),
        };
        SeenBlock {
            block_id: format!("b{at}"),
            kind: kind.to_owned(),
            level,
            list: (kind == "list-item").then(|| "bullet".to_owned()),
            indent: 0,
            rows: None,
            text: text.to_owned(),
            markdown: None,
            shortened: false,
        }
    };
    TextBlocks {
        blocks: blocks.iter().enumerate().map(block).collect(),
        outline: Vec::new(),
        selected: Vec::new(),
        part: None,
    }
}

/// The actions, in few words.
fn does(message: &str, blocks: &[&str]) -> Vec<String> {
    let word = |action: &Value, name: &str| action[name].as_str().unwrap_or("").to_owned();
    let told = |action: Value| match action["_type"].as_str().unwrap() {
        "message" => word(&action, "text"),
        "block-insert" => format!(
            "after {}: {}",
            word(&action, "afterId"),
            word(&action, "text")
        ),
        "block-delete" => format!("delete {}", word(&action, "blockId")),
        "text-rewrite" => format!("{}: {}", word(&action, "blockId"), word(&action, "text")),
        "list-set" => format!("{} list {}", word(&action, "list"), action["blockIds"]),
        "block-set-kind" => format!(
            "{} is {} {}{}{}",
            word(&action, "blockId"),
            word(&action, "kind"),
            action["level"]
                .as_u64()
                .map(|n| n.to_string())
                .unwrap_or_default(),
            word(&action, "list"),
            if action["checked"] == json!(true) {
                " done"
            } else {
                ""
            }
        ),
        other => other.to_owned(),
    };
    answer(message, &page(blocks))
        .into_iter()
        .map(told)
        .collect()
}

#[test]
fn lines_of_values_become_a_table_and_nothing_else_is_touched() {
    assert_eq!(
        does(
            "make a table",
            &[
                "heading1: Guests, and others",
                "paragraph: Dear Ann, this is who comes.",
                "paragraph: Name, Age, Town\n\"Müller, Hans\", 31, Köln",
                "paragraph: Eva, 29",
                "paragraph: See you soon, Ben!",
            ]
        ),
        [
            "A table of 3 rows.",
            "after b3: | Name | Age | Town |\n| --- | --- | --- |\n| Müller, Hans | 31 | Köln |\n| Eva | 29 |  |",
            "delete b2",
            "delete b3",
        ]
    );
    assert_eq!(
        does(
            "Make a table of this",
            &["paragraph: Prices:\nApple;1,5\nPear;2,5"]
        ),
        [
            "A table of 2 rows.",
            "after b0: | Apple | 1,5 |\n| --- | --- |\n| Pear | 2,5 |",
            "b0: Prices:"
        ]
    );
    assert_eq!(
        does("table", &["paragraph: a\tb", "paragraph: 1\t2"])[1],
        "after b1: | a | b |\n| --- | --- |\n| 1 | 2 |"
    );
    let none = does(
        "make a table",
        &[
            "paragraph: We met Ann, who was late.",
            "paragraph: And Ben, too.",
        ],
    );
    assert!(
        none[0].starts_with("There are no lines of values"),
        "{none:?}"
    );
    assert_eq!(none.len(), 1);
}

#[test]
fn a_table_in_the_message_keeps_values_in_quotes() {
    assert_eq!(
        does("Table: Name, Age; \"Müller, H\", 4", &[])[1],
        "after end: | Name | Age |\n| --- | --- |\n| Müller, H | 4 |"
    );
}

#[test]
fn one_paragraph_becomes_steps_and_lists() {
    assert_eq!(
        does(
            "number the steps",
            &[
                "heading1: Tea",
                "paragraph: Boil water. Then add tea. Drink."
            ]
        ),
        [
            "Making numbered steps of 3 parts.",
            "b1: Boil water.",
            "ordered list [\"b1\"]",
            "after b1: 1. Then add tea.\n1. Drink.",
        ]
    );
    assert_eq!(
        does("make this a list", &["paragraph: milk, eggs and bread"])[1..],
        [
            "b0: milk",
            "bullet list [\"b0\"]",
            "after b0: - eggs\n- bread"
        ]
    );
    assert_eq!(
        does("make numbered steps", &["paragraph: one", "paragraph: two"]),
        [
            "Making numbered steps of 2 lines.",
            "ordered list [\"b0\",\"b1\"]"
        ]
    );
}

#[test]
fn tidying_leaves_no_level_out_and_reads_signs() {
    assert_eq!(
        does(
            "tidy this page",
            &[
                "heading2: Plan",
                "heading4: Deep",
                "paragraph: - [x] did  it",
                "paragraph: + one",
                "list-item: two   three",
                "heading6: Deeper",
                "heading2: Back",
                "paragraph: 2024 was good",
            ]
        ),
        [
            "Tidied: 7 changes.",
            "b1 is heading 3",
            "b2 is list-item task done",
            "b2: did it",
            "b3 is list-item bullet",
            "b3: one",
            "b4: two three",
            "b5 is heading 4",
        ]
    );
    assert_eq!(
        does("tidy", &["heading1: A", "paragraph: B."]),
        ["It is tidy already."]
    );
}

#[test]
fn an_outline_says_the_first_words_of_each_note() {
    assert_eq!(
        does(
            "make an outline",
            &[
                "paragraph: Kosten: 500 Euro",
                "paragraph: 3.5 percent, at 10:30",
                "paragraph: Why? Because."
            ]
        ),
        [
            "An outline of what is there.",
            "after end: ## Outline\n\n- Kosten\n- 3.5 percent\n- Why",
        ]
    );
}

#[test]
fn what_is_beyond_it_changes_nothing() {
    for message in [
        "Translate this into French",
        "Mach daraus eine Tabelle",
        "Make it sound better",
    ] {
        let said = does(message, &["paragraph: Hello"]);
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(said[0].contains("Anything else is beyond me."));
    }
}
