//! What the actions have in common that arrange several shapes at once.

use glade_canvas::{Rect, Scene, bounds};
use glade_doc::{Edit, ElementId};

use crate::action::{Refusal, Shown};
use crate::action_context::ActionContext;
use crate::partial_object::PartialObject;
use crate::shapes::several;

/// Ids that are worked on as soon as each is named.
pub fn named_ids(
    given: PartialObject<'_>,
    ctx: &ActionContext<'_, '_>,
) -> Result<Option<Vec<ElementId>>, Refusal> {
    let ids = given.ids("shapeIds");
    if ids.is_empty() && !given.is_complete() {
        return Ok(None);
    }
    ctx.editable_all(&ids).map(Some)
}

/// The shapes that `shapeIds` names, or the one that `shapeId` does.
pub fn one_or_several(
    given: PartialObject<'_>,
    ctx: &ActionContext<'_, '_>,
) -> Result<Vec<ElementId>, Refusal> {
    let several = given.ids("shapeIds");
    match given.id("shapeId") {
        Some(one) if several.is_empty() => ctx.editable_all(&[one]),
        _ => ctx.editable_all(&several),
    }
}

/// Shapes that are arranged together: writes the edits and says what happened to them. `words` get
/// the shapes' name: what is being done, what was done.
pub fn arranged(
    ctx: &mut ActionContext<'_, '_>,
    scene: &Scene,
    ids: &[ElementId],
    edits: Vec<Edit>,
    words: impl FnOnce(&str) -> (String, String),
) -> Shown {
    ctx.put_all(edits);
    let (doing, done) = words(&several(ctx.draft, ids));
    Shown {
        doing,
        done,
        place: around(scene, ids),
        elements: ids.to_vec(),
        ..Shown::default()
    }
}

/// The upright box around these shapes.
pub fn around(scene: &Scene, ids: &[ElementId]) -> Option<Rect> {
    ids.iter()
        .filter_map(|id| scene.get(id))
        .map(bounds::bounds)
        .reduce(|all, one| all.union(&one))
}
