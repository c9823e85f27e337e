//! Links between pages: `#page=ID` leads to a page, `#page=ID&element=ID` to a shape or a block on it.
//! That is what the studio's own address says, so a browser follows them by itself. In files pages are
//! called otherwise; [`relink_value`] puts one in place of the other.

use glade_doc::text::Mark;
use serde_json::{Value, json};

use crate::page::Page;
use crate::table::Table;
use crate::write::NewBlock;

/// Where a link leads, among pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageLink {
    pub page: String,
    pub element: Option<String>,
}

impl PageLink {
    pub fn read(href: &str) -> Option<Self> {
        let fragment = href.strip_prefix('#')?;
        let value = |name: &str| {
            let mut parts = fragment.split('&').filter_map(|part| part.split_once('='));
            let found = parts.find(|(key, _)| *key == name);
            found
                .map(|(_, value)| value.to_owned())
                .filter(|value| !value.is_empty())
        };
        Some(Self {
            page: value("page")?,
            element: value("element"),
        })
    }

    pub fn href(&self) -> String {
        match &self.element {
            Some(element) => format!("#page={}&element={element}", self.page),
            None => format!("#page={}", self.page),
        }
    }

    /// The same place in a file of this name.
    pub fn in_file(&self, file: &str) -> String {
        match &self.element {
            Some(element) => format!("{file}#element={element}"),
            None => file.to_owned(),
        }
    }

    /// What [`PageLink::in_file`] wrote: the file, and the place in it.
    pub fn of_file(href: &str) -> (&str, Option<String>) {
        match href.split_once("#element=") {
            Some((file, element)) => (file, Some(element.to_owned())),
            None => (href, None),
        }
    }
}

/// Puts other links in the place of those for which there is one.
pub trait Relink {
    fn relink(&mut self, other: &dyn Fn(&str) -> Option<String>);
}

impl Relink for Vec<Mark> {
    fn relink(&mut self, other: &dyn Fn(&str) -> Option<String>) {
        for mark in self.iter_mut().filter(|mark| mark.name == "link") {
            relink_value(&mut mark.value, other);
        }
    }
}

impl Relink for Page {
    fn relink(&mut self, other: &dyn Fn(&str) -> Option<String>) {
        for block in &mut self.blocks {
            block.marks.relink(other);
            if let Some(href) = block.props.get_mut("href") {
                relink_value(href, other);
            }
            for cell in block.table.iter_mut().flat_map(Table::cells_mut) {
                cell.marks.relink(other);
            }
        }
    }
}

impl Relink for NewBlock {
    fn relink(&mut self, other: &dyn Fn(&str) -> Option<String>) {
        self.marks.relink(other);
        for (_, marks) in self.rows.iter_mut().flatten() {
            marks.relink(other);
        }
    }
}

/// One link, with or without a title.
pub fn relink_value(link: &mut Value, other: &dyn Fn(&str) -> Option<String>) {
    let href = match link {
        Value::Object(parts) => match parts.get_mut("href") {
            Some(href) => href,
            None => return,
        },
        plain => plain,
    };
    if let Some(new) = href.as_str().and_then(other) {
        *href = json!(new);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_names_a_page_and_perhaps_a_place_on_it() {
        let link = |page: &str, element: Option<&str>| PageLink {
            page: page.to_owned(),
            element: element.map(str::to_owned),
        };
        for (href, read) in [
            ("#page=pg_a", Some(link("pg_a", None))),
            ("#page=pg_a&element=bk_1", Some(link("pg_a", Some("bk_1")))),
            ("#element=bk_1", None),
            ("https://example.org/#page=pg_a", None),
            ("#page=", None),
        ] {
            assert_eq!(PageLink::read(href), read, "{href}");
            assert!(read.is_none_or(|link| link.href() == href));
        }
        let there = link("pg_a", Some("bk_1"));
        assert_eq!(there.in_file("02-b.md"), "02-b.md#element=bk_1");
        assert_eq!(
            PageLink::of_file("02-b.md#element=bk_1"),
            ("02-b.md", Some("bk_1".to_owned()))
        );
    }
}
