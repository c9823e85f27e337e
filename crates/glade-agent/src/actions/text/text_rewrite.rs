//! Rewriting a block, or words of it: only the words that differ change, as they come, and marks stay with theirs.

use glade_doc::{ElementId, Props};
use glade_text::markdown::{Shower, from_lines};
use glade_text::{Block, NewBlock, Styled};
use serde_json::{Value, json};

use super::block_insert::{self, Group};
use super::taken::{inner, is_verbatim, taken};
use super::{block_alone, block_id, places, shown, table_rewrite, whole_words};
use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::plugins;
use crate::shapes::intent;

pub struct TextRewrite;

pub struct Rewrite {
    id: ElementId,
    words: Option<Styled>,
    props: Props,
    more: Vec<NewBlock>,
    table: Option<(Block, NewBlock)>,
}

static FACTS: Facts = Facts::new(
    "text-rewrite",
    "📝",
    "write a block anew: all of its Markdown as it shall be, unchanged words as they are shown; or only words of it, named by \"words\"",
    On::Text,
    Work::Edit,
    Impact::Edits,
)
.plugin(&plugins::WORDS)
.live();

impl Described for TextRewrite {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        let mut fields = vec![intent(), block_id()];
        fields.extend(places::fields(
            "replace only these, exactly as they stand in the block",
        ));
        fields.push(("text", json!({"type": "string"})));
        fields
    }

    fn optional(&self) -> &'static [&'static str] {
        &["words", "which"]
    }
}

impl Action for TextRewrite {
    type Clean = Rewrite;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Rewrite>, Refusal> {
        let name = given.id("blockId");
        let block = block_alone(ctx, name)?;
        if !given.is_complete() && !given.has("text") {
            return Ok(None);
        }
        let whole = ctx.reading.known(&block.id).is_some();
        let known = ctx.words(&block.id);
        if let Some(words) = given.word("words") {
            if !given.is_complete() {
                return Ok(None);
            }
            let new = inner(&block, given.prose("text").unwrap_or_default());
            let mut found = places::find(words, given, &known, name.unwrap_or_default())?;
            found.reverse();
            let text = found.into_iter().fold(known, |text, range| {
                text.replaced(range.start, range.end, &new)
            });
            return Ok(Some(Rewrite {
                id: block.id,
                words: Some(text),
                props: Props::new(),
                more: Vec::new(),
                table: None,
            }));
        }
        if !whole {
            return Err(Refusal::new(format!(
                "you were not shown all of the block \"{}\": read it with read-blocks first, or name the \"words\" of it that you replace",
                name.unwrap_or_default()
            )));
        }
        let Some(source) = whole_words(given, "text") else {
            return Ok(None);
        };
        if !given.is_complete() && is_bare(&source) {
            return Ok(None);
        }
        if block.table.is_some() {
            let table = given.is_complete().then(|| table_rewrite::read(&source));
            return Ok(table.transpose()?.map(|new| Rewrite {
                id: block.id.clone(),
                words: None,
                props: Props::new(),
                more: Vec::new(),
                table: Some((block, new)),
            }));
        }
        let shown = shown_words(&block, &known);
        let taken = taken(&block, &known, &source)?;
        let mut words = taken.words;
        if let Some(new) = words.as_mut() {
            if !given.is_complete() && taken.more.is_empty() {
                *new = shown.begun(new);
            }
            *new = known.rewritten(&shown, new);
        }
        let props = if given.is_complete() {
            taken.props
        } else {
            Props::new()
        };
        Ok(Some(Rewrite {
            id: block.id,
            words,
            props,
            more: block_insert::settled_blocks(taken.more, given.is_complete()),
            table: None,
        }))
    }

    fn apply(&self, rewrite: &Rewrite, ctx: &mut ActionContext<'_, '_>) -> Result<Shown, Refusal> {
        if let Some((block, new)) = &rewrite.table {
            table_rewrite::put(ctx, block, new);
        }
        if let Some(words) = &rewrite.words {
            ctx.write(&rewrite.id, words.clone());
        }
        if !rewrite.props.is_empty() {
            ctx.put(&rewrite.id, rewrite.props.clone());
        }
        let group = Group {
            after: Some(rewrite.id.clone()),
            name: None,
            blocks: &rewrite.more,
        };
        block_insert::put_group(ctx, group)?;
        Ok(shown(ctx, "rewriting", "rewrote", &rewrite.id))
    }
}

/// Whether there are only signs yet, of which nobody knows what they will begin.
fn is_bare(source: &str) -> bool {
    let signs =
        |ch: char| ch.is_whitespace() || ch.is_ascii_digit() || "-*+#>[]xX.)!`~$|".contains(ch);
    source.trim_matches(signs).is_empty()
}

/// A block's words as they are read from what the model was shown.
fn shown_words(block: &Block, known: &Styled) -> Styled {
    if is_verbatim(&block.kind) {
        return known.clone();
    }
    let as_known = Block {
        text: known.text.clone(),
        marks: known.marks.clone(),
        ..block.clone()
    };
    let read = from_lines(Shower::default().show(&as_known).trim_start());
    let first = read.into_iter().next().unwrap_or_default();
    Styled {
        text: first.text,
        marks: first.marks,
    }
}
