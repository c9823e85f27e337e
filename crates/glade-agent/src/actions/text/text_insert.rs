//! Writing words into a block that is there: at its end, at its beginning, or after words in it.

use glade_doc::ElementId;
use serde_json::{Value, json};

use super::{block_alone, block_id, shown, whole_words};
use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::plugins;
use crate::shapes::intent;

pub struct TextInsert;

pub struct Insert {
    id: ElementId,
    text: String,
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
        vec![
            intent(),
            block_id(),
            ("at", json!({"enum": ["end", "start"]})),
            (
                "after",
                json!({"type": "string", "description": "words in the block, exactly as they stand there"}),
            ),
            ("text", json!({"type": "string"})),
        ]
    }

    fn optional(&self) -> &'static [&'static str] {
        &["at", "after"]
    }
}

impl Action for TextInsert {
    type Clean = Insert;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Insert>, Refusal> {
        let block = block_alone(ctx, given.id("blockId"))?;
        let Some(new) = whole_words(given, "text") else {
            return Ok(None);
        };
        let old = ctx.original_text(&block.id).unwrap_or_default();
        let at = match (given.word("after"), given.word("at")) {
            (Some(words), _) => match old.find(words) {
                Some(at) => at + words.len(),
                None => {
                    return Err(Refusal::new(format!(
                        "the block \"{}\" does not hold the words \"{words}\"",
                        block.id
                    )));
                }
            },
            (None, Some("start")) => 0,
            _ => old.len(),
        };
        let (head, tail) = old.split_at(at);
        let text = format!(
            "{head}{}{}{}{tail}",
            space(head, &new),
            new,
            space(&new, tail)
        );
        Ok(Some(Insert { id: block.id, text }))
    }

    fn apply(&self, insert: &Insert, ctx: &mut ActionContext<'_, '_>) -> Result<Shown, Refusal> {
        ctx.write(&insert.id, &insert.text);
        Ok(shown(ctx, "writing in", "wrote in", &insert.id))
    }
}

/// Words do not run into each other.
fn space(left: &str, right: &str) -> &'static str {
    let joins = left
        .chars()
        .next_back()
        .is_some_and(|ch| !ch.is_whitespace())
        && right.chars().next().is_some_and(char::is_alphanumeric);
    if joins { " " } else { "" }
}
