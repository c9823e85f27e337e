//! Where a diagram goes: laid out, and put where there is room.

use glade_canvas::diagram::draw::Laid;
use glade_canvas::diagram::{Form, Hold, Node, Standing, measure, structure};
use glade_canvas::{Point, Rect, bounds, space};
use glade_layout::{Direction, Layout, LayoutError, Spacing, Structure, layout, update};

use super::merge::Wanted;
use super::{Placed, Work};
use crate::action::Refusal;
use crate::action_context::ActionContext;

/// The most boxes of one diagram.
const MOST_NODES: usize = 500;
/// Between a diagram and what is there.
const CLEARANCE: f64 = 40.0;
/// The same where room is scarce.
const NARROW: f64 = 16.0;
/// Between boxes where room is scarce.
const TIGHT: f64 = 24.0;
/// Inside of an area that one is held to: curves bend beyond their points.
const BORDER: f64 = 8.0;
/// How far below the upper edge of the view a new diagram begins, as a share of it: below the editor's bars.
const DOWN: f64 = 0.22;

/// Whether the whole of an action is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    Partly,
    Wholly,
}

/// Lays out what is wanted. While it is said bit by bit, little of what is drawn moves; the whole is laid out afresh, so
/// that it comes out the same however it was cut. A diagram that was there changes as little as can be. Who is held to an
/// area draws inside of it: another way, or closer together, where only that fits.
pub fn place(
    ctx: &mut ActionContext<'_, '_>,
    work: &Work,
    wanted: &mut Wanted,
    known: Known,
) -> Result<Placed, Refusal> {
    if wanted.diagram.nodes.len() > MOST_NODES {
        return Err(Refusal::new(format!(
            "a diagram has at most {MOST_NODES} nodes: draw several"
        )));
    }
    let structure = structure::of(&wanted.diagram).map_err(refuse)?;
    let is_whole = known == Known::Wholly;
    let area = ctx.area().map(|area| area.expand(-BORDER));
    if let Some(last) = &work.last
        && last.structure == structure
        && last.is_whole == is_whole
        && area.is_none_or(|area| lies_in(wanted, &last.layout, last.by, area))
    {
        wanted.diagram.manner.direction = last.direction;
        return Ok(last.clone());
    }
    let asked = structure.direction;
    let placed = |layout, by, direction, is_tight| Placed {
        structure: structure.clone(),
        layout,
        direction,
        is_tight,
        by,
        is_whole,
    };
    let last = work.last.as_ref().filter(|_| !is_whole);
    let (layout, is_placed) = laid_out(work, wanted, &structure, is_whole)?;
    let has_pins = structure.nodes.iter().any(|node| node.pin.is_some());
    let stands = is_placed || has_pins;
    let Some(area) = area else {
        let by = if stands {
            Point::default()
        } else {
            room(ctx, wanted, &layout, last.map(|last| last.by))
        };
        return Ok(placed(layout, by, asked, false));
    };
    if stands && (lies_in(wanted, &layout, Point::default(), area) || is_elsewhere(work, area)) {
        return Ok(placed(layout, Point::default(), asked, false));
    }
    let mut needed = extent(wanted, &layout, Point::default());
    let mut ways = vec![(asked, false), (turned(asked), false)];
    ways.extend([(asked, true), (turned(asked), true)]);
    if let Some(last) = last {
        ways.insert(0, (last.direction, last.is_tight));
    }
    for (direction, is_tight) in ways {
        let mut other = structure.clone();
        other.direction = direction;
        if is_tight {
            other.spacing = Spacing::new(TIGHT, TIGHT).map_err(refuse)?;
        }
        let kept = last.filter(|last| {
            (last.direction, last.is_tight) == (direction, is_tight) && keeps_order(last, &other)
        });
        let layout = match kept {
            Some(last) => update(&other, &last.layout),
            None => glade_layout::layout(&other),
        };
        let layout = layout.map_err(refuse)?;
        wanted.diagram.manner.direction = direction;
        let by = if has_pins {
            Some(Point::default()).filter(|by| lies_in(wanted, &layout, *by, area))
        } else {
            let gap = if is_tight { NARROW } else { CLEARANCE };
            inside(ctx, wanted, &layout, kept.map(|last| last.by), area, gap)
        };
        if let Some(by) = by {
            return Ok(placed(layout, by, direction, is_tight));
        }
        let smaller = extent(wanted, &layout, Point::default());
        needed = [needed, smaller]
            .into_iter()
            .flatten()
            .min_by(|a, b| a.area().total_cmp(&b.area()));
    }
    Err(no_room(needed.unwrap_or_default(), area))
}

fn refuse(error: LayoutError) -> Refusal {
    Refusal::new(error.to_string())
}

fn no_room(needed: Rect, area: Rect) -> Refusal {
    Refusal::new(format!(
        "the diagram needs {} x {}, and there is no such room in the area that you may draw in, of {} x {}: say it with \
         fewer or shorter nodes, or draw a part of it",
        needed.w.ceil(),
        needed.h.ceil(),
        area.w.floor(),
        area.h.floor(),
    ))
}

/// As it was asked for, and whether it stands where it belongs on the page.
fn laid_out(
    work: &Work,
    wanted: &Wanted,
    structure: &Structure,
    is_whole: bool,
) -> Result<(Layout, bool), Refusal> {
    let found = work.found.as_ref();
    if let Some(found) = found.filter(|found| structure::is_laid(&found.diagram)) {
        let before = structure::before(&found.diagram).map_err(refuse)?;
        let laid = if found.diagram.manner.kind == wanted.diagram.manner.kind {
            update(structure, &before)
        } else {
            layout(structure).and_then(|new| over(&before, new))
        };
        return Ok((laid.map_err(refuse)?, true));
    }
    let laid = match &work.last {
        Some(last) if !is_whole && keeps_order(last, structure) => update(structure, &last.layout),
        _ => layout(structure),
    };
    Ok((laid.map_err(refuse)?, false))
}

/// Whether all that is drawn of it lies in an area. What its lines lead to may be anywhere.
fn lies_in(wanted: &Wanted, layout: &Layout, by: Point, area: Rect) -> bool {
    let laid = Laid {
        diagram: &wanted.diagram,
        layout,
        by,
    };
    let is_guest = |node: &Node| {
        let there = node.there.as_ref();
        there.is_some_and(|there| there.hold == Hold::Guest)
    };
    if !wanted.diagram.nodes.iter().any(is_guest) {
        return extent(wanted, layout, by).is_none_or(|own| area.contains_rect(&own));
    }
    let nodes = wanted.diagram.nodes.iter().filter(|node| !is_guest(node));
    let nodes = nodes.filter_map(|node| laid.node_rect(node));
    let groups = wanted.diagram.groups.iter();
    let groups = groups.filter_map(|group| laid.group_rect(group));
    let title = laid.extent().and_then(|extent| title(wanted, extent));
    nodes
        .chain(groups)
        .chain(title)
        .all(|rect| area.contains_rect(&rect))
}

/// Whether some of a diagram that is there lies outside of an area: what may be done to it is not for the layout to say.
fn is_elsewhere(work: &Work, area: Rect) -> bool {
    let found = work.found.as_ref();
    let nodes = found.into_iter().flat_map(|found| &found.diagram.nodes);
    let there = nodes.filter_map(|node| node.there.as_ref());
    let mut own = there.filter(|there| there.hold != Hold::Guest);
    own.any(|there| !area.contains_rect(&there.rect))
}

/// The same with its length and its breadth exchanged.
fn turned(direction: Direction) -> Direction {
    match direction {
        Direction::Down => Direction::Right,
        Direction::Right => Direction::Down,
        Direction::Up => Direction::Left,
        Direction::Left => Direction::Up,
    }
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
    let title = title(wanted, extent);
    Some(title.map_or(extent, |title| extent.union(&title)))
}

fn title(wanted: &Wanted, extent: Rect) -> Option<Rect> {
    let title = wanted.diagram.title.as_ref();
    let title = title.filter(|title| !title.text.trim().is_empty());
    title.map(|title| measure::title_rect(&title.text, extent))
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
    let obstacles = ctx.obstacles(&wanted.diagram.id);
    if let Some(by) = last {
        let here = own.translate(by.x, by.y).expand(CLEARANCE / 2.0);
        if !obstacles.iter().any(|rect| rect.intersects(&here)) {
            return by;
        }
    }
    let free = space::free_rect(&obstacles, looked_at(ctx.view, own), CLEARANCE);
    Point::new((free.x - own.x).round(), (free.y - own.y).round())
}

/// Where something of this size would lie best in a view.
fn looked_at(view: Rect, own: Rect) -> Rect {
    let x = view.center().x - own.w / 2.0;
    let y = view.y + (view.h * DOWN).min(((view.h - own.h) / 2.0).max(0.0));
    Rect::new(x, y, own.w, own.h)
}

/// How far to move a diagram for it to lie in an area, on nothing that is there; nothing if it does not fit.
fn inside(
    ctx: &ActionContext<'_, '_>,
    wanted: &Wanted,
    layout: &Layout,
    last: Option<Point>,
    area: Rect,
    gap: f64,
) -> Option<Point> {
    let Some(own) = extent(wanted, layout, Point::default()) else {
        return Some(Point::default());
    };
    let obstacles = ctx.obstacles(&wanted.diagram.id);
    let is_free = |by: &Point| {
        let here = own.translate(by.x, by.y);
        let near = here.expand(gap / 2.0);
        area.contains_rect(&here) && !obstacles.iter().any(|rect| rect.intersects(&near))
    };
    if let Some(by) = last.filter(is_free) {
        return Some(by);
    }
    let free = space::free_rect_within(&obstacles, looked_at(ctx.view, own), gap, area)?;
    Some(Point::new(free.x - own.x, free.y - own.y))
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
