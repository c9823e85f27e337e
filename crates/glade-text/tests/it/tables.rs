//! A table is read for what is stored of it, and no further than a table may go.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use glade_doc::{ElementId, Props};
use glade_text::{InsertAt, NewBlock, Page, html, markdown, write};
use serde_json::json;

type Elements = BTreeMap<ElementId, Props>;

fn put(elements: &mut Elements, id: &str, props: serde_json::Value) {
    elements.insert(ElementId::from(id), props.as_object().unwrap().clone());
}

fn add_table(elements: &mut Elements, name: &str, columns: usize, rows: usize) {
    put(elements, name, json!({"nodeName": "table", "index": name}));
    for (kind, count) in [("tableColumn", columns), ("tableRow", rows)] {
        for at in 0..count {
            let id = format!("{name}{}{at:05}", &kind[5..6]);
            let index = format!("a{at:05}1");
            let props = json!({"nodeName": kind, "parent": name, "index": index});
            put(elements, &id, props);
        }
    }
}

#[test]
fn a_table_of_endless_cells_is_shown_as_far_as_a_table_goes() {
    let mut elements = Elements::new();
    add_table(&mut elements, "t", 12_000, 12_000);
    for (cell, text) in [
        ("tR00000.tC00099", "last"),
        ("tR00000.tC00100", "beyond"),
        ("tR00099.tC00000", "low"),
    ] {
        put(
            &mut elements,
            cell,
            json!({"nodeName": "tableCell", "originalText": text}),
        );
    }
    let begun = Instant::now();
    let page = Page::read(&elements);
    let table = page.blocks[0].table.as_ref().unwrap();
    assert_eq!((table.columns.len(), table.rows.len()), (100, 100));
    let cells: Vec<(usize, &str)> = table
        .cells()
        .map(|cell| (cell.column, cell.text.as_str()))
        .collect();
    assert_eq!(cells, [(99, "last"), (0, "low")]);
    assert_eq!(page.set_aside.len(), 11_900 * 2);
    assert_eq!(page.set_aside[0], ElementId::from("tC00100"));
    let text = markdown::to_markdown(&page);
    assert_eq!(text.lines().count(), 101);
    assert!(text.contains("last") && !text.contains("beyond"));
    // What leaves as a file says what is not in it.
    let note =
        "Left out of this file: 23800 rows and columns beyond what the tables of a page may have.";
    let file = markdown::to_markdown_file(&page);
    assert_eq!(file, format!("{text}\n{note}\n"));
    let file = html::to_html(&page);
    assert!(file.contains("<td>low</td>") && file.contains(&format!("<p>{note}</p>")));
    assert_eq!(page.blocks[0].all_text().lines().count(), 100);
    assert!(
        begun.elapsed() < Duration::from_secs(1),
        "{:?}",
        begun.elapsed()
    );
}

#[test]
fn many_large_tables_share_what_a_page_shows() {
    let mut elements = Elements::new();
    for at in 0..100 {
        add_table(&mut elements, &format!("t{at:02}"), 100, 100);
    }
    let begun = Instant::now();
    let page = Page::read(&elements);
    let rows: Vec<usize> = page
        .blocks
        .iter()
        .map(|block| block.table.as_ref().unwrap().rows.len())
        .collect();
    assert_eq!(rows, [100, 100]);
    assert_eq!(page.set_aside.len(), 98 * 100);
    html::to_html(&page);
    assert!(
        begun.elapsed() < Duration::from_secs(1),
        "{:?}",
        begun.elapsed()
    );
}

#[test]
fn a_cell_is_found_by_its_row_and_column_whatever_they_are_called() {
    let mut elements = Elements::new();
    let part = |kind: &str, index: &str| json!({"nodeName": kind, "parent": "t", "index": index});
    put(&mut elements, "t", json!({"nodeName": "table"}));
    for (id, kind, index) in [
        ("b", "tableColumn", "a2"),
        ("x.b", "tableColumn", "a1"),
        ("r", "tableRow", "a1"),
        ("r.x", "tableRow", "a2"),
    ] {
        put(&mut elements, id, part(kind, index));
    }
    put(&mut elements, "r.x.b", json!({"originalText": "both"}));
    put(&mut elements, "r.b", json!({"originalText": "one"}));
    put(&mut elements, "r.other", json!({"originalText": "none"}));
    let page = Page::read(&elements);
    let words: Vec<Vec<&str>> = page.blocks[0].table.as_ref().unwrap().words().collect();
    assert_eq!(words, [["both", "one"], ["", "both"]]);
}

#[test]
fn a_file_with_too_large_a_table_keeps_it_as_it_is_written() {
    let wide = |columns: usize| {
        format!(
            "{}|\n{}|\n",
            "| a ".repeat(columns),
            "| --- ".repeat(columns)
        )
    };
    let long = |rows: usize| format!("{}{}", wide(2), "| b | c |\n".repeat(rows));
    let kinds = |source: &str| -> Vec<String> {
        markdown::from_markdown(source)
            .into_iter()
            .map(|block| block.kind)
            .collect()
    };
    assert_eq!(kinds(&wide(100)), ["table"]);
    assert_eq!(kinds(&long(4_999)), ["table"]);
    for source in [
        wide(101),
        long(5_000),
        format!("> {}", wide(101).trim().replace('\n', "\n> ")),
    ] {
        let blocks = markdown::from_markdown(&source);
        assert_eq!(blocks.len(), 1);
        assert_eq!(
            (blocks[0].kind.as_str(), &blocks[0].rows),
            ("codeBlock", &Vec::new())
        );
        assert_eq!(markdown::to_markdown(&shown(&blocks)).trim(), source.trim());
    }
}

#[test]
fn a_file_loses_only_what_no_page_takes() {
    let long = format!("$$\n{}\n$$", "x".repeat(10_001));
    let page = shown(&markdown::from_markdown(&long));
    assert_eq!(
        (page.blocks[0].kind.as_str(), page.blocks[0].word("lang")),
        ("codeBlock", "math")
    );
    let page = shown(&markdown::from_markdown(&format!(
        "```{}\na\n```",
        "x".repeat(1_025)
    )));
    assert_eq!(
        (page.blocks[0].kind.as_str(), page.blocks[0].word("lang")),
        ("codeBlock", "")
    );
}

#[test]
fn formulas_and_lines_that_no_page_takes_stay_as_words() {
    let deep = "{".repeat(101) + &"}".repeat(101);
    let page = shown(&markdown::from_markdown(&format!("$$\n{deep}\n$$")));
    assert_eq!(page.blocks[0].kind, "codeBlock");
    let page = shown(&markdown::from_markdown(&format!(
        "so ${deep}$ and $x^2$ end"
    )));
    let marks: Vec<_> = page.blocks[0].marks.iter().collect();
    assert_eq!(marks.len(), 1, "{marks:?}");
    assert_eq!((marks[0].from, marks[0].to), (3 + 202 + 5, 3 + 202 + 8));
    assert!(page.blocks[0].text.contains(&deep));
    let lines = vec!["line"; 6_000].join("\\\n");
    let page = shown(&markdown::from_markdown(&lines));
    assert_eq!(page.blocks[0].text.matches('\n').count(), 5_000);
    assert_eq!(page.blocks[0].text.matches("line").count(), 6_000);
}

/// The page that blocks become.
fn shown(blocks: &[NewBlock]) -> Page {
    let mut count = 0;
    let mut id = || {
        count += 1;
        format!("b{count}")
    };
    let edits = write(&Page::default(), InsertAt::End, blocks, &mut id);
    let mut elements = Elements::new();
    for edit in edits {
        if let glade_doc::Edit::Put { id, props } = edit {
            elements.insert(id, props);
        }
    }
    Page::read(&elements)
}
