//! A page as an HTML file, for reading elsewhere.
//!
//! The file is opened wherever it ends up, so it must be harmless by itself: it is put together by
//! [`writer::Writer`], which cannot write what people wrote as anything but words, and carries a
//! policy that lets it load and run nothing.

mod address;
mod events;
mod writer;

use glade_doc::text::HTML;
use pulldown_cmark::Parser;

use crate::markdown::{OPTIONS, to_markdown};
use crate::page::Page;
use crate::table::Table;

/// Pictures that are in the file and inline styles, and nothing else.
const POLICY: &str = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; \
     base-uri 'none'; form-action 'none'";

/// The page as a whole HTML file. It holds no script, whatever the page holds.
pub fn to_html(page: &Page) -> String {
    let title = title(page).to_owned();
    let mut page = page.clone();
    // HTML that somebody wrote is shown, not obeyed.
    for block in &mut page.blocks {
        block.props.remove("raw");
        block.marks.retain(|mark| mark.name != HTML);
        for cell in block.table.iter_mut().flat_map(Table::cells_mut) {
            cell.marks.retain(|mark| mark.name != HTML);
        }
    }
    let source = to_markdown(&page);
    let mut out = writer::Writer::document();
    out.open("html", &[]);
    out.open("head", &[]);
    out.open("meta", &[("charset", "utf-8")]);
    let policy = [
        ("http-equiv", "Content-Security-Policy"),
        ("content", POLICY),
    ];
    out.open("meta", &policy);
    out.open("title", &[]);
    out.text(&title);
    out.close("title");
    out.close("head");
    out.line();
    out.open("body", &[]);
    out.line();
    events::write(Parser::new_ext(&source, OPTIONS), &mut out);
    if let Some(note) = page.left_out() {
        out.open("p", &[]);
        out.text(&note);
        out.close("p");
        out.line();
    }
    out.close("body");
    out.close("html");
    out.line();
    out.finish()
}

/// The first heading, or what there is.
fn title(page: &Page) -> &str {
    let heading = page.blocks.iter().find(|block| block.kind == "heading");
    let first = heading.or_else(|| page.blocks.first());
    let words = first.map_or("", |block| block.text.as_str());
    words.lines().next().unwrap_or_default()
}
