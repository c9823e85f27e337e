//! A page as HTML, for reading elsewhere.

use pulldown_cmark::{Parser, html};

use crate::markdown::{OPTIONS, to_markdown};
use crate::page::Page;

/// The page's HTML: a fragment without a head. What people wrote is escaped; it holds no script.
pub fn to_html(page: &Page) -> String {
    let mut page = page.clone();
    for block in &mut page.blocks {
        block.props.remove("raw"); // HTML that somebody wrote is shown, not obeyed
    }
    let source = to_markdown(&page);
    let mut out = String::new();
    html::push_html(&mut out, Parser::new_ext(&source, OPTIONS));
    out
}
