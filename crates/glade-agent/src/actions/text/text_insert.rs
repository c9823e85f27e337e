//! Writing words into a block that is there: at its end, at its beginning, or after words in it.

use glade_doc::ElementId;
use glade_text::Styled;
use serde_json::{Value, json};

use super::taken::inner;
use super::{block_alone, block_id, places, shown, whole_words};
use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::plugins;
use crate::shapes::intent;

pub struct TextInsert;

pub struct Insert {
    id: ElementId,
    words: Styled,
}

static FACTS: Facts = Facts::new(
    "text-insert",
    "✍️",
    "write words into a block: at its end, at its start, or right after words that it holds (use block-insert for a new block)",
    On::Text,
    Work::Edit,
    Impact::Edits,
)
    .plugin(&plugins::WORDS)
    .live();

impl Described for TextInsert {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        let mut fields = vec![
            intent(),
            block_id(),
            ("at", json!({"enum": ["end", "start"]})),
            (
                "after",
                json!({"type": "string", "description": "words in the block, exactly as they stand there"}),
            ),
        ];
        let [_, which] = places::fields("");
        fields.extend([which, ("text", json!({"type": "string"}))]);
        fields
    }

    fn optional(&self) -> &'static [&'static str] {
        &["at", "after", "which"]
    }
}

impl Action for TextInsert {
    type Clean = Insert;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Insert>, Refusal> {
        let name = given.id("blockId");
        let block = block_alone(ctx, name)?;
        if ["table", "divider", "image", "embed"].contains(&block.kind.as_str()) {
            return Err(Refusal::new(format!(
                "the block is a {}: it has no words of its own",
                block.kind
            )));
        }
        let known = ctx.words(&block.id);
        let Some(source) = whole_words(given, "text") else {
            return Ok(None);
        };
        let new = inner(&block, source);
        let end = known.text.chars().count();
        let ats = match (given.word("after"), given.word("at")) {
            (Some(words), _) => {
                let found = places::find(words, given, &known, name.unwrap_or_default())?;
                found.into_iter().map(|range| range.end).collect()
            }
            (None, Some("start")) => vec![0],
            _ => vec![end],
        };
        let words = ats.into_iter().rev().fold(known, |words, at| {
            let spaced = spaced(&words, at, &new);
            words.replaced(at, at, &spaced)
        });
        Ok(Some(Insert {
            id: block.id,
            words,
        }))
    }

    fn apply(&self, insert: &Insert, ctx: &mut ActionContext<'_, '_>) -> Result<Shown, Refusal> {
        ctx.write(&insert.id, insert.words.clone());
        Ok(shown(ctx, "writing in", "wrote in", &insert.id))
    }
}

/// New words with the spaces that keep them from running into those around them.
fn spaced(words: &Styled, at: usize, new: &Styled) -> Styled {
    let chars: Vec<char> = words.text.chars().collect();
    let (head, tail) = chars.split_at(at.min(chars.len()));
    let ends = (new.text.chars().next(), new.text.chars().next_back());
    let before = space(head.last().copied(), ends.0);
    let after = space(ends.1, tail.first().copied());
    let room = Styled {
        text: format!("{before}{after}"),
        marks: Vec::new(),
    };
    room.replaced(before.len(), before.len(), new)
}

/// Words do not run into each other.
fn space(left: Option<char>, right: Option<char>) -> &'static str {
    let joins =
        left.is_some_and(|ch| !ch.is_whitespace()) && right.is_some_and(char::is_alphanumeric);
    if joins { " " } else { "" }
}
