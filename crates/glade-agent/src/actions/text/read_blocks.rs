//! Reading blocks that were not shown whole: they are with the next step.

use glade_doc::ElementId;
use glade_text::Page;
use serde_json::{Value, json};

use super::{resolve, shown};
use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Remember, Work};
use crate::partial_object::PartialObject;
use crate::plugins;
use crate::request::{FairyCommand, Request};
use crate::shapes::intent;

pub struct ReadBlocks;

pub struct Read {
    first: ElementId,
    last: ElementId,
}

/// Blocks around one that is no heading.
const AROUND: usize = 8;

static FACTS: Facts = Facts::new(
    "read-blocks",
    "👓",
    "see blocks whole that are shortened or left out: from one to another; of a heading alone its section, of a block alone its surroundings. You are asked again with them in view",
    On::Text,
    Work::Edit,
    Impact::Reads,
)
.plugin(&plugins::WORDS)
.remembered(Remember::No);

impl Described for ReadBlocks {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            intent(),
            ("fromId", json!({"type": "string"})),
            ("toId", json!({"type": "string"})),
        ]
    }

    fn optional(&self) -> &'static [&'static str] {
        &["toId"]
    }
}

impl Action for ReadBlocks {
    type Clean = Read;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Read>, Refusal> {
        let first = resolve(ctx, given.id("fromId").or(given.id("blockId")))?;
        let page = ctx.draft.text_page();
        Ok(Some(match given.id("toId") {
            Some(last) => Read {
                last: resolve(ctx, Some(last))?,
                first,
            },
            None => alone(&page, first),
        }))
    }

    fn apply(&self, read: &Read, ctx: &mut ActionContext<'_, '_>) -> Result<Shown, Refusal> {
        ctx.reading.look_at(read.first.clone(), read.last.clone());
        let message = "The blocks that you wanted to read are shown whole now; go on with them.";
        ctx.command(FairyCommand::Schedule(Request::own(message)));
        Ok(shown(ctx, "reading", "read", &read.first))
    }
}

/// The section of a heading, or what is around another block.
fn alone(page: &Page, id: ElementId) -> Read {
    let Some(at) = page.position(&id) else {
        return Read {
            last: id.clone(),
            first: id,
        };
    };
    let block = &page.blocks[at];
    let (from, to) = if block.kind == "heading" {
        let behind = page.blocks[at + 1..].iter();
        let within =
            behind.take_while(|next| next.kind != "heading" || next.level() > block.level());
        (at, at + within.count())
    } else {
        let to = (at + AROUND).min(page.blocks.len() - 1);
        (at.saturating_sub(AROUND), to)
    };
    Read {
        first: page.blocks[from].id.clone(),
        last: page.blocks[to].id.clone(),
    }
}
