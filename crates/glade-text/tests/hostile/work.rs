//! All that is ever done with a Markdown file. The tests do it with the files of `tests/corpus`, the fuzzer with whatever
//! it comes to.

use glade_doc::{Edit, PageDoc, Surface};
use glade_text::markdown::{Source, from_markdown, to_markdown};
use glade_text::{InsertAt, NewBlock, Page, html, write};

/// Blocks as a page, through a real document.
pub fn page_of(blocks: &[NewBlock]) -> Page {
    let mut number = 0;
    let mut id = || {
        number += 1;
        format!("b{number}")
    };
    page_with(&write(&Page::default(), InsertAt::End, blocks, &mut id))
}

/// A file as a page, through a real document.
pub fn page_of_file(file: &Source) -> Page {
    page_with(&file.edits())
}

fn page_with(edits: &[Edit]) -> Page {
    let doc = PageDoc::blank(Surface::Text);
    doc.commit(1, None, edits)
        .expect("what is read fits the document");
    Page::read(&doc.elements())
}

pub fn read_and_write(bytes: &[u8]) {
    let source = String::from_utf8_lossy(bytes);
    let file = Source::new(&source);
    let page = page_of_file(&file);
    html::to_html(&page);
    page_of(&from_markdown(&to_markdown(&page)));
    let written = file.write(&page);
    assert_eq!(
        written, source,
        "a page that nobody touched is written as it stood"
    );
}
