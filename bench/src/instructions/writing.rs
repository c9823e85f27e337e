//! Text pages: a paragraph that is rewritten beside others, and Markdown in and out.

use anyhow::{Result, ensure};
use glade_doc::{Edit, ElementId, PageDoc, Props, Surface};
use glade_text::{InsertAt, Page, markdown, write};
use serde_json::json;

use super::Work;

const BLOCKS: usize = 200;
const FAIRY: u64 = 3;
const ROUNDS: usize = 20;

fn source() -> String {
    (0..BLOCKS)
        .map(|at| match at % 5 {
            0 => format!("## Part {at}\n\n"),
            1 => format!(
                "- [ ] buy **{at}** apples\n- and `some` [more](https://example.org/{at})\n\n"
            ),
            2 => format!("| a | b |\n|---|---|\n| {at} | two |\n\n"),
            _ => format!("Paragraph {at} says *this* and that, at some length, as people do.\n\n"),
        })
        .collect()
}

pub fn markdown_both_ways() -> Result<Work> {
    let source = source();
    Ok(Box::new(move || {
        let blocks = markdown::from_markdown(&source);
        let mut next = 0;
        let mut id = || {
            next += 1;
            format!("b{next}")
        };
        let edits = write(&Page::default(), InsertAt::End, &blocks, &mut id);
        let doc = PageDoc::blank(Surface::Text);
        doc.commit(FAIRY, None, &edits)?;
        let elements = doc.elements();
        let written = markdown::to_markdown(&Page::read(&elements));
        ensure!(written.len() > source.len() / 2, "most of it is gone");
        Ok(())
    }))
}

pub fn paragraph_rewritten() -> Result<Work> {
    let doc = PageDoc::blank(Surface::Text);
    let id = |at: usize| ElementId::from(format!("b{at}"));
    let words =
        |at: usize| format!("Paragraph {at} says this and that, at some length, as people do.");
    let blocks: Vec<Edit> = (0..BLOCKS)
        .map(|at| Edit::Put {
            id: id(at),
            props: Props::from_iter([
                ("type".to_owned(), json!("paragraph")),
                ("index".to_owned(), json!(format!("a{at:04}"))),
                ("originalText".to_owned(), json!(words(at))),
            ]),
        })
        .collect();
    doc.commit(1, None, &blocks)?;
    Ok(Box::new(move || {
        for at in 0..ROUNDS {
            let edit = Edit::Rewrite {
                id: id(at),
                base: words(at),
                text: words(at).replace("this and that", "something else, and more of it"),
                marks: None,
            };
            ensure!(
                doc.commit(FAIRY, None, &[edit])?.is_some(),
                "no word changed"
            );
        }
        Ok(())
    }))
}
