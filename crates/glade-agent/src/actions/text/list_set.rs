//! Making blocks items of a list, or paragraphs again.

use glade_doc::ElementId;
use serde_json::{Value, json};

use super::{block, shown};
use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::plugins;
use crate::shapes::intent;

pub struct ListSet;

pub struct Listed {
    ids: Vec<ElementId>,
    list: &'static str,
}

static FACTS: Facts = Facts::new(
    "list-set",
    "•",
    "make blocks items of a list, or with \"none\" paragraphs again",
    On::Text,
    Work::Edit,
    Impact::Edits,
)
.plugin(&plugins::LISTS)
.formerly(&["bullet-list-toggle"]);

impl Described for ListSet {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            intent(),
            (
                "blockIds",
                json!({"type": "array", "items": {"type": "string"}}),
            ),
            (
                "list",
                json!({"enum": ["bullet", "ordered", "task", "none"]}),
            ),
        ]
    }

    fn optional(&self) -> &'static [&'static str] {
        &["list"]
    }
}

impl Action for ListSet {
    type Clean = Listed;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Listed>, Refusal> {
        let page = ctx.draft.text_page();
        let list = match given.word("list") {
            Some("ordered") => "ordered",
            Some("task") => "task",
            Some("none") => "none",
            _ => "bullet",
        };
        let ids = given.ids("blockIds");
        let blocks = ids
            .into_iter()
            .map(|id| block(ctx, &page, Some(id)))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Some(Listed {
            ids: blocks.iter().map(|block| block.id.clone()).collect(),
            list,
        }))
    }

    fn apply(&self, listed: &Listed, ctx: &mut ActionContext<'_, '_>) -> Result<Shown, Refusal> {
        let Some(first) = listed.ids.first() else {
            return Err(Refusal::new("the action has no blockIds"));
        };
        let mut shown = shown(ctx, "listing", "listed", first);
        for id in &listed.ids {
            let props = if listed.list != "none" {
                json!({"nodeName": "listItem", "list": listed.list})
            } else {
                json!({"nodeName": "paragraph"})
            };
            ctx.put(id, props.as_object().cloned().unwrap_or_default());
        }
        shown.elements.clone_from(&listed.ids);
        Ok(shown)
    }
}
