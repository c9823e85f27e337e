//! Making blocks a list, or, if they are one, paragraphs again.

use glade_doc::ElementId;
use serde_json::{Value, json};

use super::{block, shown};
use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::plugins;
use crate::shapes::intent;

pub struct BulletListToggle;

pub struct Toggle {
    ids: Vec<ElementId>,
    list: &'static str,
    on: bool,
}

static FACTS: Facts = Facts::new(
    "bullet-list-toggle",
    "•",
    "make blocks items of a list, or paragraphs again if they are",
    On::Text,
    Work::Edit,
    Impact::Edits,
)
.plugin(&plugins::LISTS);

impl Described for BulletListToggle {
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
            ("list", json!({"enum": ["bullet", "ordered", "task"]})),
        ]
    }

    fn optional(&self) -> &'static [&'static str] {
        &["list"]
    }
}

impl Action for BulletListToggle {
    type Clean = Toggle;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Toggle>, Refusal> {
        let page = ctx.draft.text_page();
        let list = match given.word("list") {
            Some("ordered") => "ordered",
            Some("task") => "task",
            _ => "bullet",
        };
        let ids = given.ids("blockIds");
        let blocks = ids
            .into_iter()
            .map(|id| block(&page, Some(id)))
            .collect::<Result<Vec<_>, _>>()?;
        let Some(first) = blocks.first() else {
            return Err(Refusal::new("the action has no blockIds"));
        };
        let on = !(first.kind == "listItem" && first.word("list") == list);
        Ok(Some(Toggle {
            ids: blocks.iter().map(|block| block.id.clone()).collect(),
            list,
            on,
        }))
    }

    fn apply(&self, toggle: &Toggle, ctx: &mut ActionContext<'_, '_>) -> Result<Shown, Refusal> {
        let Some(first) = toggle.ids.first() else {
            return Err(Refusal::new("the action has no blockIds"));
        };
        let mut shown = shown(ctx, "listing", "listed", first);
        for id in &toggle.ids {
            let props = if toggle.on {
                json!({"nodeName": "listItem", "list": toggle.list})
            } else {
                json!({"nodeName": "paragraph"})
            };
            ctx.put(id, props.as_object().cloned().unwrap_or_default());
        }
        shown.elements.clone_from(&toggle.ids);
        Ok(shown)
    }
}
