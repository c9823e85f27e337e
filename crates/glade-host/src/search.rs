//! Looking for words on pages.
//!
//! Each page has an inverted index of its own, in memory: words to the places that hold them. It is
//! made when somebody first searches, and is true until the page's pulse goes on; a page that nobody
//! has changed is searched without opening its room. Nothing of it is stored, so there is nothing to
//! migrate, to compact or to leak: what a deleted page said is gone with it.
//!
//! *Invariant:* a caller names the pages that it may read before anything is looked up; what it may not
//! read is never even counted.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use glade_doc::{ElementId, PageId, Props, Surface};
use glade_text::{Page as TextPage, Table};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::rooms::{RoomError, Rooms};
use crate::workspace::Page;

/// Places that one search answers with.
pub const MOST: usize = 50;
/// Characters shown on either side of what was found.
const AROUND: usize = 60;

/// A place where words stand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Found {
    pub page: String,
    pub page_name: String,
    /// The shape or block that holds them.
    pub element: String,
    /// The words around them.
    pub text: String,
}

/// Where words stand on these pages: all of them in one shape, block or cell, beginnings of words
/// counting. Where they stand in a row comes first.
pub async fn find(rooms: &Rooms, pages: &[Page], query: &str) -> Result<Vec<Found>, RoomError> {
    let query = Arc::new(Query::new(query));
    let (mut first, mut then) = (Vec::new(), Vec::new());
    for page in pages {
        if first.len() >= MOST {
            break;
        }
        let words = rooms.words(&PageId::from(page.id.as_str())).await?;
        let (query, page) = (Arc::clone(&query), page.clone());
        // Long texts take a while, and others wait for this thread.
        let looking = tokio::task::spawn_blocking(move || words.on(&page, &query));
        let found = looking.await;
        for (found, in_a_row) in found.map_err(|error| RoomError::Document(error.to_string()))? {
            if in_a_row {
                first.push(found)
            } else {
                then.push(found)
            }
        }
    }
    first.extend(then);
    first.truncate(MOST);
    Ok(first)
}

/// What is looked for.
pub struct Query {
    whole: String,
    words: Vec<String>,
}

impl Query {
    pub fn new(query: &str) -> Self {
        Self {
            whole: query.trim().to_lowercase(),
            words: words_of(query).collect(),
        }
    }

    /// Whether there is anything to look for.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The words around the first of what is looked for.
    fn around(&self, text: &str) -> String {
        let lower = text.to_lowercase();
        let wanted = if lower.contains(&self.whole) {
            self.whole.as_str()
        } else {
            self.words.first().map_or("", String::as_str)
        };
        let at = lower.find(wanted).unwrap_or(0);
        let at = lower[..at].chars().count();
        let from = at.saturating_sub(AROUND);
        let length = at - from + wanted.chars().count() + AROUND;
        text.chars().skip(from).take(length).collect()
    }
}

fn words_of(text: &str) -> impl Iterator<Item = String> {
    text.split(|ch: char| !ch.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

/// The words of one page.
#[derive(Debug, Default)]
pub struct PageWords {
    places: Vec<Passage>,
    /// Which places hold a word.
    words: BTreeMap<String, BTreeSet<usize>>,
}

/// Words that belong together.
#[derive(Debug)]
struct Passage {
    element: ElementId,
    text: String,
}

impl PageWords {
    pub fn read(surface: Surface, elements: &BTreeMap<ElementId, Props>) -> Self {
        let mut page = Self::default();
        match surface {
            Surface::Canvas => {
                for (id, props) in elements {
                    let gone = props.get("isDeleted") == Some(&Value::Bool(true));
                    let text = props.get("originalText").and_then(Value::as_str);
                    if let Some(text) = text.filter(|_| !gone) {
                        page.add(id, text);
                    }
                }
            }
            Surface::Text => {
                for block in TextPage::read(elements).blocks {
                    page.add(&block.id, &block.text);
                    for cell in block.table.iter().flat_map(Table::cells) {
                        page.add(&block.id, &cell.text);
                    }
                }
            }
        }
        page
    }

    fn add(&mut self, element: &ElementId, text: &str) {
        let place = self.places.len();
        for word in words_of(text) {
            self.words.entry(word).or_default().insert(place);
        }
        self.places.push(Passage {
            element: element.clone(),
            text: text.to_owned(),
        });
    }

    /// The same as they are shown, as many as are shown of one page.
    fn on(&self, page: &Page, query: &Query) -> Vec<(Found, bool)> {
        let mut places = self.find(query);
        places.sort_by_key(|(_, in_a_row)| !in_a_row);
        let shown = places.into_iter().take(MOST).map(|(place, in_a_row)| {
            let found = Found {
                page: page.id.clone(),
                page_name: page.name.clone(),
                element: place.element.to_string(),
                text: query.around(&place.text),
            };
            (found, in_a_row)
        });
        shown.collect()
    }

    /// The places that hold all of it, and whether in a row.
    fn find(&self, query: &Query) -> Vec<(&Passage, bool)> {
        let holding = |word: &String| -> BTreeSet<usize> {
            let from = self.words.range(word.clone()..);
            let these = from.take_while(|(known, _)| known.starts_with(word));
            these.flat_map(|(_, places)| places).copied().collect()
        };
        let mut all = query.words.iter().map(holding);
        let first = all.next().unwrap_or_default();
        let places = all.fold(first, |kept, next| &kept & &next);
        let place = |at: usize| {
            let place = &self.places[at];
            (place, place.text.to_lowercase().contains(&query.whole))
        };
        places.into_iter().map(place).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn page(texts: &[&str]) -> PageWords {
        let mut page = PageWords::default();
        for (at, text) in texts.iter().enumerate() {
            page.add(&ElementId(at.to_string()), text);
        }
        page
    }

    fn found(page: &PageWords, query: &str) -> Vec<(String, bool)> {
        let places = page.find(&Query::new(query)).into_iter();
        places
            .map(|(place, row)| (place.element.to_string(), row))
            .collect()
    }

    #[test]
    fn every_word_must_be_there_and_beginnings_count() {
        let page = page(&["We meet on Monday.", "Monday we rest", "On and on"]);
        let one = |id: &str, row| (id.to_owned(), row);
        assert_eq!(found(&page, "monday"), [one("0", true), one("1", true)]);
        assert_eq!(found(&page, "MON we"), [one("0", false), one("1", false)]);
        assert_eq!(found(&page, "on mon"), [one("0", true)]);
        assert_eq!(found(&page, "day"), []);
        assert_eq!(found(&page, "…"), []);
    }

    #[test]
    fn what_is_found_is_shown_among_its_neighbours() {
        let around = |text: &str, query: &str| Query::new(query).around(text);
        assert_eq!(around("We meet on Monday.", "monday"), "We meet on Monday.");
        let long = format!("{} Ärger {}", "x".repeat(100), "y".repeat(100));
        assert_eq!(around(&long, "ärger").chars().count(), 125);
    }

    #[test]
    fn cells_belong_to_their_table_and_deleted_words_are_gone() {
        let elements = json!({
            "t": {"nodeName": "table", "parent": null, "index": "B"},
            "c": {"nodeName": "tableColumn", "parent": "t", "index": "B"},
            "r": {"nodeName": "tableRow", "parent": "t", "index": "B"},
            "r.c": {"nodeName": "tableCell", "parent": "r", "index": "V", "originalText": "Tea"},
            "p": {"nodeName": "paragraph", "parent": null, "index": "D", "originalText": "Tea too"},
            "q": {"nodeName": "paragraph", "parent": null, "index": "F", "originalText": "No tea", "isDeleted": true},
        });
        let elements: BTreeMap<ElementId, Props> = serde_json::from_value(elements).unwrap();
        let page = PageWords::read(Surface::Text, &elements);
        let places: Vec<String> = found(&page, "tea").into_iter().map(|(id, _)| id).collect();
        assert_eq!(places, ["t", "p"]);
    }

    #[test]
    fn a_table_of_endless_cells_is_read_in_a_moment() {
        let mut elements: BTreeMap<ElementId, Props> = BTreeMap::new();
        let mut put = |id: String, props: Value| {
            elements.insert(ElementId(id), props.as_object().unwrap().clone());
        };
        put("t".to_owned(), json!({"nodeName": "table"}));
        put("r0.c0".to_owned(), json!({"originalText": "Tea"}));
        for at in 0..12_000 {
            for (name, kind) in [("c", "tableColumn"), ("r", "tableRow")] {
                let props = json!({"nodeName": kind, "parent": "t", "index": format!("a{at:05}1")});
                put(format!("{name}{at}"), props);
            }
        }
        let begun = std::time::Instant::now();
        let page = PageWords::read(Surface::Text, &elements);
        assert!(begun.elapsed() < std::time::Duration::from_secs(1));
        assert_eq!(found(&page, "tea"), [("t".to_owned(), true)]);
    }
}
