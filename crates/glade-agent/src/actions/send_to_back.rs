//! Sending shapes behind all others, each as soon as it is named.

use glade_doc::ElementId;
use serde_json::Value;

use crate::action::{Action, Refusal, Shown};
use crate::arrange;
use crate::desk::Desk;
use crate::given::Given;
use crate::shapes::{intent, several, shape_ids};

pub struct SendToBack;

impl Action for SendToBack {
    type Clean = Vec<ElementId>;

    fn name(&self) -> &'static str {
        "send-to-back"
    }

    fn icon(&self) -> &'static str {
        "⬇️"
    }

    fn about(&self) -> &'static str {
        "send shapes behind all others"
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![intent(), shape_ids()]
    }

    fn live(&self) -> bool {
        true
    }

    fn sanitise(
        &self,
        given: Given<'_>,
        desk: &mut Desk<'_, '_>,
    ) -> Result<Option<Self::Clean>, Refusal> {
        let ids = given.ids("shapeIds");
        if ids.is_empty() && !given.is_complete() {
            return Ok(None);
        }
        desk.editable_all(&ids).map(Some)
    }

    fn apply(&self, clean: &Self::Clean, desk: &mut Desk<'_, '_>) -> Result<Shown, Refusal> {
        let scene = desk.original(clean);
        let edits = arrange::reorder(&scene, clean, None, desk.order_ends().0.as_deref());
        desk.put_all(edits);
        let name = several(desk.draft, clean);
        Ok(Shown {
            doing: format!("sending {name} to the back"),
            done: format!("sent {name} to the back"),
            place: arrange::union(&scene, clean),
            elements: clean.clone(),
            words: None,
        })
    }
}
