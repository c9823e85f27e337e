//! Marking words: bold, italic, a link. Style changes are changes of marks, never of words.

use glade_doc::ElementId;
use glade_doc::text::{TEX, is_safe_link};
use glade_text::Styled;
use serde_json::{Value, json};

use super::taken::is_verbatim;
use super::{block_alone, block_id, places, shown};
use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::plugins;
use crate::shapes::intent;

pub struct MarkSet;

pub struct Marked {
    id: ElementId,
    words: Styled,
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
    "mark-set",
    "🖍️",
    "mark words of a block, or with on false take the mark off them; without words, the whole block",
    On::Text,
    Work::Edit,
    Impact::Edits,
)
.plugin(&plugins::WORDS)
.formerly(&["mark-toggle"]);

impl Described for MarkSet {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        let mut fields = vec![
            intent(),
            block_id(),
            ("mark", json!({"enum": NAMES})),
            ("on", json!({"type": "boolean"})),
        ];
        fields.extend(places::fields("exactly as they stand in the block"));
        fields.push((
            "href",
            json!({"type": "string", "description": "where a link leads"}),
        ));
        fields
    }

    fn optional(&self) -> &'static [&'static str] {
        &["on", "words", "which", "href"]
    }
}

impl Action for MarkSet {
    type Clean = Marked;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Marked>, Refusal> {
        let called = given.id("blockId");
        let block = block_alone(ctx, called)?;
        let wanted = given.word("mark").unwrap_or_default();
        let Some(name) = NAMES.iter().find(|name| **name == wanted) else {
            return Err(Refusal::new(format!(
                "there is no mark \"{wanted}\"; there are {}",
                NAMES.join(", ")
            )));
        };
        if is_verbatim(&block.kind) {
            return Err(Refusal::new(format!(
                "the words of a {} wear no marks",
                block.kind
            )));
        }
        let known = ctx.words(&block.id);
        let ranges = match given.word("words") {
            None => std::iter::once(0..known.text.chars().count()).collect(),
            Some(words) => places::find(words, given, &known, called.unwrap_or_default())?,
        };
        if ranges.iter().all(std::ops::Range::is_empty) {
            return Err(Refusal::new("there are no words to mark"));
        }
        let on = given.flag("on").unwrap_or(true);
        let value = match (on, *name) {
            (false, _) => None,
            (true, "link") => match given.word("href").filter(|href| is_safe_link(href)) {
                Some(href) => Some(json!(href)),
                None => {
                    return Err(Refusal::new(
                        "a link needs an href: http, https, mailto or a path",
                    ));
                }
            },
            (true, _) => Some(Value::Bool(true)),
        };
        let words = ranges.into_iter().fold(known, |words, range| {
            words.marked(range.start, range.end, name, value.as_ref())
        });
        Ok(Some(Marked {
            id: block.id,
            words,
        }))
    }

    fn apply(&self, marked: &Marked, ctx: &mut ActionContext<'_, '_>) -> Result<Shown, Refusal> {
        ctx.write(&marked.id, marked.words.clone());
        Ok(shown(
            ctx,
            "marking words of",
            "marked words of",
            &marked.id,
        ))
    }
}
