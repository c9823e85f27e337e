//! Marking words: bold, italic, a link. Style changes are changes of marks, never of words.

use glade_doc::ElementId;
use glade_doc::text::{Mark, TEX, is_safe_link, to_value};
use serde_json::{Value, json};

use super::{block, block_id, find_words, shown};
use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::plugins;
use crate::shapes::intent;

pub struct MarkToggle;

pub struct Marked {
    id: ElementId,
    marks: Vec<Mark>,
}

const NAMES: [&str; 8] = [
    "bold",
    "italic",
    "underline",
    "strike",
    "code",
    "highlight",
    "link",
    TEX,
];

static FACTS: Facts = Facts::new(
    "mark-toggle",
    "🖍️",
    "mark words of a block (or take the mark off if they have it); without words, the whole block",
    On::Text,
    Work::Edit,
    Impact::Edits,
)
.plugin(&plugins::WORDS);

impl Described for MarkToggle {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            intent(),
            block_id(),
            ("mark", json!({"enum": NAMES})),
            (
                "words",
                json!({"type": "string", "description": "exactly as they stand in the block"}),
            ),
            (
                "href",
                json!({"type": "string", "description": "where a link leads"}),
            ),
        ]
    }

    fn optional(&self) -> &'static [&'static str] {
        &["words", "href"]
    }
}

impl Action for MarkToggle {
    type Clean = Marked;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Marked>, Refusal> {
        let page = ctx.draft.text_page();
        let block = block(&page, given.id("blockId"))?;
        let wanted = given.word("mark").unwrap_or_default();
        let Some(name) = NAMES.iter().find(|name| **name == wanted) else {
            return Err(Refusal::new(format!(
                "there is no mark \"{wanted}\"; there are {}",
                NAMES.join(", ")
            )));
        };
        let (from, to) = match given.word("words") {
            None => (0, block.text.chars().count()),
            Some(words) => find_words(block, words)?,
        };
        if from == to {
            return Err(Refusal::new("there are no words to mark"));
        }
        let value = match *name {
            "link" => match given.word("href").filter(|href| is_safe_link(href)) {
                Some(href) => json!(href),
                None => return Err(Refusal::new("a link needs an href: http, https or mailto")),
            },
            _ => json!(true),
        };
        let worn = block
            .marks
            .iter()
            .any(|mark| mark.name == *name && mark.from <= from && to <= mark.to);
        // Code, links and formulas exclude each other.
        let alone = ["code", "link", TEX];
        let excludes = |other: &str| alone.contains(name) && alone.contains(&other);
        let mut marks: Vec<Mark> = block
            .marks
            .iter()
            .flat_map(|mark| cut(mark, mark.name == *name || excludes(&mark.name), from, to))
            .collect();
        if !worn {
            marks.push(Mark {
                from,
                to,
                name: (*name).to_owned(),
                value,
            });
        }
        Ok(Some(Marked {
            id: block.id.clone(),
            marks,
        }))
    }

    fn apply(&self, marked: &Marked, ctx: &mut ActionContext<'_, '_>) -> Result<Shown, Refusal> {
        let mut props = glade_doc::Props::new();
        props.insert("marks".to_owned(), to_value(&marked.marks));
        ctx.put(&marked.id, props);
        Ok(shown(
            ctx,
            "marking words of",
            "marked words of",
            &marked.id,
        ))
    }
}

/// What is left of a mark beside a range.
fn cut(mark: &Mark, applies: bool, from: usize, to: usize) -> Vec<Mark> {
    if !applies || mark.to <= from || to <= mark.from {
        return vec![mark.clone()];
    }
    let parts = [(mark.from, from), (to, mark.to)];
    let left = parts.into_iter().filter(|(from, to)| from < to);
    left.map(|(from, to)| Mark {
        from,
        to,
        ..mark.clone()
    })
    .collect()
}
