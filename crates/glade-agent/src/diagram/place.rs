//! Where a diagram goes: laid out, and put where there is room.

use glade_canvas::diagram::draw::Laid;
use glade_canvas::diagram::{Form, Hold, Standing, measure, structure};
use glade_canvas::{Point, Rect, bounds, space};
use glade_layout::{Layout, LayoutError, layout, update};

use super::merge::Wanted;
use super::{Placed, Work};
use crate::action::Refusal;
use crate::action_context::ActionContext;

/// The most boxes of one diagram.
const MOST_NODES: usize = 500;
/// Between a diagram and what is there.
const CLEARANCE: f64 = 40.0;
/// How far below the upper edge of the view a new diagram begins, as a share of it: below the editor's bars.
const DOWN: f64 = 0.22;

/// Whether the whole of an action is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    Partly,
    Wholly,
}

/// Lays out what is wanted. While it is said bit by bit, little of what is drawn moves; the whole is laid out afresh, so
/// that it comes out the same however it was cut. A diagram that was there changes as little as can be.
pub fn place(
    ctx: &mut ActionContext<'_, '_>,
    work: &Work,
    wanted: &Wanted,
    known: Known,
) -> Result<Placed, Refusal> {
    let diagram = &wanted.diagram;
    if diagram.nodes.len() > MOST_NODES {
        return Err(Refusal::new(format!(
            "a diagram has at most {MOST_NODES} nodes: draw several"
        )));
    }
    let refuse = |error: LayoutError| Refusal::new(error.to_string());
    let structure = structure::of(diagram).map_err(refuse)?;
    let is_whole = known == Known::Wholly;
    if let Some(last) = &work.last
        && last.structure == structure
        && last.is_whole == is_whole
    {
        return Ok(last.clone());
    }
    let was_there = work
        .found
        .as_ref()
        .filter(|found| structure::is_laid(&found.diagram));
    let same_kind = |found: &&super::Found| found.diagram.manner.kind == diagram.manner.kind;
    let (layout, is_placed) = match (was_there, &work.last) {
        (Some(found), _) => {
            let before = structure::before(&found.diagram).map_err(refuse)?;
            let laid = match was_there.filter(same_kind) {
                Some(_) => update(&structure, &before),
                None => layout(&structure).and_then(|new| over(&before, new)),
            };
            (laid.map_err(refuse)?, true)
        }
        (None, Some(last)) if !is_whole && keeps_order(last, &structure) => {
            let laid = update(&structure, &last.layout).map_err(refuse)?;
            (laid, false)
        }
        _ => (layout(&structure).map_err(refuse)?, false),
    };
    let has_pins = structure.nodes.iter().any(|node| node.pin.is_some());
    let by = if is_placed || has_pins {
        Point::default()
    } else {
        let last = work.last.as_ref().filter(|_| !is_whole);
        room(ctx, wanted, &layout, last.map(|last| last.by))
    };
    Ok(Placed {
        structure,
        layout,
        by,
        is_whole,
    })
}

/// Boxes without lines say nothing of the order that lines will want.
fn keeps_order(last: &Placed, next: &glade_layout::Structure) -> bool {
    next.edges.is_empty() || !last.structure.edges.is_empty()
}

/// A layout from nothing, moved to where the one before it began.
fn over(before: &Layout, new: Layout) -> Result<Layout, LayoutError> {
    match before.bounds().zip(new.bounds()) {
        Some((old, fresh)) => new.moved(old.x() - fresh.x(), old.y() - fresh.y()),
        None => Ok(new),
    }
}

/// All that a diagram takes, its title included.
pub(super) fn extent(wanted: &Wanted, layout: &Layout, by: Point) -> Option<Rect> {
    let laid = Laid {
        diagram: &wanted.diagram,
        layout,
        by,
    };
    let extent = laid.extent()?;
    let title = wanted.diagram.title.as_ref();
    let title = title.filter(|title| !title.text.trim().is_empty());
    let title = title.map(|title| measure::title_rect(&title.text, extent));
    Some(title.map_or(extent, |title| extent.union(&title)))
}

/// How far to move a new diagram: to where the person looks, or as near to it as there is room.
fn room(
    ctx: &ActionContext<'_, '_>,
    wanted: &Wanted,
    layout: &Layout,
    last: Option<Point>,
) -> Point {
    let Some(own) = extent(wanted, layout, Point::default()) else {
        return Point::default();
    };
    let obstacles: Vec<Rect> = ctx.obstacles();
    if let Some(by) = last {
        let here = own.translate(by.x, by.y).expand(CLEARANCE / 2.0);
        if !obstacles.iter().any(|rect| rect.intersects(&here)) {
            return by;
        }
    }
    let view = ctx.view;
    let x = view.center().x - own.w / 2.0;
    let y = view.y + (view.h * DOWN).min(((view.h - own.h) / 2.0).max(0.0));
    let free = space::free_rect(&obstacles, Rect::new(x, y, own.w, own.h), CLEARANCE);
    Point::new((free.x - own.x).round(), (free.y - own.y).round())
}

/// Boxes whose words change are as large as the new ones want, if they were as large as the old ones wanted; never smaller
/// than the new ones need.
pub fn fit_words(ctx: &ActionContext<'_, '_>, work: &Work, wanted: &mut Wanted) {
    let Some(found) = &work.found else { return };
    for node in &mut wanted.diagram.nodes {
        let Some(there) = &mut node.there else {
            continue;
        };
        let Some(old) = found.diagram.node(&node.name) else {
            continue;
        };
        let Some(element) = ctx.draft.get(&there.id) else {
            continue;
        };
        if there.hold == Hold::Guest || old.text == node.text {
            continue;
        }
        let (was, is) = (there.rect.size(), measure::node(node.form, &old.text));
        let by_words = (was.w - is.w).abs() < 1.0 && (was.h - is.h).abs() < 1.0;
        let size = match node.form {
            Form::Words => measure::node(node.form, &node.text),
            _ if by_words => measure::node(node.form, &node.text),
            _ => measure::grown(element, &node.text),
        };
        there.rect = Rect::new(there.rect.x, there.rect.y, size.w, size.h);
    }
}

/// What people did to a diagram while it was being drawn: what they moved stays there, what they deleted is gone.
pub fn heed_people(ctx: &mut ActionContext<'_, '_>, work: &Work, wanted: &mut Wanted) {
    let Some(last) = &work.last else { return };
    let mut gone: Vec<String> = Vec::new();
    for node in &mut wanted.diagram.nodes {
        let part = super::put::node_part(&node.name);
        let id = match &node.there {
            Some(there) if there.hold == Hold::Guest => continue,
            Some(there) => there.id.clone(),
            None => match ctx.part(&part) {
                Some(id) => id,
                None => continue,
            },
        };
        let Some(element) = ctx.draft.get(&id) else {
            gone.push(node.name.clone());
            continue;
        };
        let id_of = structure::node_id(&node.name);
        let placed = last.layout.nodes.iter().find(|placed| placed.id == id_of);
        let Some(placed) = placed else { continue };
        let (put, is) = (
            structure::on_page(placed.rect, last.by),
            bounds::local_rect(element),
        );
        if (put.x - is.x).abs() > 1.0 || (put.y - is.y).abs() > 1.0 {
            node.there = Some(Standing {
                id,
                rect: is,
                hold: Hold::ByHand,
            });
        }
    }
    for name in gone {
        wanted.diagram.nodes.retain(|node| node.name != name);
        let leads = |edge: &glade_canvas::diagram::Edge| edge.from == name || edge.to == name;
        wanted.diagram.edges.retain(|edge| !leads(edge));
    }
}
