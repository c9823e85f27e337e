//! What a step is asked to do, and how requests that wait for the same step become one.

use glade_canvas::{Point, Rect};
use glade_doc::{ElementId, PageId, Props, Surface};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Remark;
use crate::event::{Input, Source};
use crate::outside::Outside;
use crate::projects::ProjectCommand;

/// Something that the person picked for the fairy to look at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    tag = "type",
    rename_all = "kebab-case",
    rename_all_fields = "camelCase"
)]
pub enum ContextItem {
    Shape { shape_id: ElementId },
    Shapes { shape_ids: Vec<ElementId> },
    Area { bounds: Rect },
    Point { point: Point },
}

/// A request of one step: of a person, or of the fairy to itself.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Request {
    pub messages: Vec<String>,
    /// Where to look.
    pub bounds: Option<Rect>,
    pub selection: Vec<ElementId>,
    pub context_items: Vec<ContextItem>,
    /// What an action found out.
    pub data: Vec<Value>,
    pub parts: Option<Vec<String>>,
    pub model: Option<String>,
    pub source: Source,
    /// The messages say what was wrong with the last answer.
    pub correction: bool,
}

impl Request {
    /// Words of the fairy to itself.
    pub fn own(message: impl Into<String>) -> Self {
        Self {
            messages: vec![message.into()],
            source: Source::Own,
            ..Self::default()
        }
    }

    #[must_use]
    pub fn at(mut self, bounds: Rect) -> Self {
        self.bounds = Some(bounds);
        self
    }

    /// Takes in a later request for the same step: messages, selection, context items and data
    /// append; bounds, parts, model and source are the later one's.
    pub fn merge(&mut self, later: Request) {
        self.messages.extend(later.messages);
        for id in later.selection {
            if !self.selection.contains(&id) {
                self.selection.push(id);
            }
        }
        for item in later.context_items {
            if !self.context_items.contains(&item) {
                self.context_items.push(item);
            }
        }
        self.data.extend(later.data);
        self.bounds = later.bounds.or(self.bounds);
        self.parts = later.parts.or_else(|| self.parts.take());
        self.model = later.model.or_else(|| self.model.take());
        self.source = later.source;
        self.correction |= later.correction;
    }
}

impl From<Input> for Request {
    fn from(input: Input) -> Self {
        let messages = Some(input.message).filter(|message| !message.is_empty());
        Self {
            messages: messages.into_iter().collect(),
            bounds: input.bounds,
            selection: input.selection,
            context_items: input.context_items,
            data: input.data,
            parts: input.parts,
            model: input.model,
            source: input.source,
            correction: false,
        }
    }
}

/// A block that waits for what it shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Card {
    pub block: ElementId,
    pub props: Props,
}

/// What an action asks of the fairy itself once it is whole.
#[derive(Debug, Clone, PartialEq)]
pub enum FairyCommand {
    /// Another step after this answer.
    Schedule(Request),
    /// Off to another page.
    GoTo(PageId),
    /// A new page, and off to it if so wished.
    MakePage {
        name: String,
        surface: Surface,
        go: bool,
    },
    /// Something done in the project.
    Project(ProjectCommand),
    /// This answer ends here, and with it the run; the fairy rests in this mode.
    Rest(crate::Mode),
    /// This item of the page's list is the fairy's from now on.
    Claim(String),
    /// Something from outside.
    Fetch(Outside),
    /// A card of the web page at this address, once that has come.
    Card(String, Card),
    /// Where these words stand, on all pages that it may read.
    Search(String),
    /// Something said about the page, or about what was said.
    Comment(Remark),
    /// This answer ends here, its rest unheard; the fairy goes on in `mode` (or the one it is in)
    /// with `request`.
    Interrupt {
        mode: Option<crate::Mode>,
        request: Request,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn merging_appends_words_and_overrides_places() {
        let (here, there) = (Rect::new(0.0, 0.0, 1.0, 1.0), Rect::new(5.0, 5.0, 1.0, 1.0));
        let area = ContextItem::Area { bounds: here };
        let mut first = Request {
            messages: vec!["one".to_owned()],
            bounds: Some(here),
            selection: vec!["a".into()],
            context_items: vec![area.clone()],
            data: vec![json!(1)],
            parts: Some(vec!["messages".to_owned()]),
            model: Some("small".to_owned()),
            source: Source::User,
            correction: false,
        };
        first.merge(Request {
            selection: vec!["a".into(), "b".into()],
            context_items: vec![area.clone()],
            data: vec![json!(2)],
            model: Some("large".to_owned()),
            ..Request::own("two").at(there)
        });
        let merged = Request {
            messages: vec!["one".to_owned(), "two".to_owned()],
            bounds: Some(there),
            selection: vec!["a".into(), "b".into()],
            context_items: vec![area],
            data: vec![json!(1), json!(2)],
            parts: Some(vec!["messages".to_owned()]),
            model: Some("large".to_owned()),
            source: Source::Own,
            correction: false,
        };
        assert_eq!(first, merged);
    }

    #[test]
    fn what_the_later_request_leaves_open_stays() {
        let here = Rect::new(0.0, 0.0, 1.0, 1.0);
        let mut first = Request::own("one").at(here);
        first.merge(Request::own("two"));
        assert_eq!(first.bounds, Some(here));
    }
}
