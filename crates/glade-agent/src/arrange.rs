//! Arranging shapes: where each goes when several are aligned, spread, stacked, placed, turned or
//! scaled. Pure, over a scene, on upright bounds in page space.
//!
//! Small and private until the canvas library offers the same by these names
//! (`glade_canvas::layout`); then this file goes.

use std::f64::consts::TAU;

use glade_canvas::{Element, ElementKind, Point, Rect, Scene, bounds, order};
use glade_doc::{Edit, ElementId, Props};
use serde_json::{Value, json};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Alignment {
    Top,
    Bottom,
    Left,
    Right,
    CenterHorizontal,
    CenterVertical,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Horizontal,
    Vertical,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Top,
    Bottom,
    Left,
    Right,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Along {
    Start,
    Center,
    End,
}

/// Shapes that can be put somewhere: bound arrows follow their shapes, labels their containers.
fn movable<'s>(scene: &'s Scene, ids: &[ElementId]) -> Vec<(&'s Element, Rect)> {
    ids.iter()
        .filter_map(|id| scene.get(id))
        .filter(|element| !crate::shapes::follows(element))
        .map(|element| (element, bounds::bounds(element)))
        .collect()
}

/// The upright box around these shapes.
pub fn union(scene: &Scene, ids: &[ElementId]) -> Option<Rect> {
    ids.iter()
        .filter_map(|id| scene.get(id))
        .map(bounds::bounds)
        .reduce(|all, one| all.union(&one))
}

fn put(id: &ElementId, props: Props) -> Option<Edit> {
    (!props.is_empty()).then(|| Edit::Put {
        id: id.clone(),
        props,
    })
}

fn shifted(element: &Element, dx: f64, dy: f64) -> Option<Edit> {
    let mut props = Props::new();
    if dx != 0.0 {
        props.insert("x".to_owned(), json!(element.x() + dx));
    }
    if dy != 0.0 {
        props.insert("y".to_owned(), json!(element.y() + dy));
    }
    put(&element.id, props)
}

pub fn align(scene: &Scene, ids: &[ElementId], alignment: Alignment) -> Vec<Edit> {
    let shapes = movable(scene, ids);
    let Some(all) = shapes
        .iter()
        .map(|(_, rect)| *rect)
        .reduce(|all, one| all.union(&one))
    else {
        return Vec::new();
    };
    let edit = |(element, rect): &(&Element, Rect)| {
        let (dx, dy) = match alignment {
            Alignment::Top => (0.0, all.y - rect.y),
            Alignment::Bottom => (0.0, all.bottom() - rect.bottom()),
            Alignment::Left => (all.x - rect.x, 0.0),
            Alignment::Right => (all.right() - rect.right(), 0.0),
            Alignment::CenterHorizontal => (all.center().x - rect.center().x, 0.0),
            Alignment::CenterVertical => (0.0, all.center().y - rect.center().y),
        };
        shifted(element, dx, dy)
    };
    shapes.iter().filter_map(edit).collect()
}

fn start(rect: &Rect, direction: Direction) -> f64 {
    match direction {
        Direction::Horizontal => rect.x,
        Direction::Vertical => rect.y,
    }
}

fn length(rect: &Rect, direction: Direction) -> f64 {
    match direction {
        Direction::Horizontal => rect.w,
        Direction::Vertical => rect.h,
    }
}

/// Puts shapes one after the other from `from` on, `gap` between them, in the order of their places.
fn row(mut shapes: Vec<(&Element, Rect)>, direction: Direction, from: f64, gap: f64) -> Vec<Edit> {
    shapes.sort_by(|a, b| start(&a.1, direction).total_cmp(&start(&b.1, direction)));
    let mut at = from;
    let mut edits = Vec::new();
    for (element, rect) in shapes {
        let delta = at - start(&rect, direction);
        edits.extend(match direction {
            Direction::Horizontal => shifted(element, delta, 0.0),
            Direction::Vertical => shifted(element, 0.0, delta),
        });
        at += length(&rect, direction) + gap;
    }
    edits
}

/// Equal gaps between the first and the last, which stay.
pub fn distribute(scene: &Scene, ids: &[ElementId], direction: Direction) -> Vec<Edit> {
    let shapes = movable(scene, ids);
    let Some(all) = shapes
        .iter()
        .map(|(_, rect)| *rect)
        .reduce(|all, one| all.union(&one))
    else {
        return Vec::new();
    };
    if shapes.len() < 3 {
        return Vec::new();
    }
    let filled: f64 = shapes.iter().map(|(_, rect)| length(rect, direction)).sum();
    let gap = (length(&all, direction) - filled) / (shapes.len() - 1) as f64;
    row(shapes, direction, start(&all, direction), gap)
}

/// One after the other with this gap; the first stays.
pub fn stack(scene: &Scene, ids: &[ElementId], direction: Direction, gap: f64) -> Vec<Edit> {
    let shapes = movable(scene, ids);
    let first = shapes
        .iter()
        .map(|(_, rect)| start(rect, direction))
        .min_by(f64::total_cmp);
    match first {
        Some(first) => row(shapes, direction, first, gap),
        None => Vec::new(),
    }
}

/// Puts a shape beside another.
pub fn place(
    scene: &Scene,
    id: &ElementId,
    reference: &ElementId,
    (side, side_offset): (Side, f64),
    (along, align_offset): (Along, f64),
) -> Vec<Edit> {
    let (Some(element), Some(other)) = (scene.get(id), scene.get(reference)) else {
        return Vec::new();
    };
    let (rect, other) = (bounds::bounds(element), bounds::bounds(other));
    let lined = |start: f64, length: f64, own: f64| {
        align_offset
            + match along {
                Along::Start => start,
                Along::Center => start + (length - own) / 2.0,
                Along::End => start + length - own,
            }
    };
    let corner = match side {
        Side::Top => Point::new(
            lined(other.x, other.w, rect.w),
            other.y - rect.h - side_offset,
        ),
        Side::Bottom => Point::new(
            lined(other.x, other.w, rect.w),
            other.bottom() + side_offset,
        ),
        Side::Left => Point::new(
            other.x - rect.w - side_offset,
            lined(other.y, other.h, rect.h),
        ),
        Side::Right => Point::new(other.right() + side_offset, lined(other.y, other.h, rect.h)),
    };
    shifted(element, corner.x - rect.x, corner.y - rect.y)
        .into_iter()
        .collect()
}

/// Turns shapes about a point, clockwise.
pub fn rotate(scene: &Scene, ids: &[ElementId], degrees: f64, origin: Point) -> Vec<Edit> {
    let angle = degrees.to_radians();
    let edit = |(element, _): (&Element, Rect)| {
        let center = bounds::local_rect(element).center();
        let moved = center.rotate(origin, angle);
        let mut props = Props::new();
        let turned = (element.angle() + angle).rem_euclid(TAU);
        if turned != element.angle() {
            props.insert("angle".to_owned(), json!(turned));
        }
        let (dx, dy) = (moved.x - center.x, moved.y - center.y);
        if dx.abs() > 1e-9 {
            props.insert("x".to_owned(), json!(element.x() + dx));
        }
        if dy.abs() > 1e-9 {
            props.insert("y".to_owned(), json!(element.y() + dy));
        }
        put(&element.id, props)
    };
    movable(scene, ids).into_iter().filter_map(edit).collect()
}

/// Scales shapes from a point; a negative factor mirrors their places.
pub fn resize(scene: &Scene, ids: &[ElementId], sx: f64, sy: f64, origin: Point) -> Vec<Edit> {
    let edit = |(element, _): (&Element, Rect)| {
        let old = bounds::local_rect(element);
        let scaled = Rect::new(
            origin.x + (old.x - origin.x) * sx,
            origin.y + (old.y - origin.y) * sy,
            old.w * sx,
            old.h * sy,
        )
        .normalized();
        let mut props = Props::new();
        if element.kind().is_linear() {
            let points: Vec<Value> = element
                .points()
                .into_iter()
                .map(|point| json!([point.x * sx, point.y * sy]))
                .collect();
            props.insert(
                "x".to_owned(),
                json!(origin.x + (element.x() - origin.x) * sx),
            );
            props.insert(
                "y".to_owned(),
                json!(origin.y + (element.y() - origin.y) * sy),
            );
            props.insert("points".to_owned(), Value::Array(points));
        } else {
            props.insert("x".to_owned(), json!(scaled.x));
            props.insert("y".to_owned(), json!(scaled.y));
        }
        props.insert("width".to_owned(), json!(scaled.w));
        props.insert("height".to_owned(), json!(scaled.h));
        match element.kind() {
            ElementKind::Text => {
                let size = element.font_size() * (sx * sy).abs().sqrt();
                props.insert("fontSize".to_owned(), json!(size.clamp(4.0, 400.0)));
            }
            ElementKind::StickyNote => {
                props.insert("baseHeight".to_owned(), json!(scaled.h));
            }
            _ => {}
        }
        put(&element.id, props)
    };
    movable(scene, ids).into_iter().filter_map(edit).collect()
}

/// New order keys above `floor` (or below `ceiling`) for these shapes and their labels, which keep
/// their order among themselves.
pub fn reorder(
    scene: &Scene,
    ids: &[ElementId],
    floor: Option<&str>,
    ceiling: Option<&str>,
) -> Vec<Edit> {
    let mut moved: Vec<&Element> = Vec::new();
    for id in ids {
        moved.extend(scene.get(id));
        moved.extend(scene.label_of(id));
    }
    moved.sort_by(|a, b| (a.index(), &a.id).cmp(&(b.index(), &b.id)));
    moved.dedup_by(|a, b| a.id == b.id);
    let Ok(keys) = order::keys_between(floor, ceiling, moved.len()) else {
        return Vec::new(); // the page's keys are beyond repair; the order stays
    };
    moved
        .into_iter()
        .zip(keys)
        .map(|(element, key)| Edit::Put {
            id: element.id.clone(),
            props: Props::from_iter([("index".to_owned(), json!(key))]),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use glade_canvas::{GeoKind, factory};

    fn scene(rects: &[(&str, Rect)]) -> Scene {
        let mut scene = Scene::new();
        for (number, (id, rect)) in rects.iter().enumerate() {
            let index = format!("a{number}");
            let props = factory::geo(
                GeoKind::Rectangle,
                *rect,
                factory::Style::default(),
                1,
                &index,
            );
            scene.put(Element::new(ElementId::from(*id), props));
        }
        scene
    }

    fn three() -> (Scene, Vec<ElementId>) {
        let scene = scene(&[
            ("a", Rect::new(0.0, 0.0, 100.0, 40.0)),
            ("b", Rect::new(130.0, 50.0, 50.0, 60.0)),
            ("c", Rect::new(300.0, 20.0, 100.0, 20.0)),
        ]);
        (scene, ["a", "b", "c"].map(ElementId::from).to_vec())
    }

    fn after(mut scene: Scene, edits: &[Edit]) -> Vec<(f64, f64)> {
        scene.apply(edits);
        ["a", "b", "c"]
            .iter()
            .filter_map(|id| scene.get(&ElementId::from(*id)))
            .map(|element| (element.x(), element.y()))
            .collect()
    }

    #[test]
    fn every_alignment_lines_up_one_side_or_middle() {
        let cases = [
            (Alignment::Top, [(0.0, 0.0), (130.0, 0.0), (300.0, 0.0)]),
            (
                Alignment::Bottom,
                [(0.0, 70.0), (130.0, 50.0), (300.0, 90.0)],
            ),
            (Alignment::Left, [(0.0, 0.0), (0.0, 50.0), (0.0, 20.0)]),
            (
                Alignment::Right,
                [(300.0, 0.0), (350.0, 50.0), (300.0, 20.0)],
            ),
            (
                Alignment::CenterHorizontal,
                [(150.0, 0.0), (175.0, 50.0), (150.0, 20.0)],
            ),
            (
                Alignment::CenterVertical,
                [(0.0, 35.0), (130.0, 25.0), (300.0, 45.0)],
            ),
        ];
        for (alignment, expected) in cases {
            let (scene, ids) = three();
            let edits = align(&scene, &ids, alignment);
            assert_eq!(after(scene, &edits), expected, "{alignment:?}");
        }
    }

    #[test]
    fn distributing_makes_equal_gaps_between_the_ends() {
        let (scene, ids) = three();
        let edits = distribute(&scene, &ids, Direction::Horizontal);
        assert_eq!(
            after(scene, &edits),
            [(0.0, 0.0), (175.0, 50.0), (300.0, 20.0)]
        );
    }

    #[test]
    fn stacking_goes_on_from_the_first() {
        let (scene, ids) = three();
        let edits = stack(&scene, &ids, Direction::Vertical, 10.0);
        assert_eq!(
            after(scene, &edits),
            [(0.0, 0.0), (130.0, 80.0), (300.0, 50.0)]
        );
    }

    #[test]
    fn placing_beside_keeps_the_offsets() {
        let (scene, ids) = three();
        let cases = [
            (Side::Right, Along::Center, (110.0, -5.0)),
            (Side::Left, Along::Start, (-60.0, 5.0)),
            (Side::Top, Along::End, (55.0, -70.0)),
            (Side::Bottom, Along::Center, (30.0, 50.0)),
        ];
        for (side, along, expected) in cases {
            let edits = place(&scene, &ids[1], &ids[0], (side, 10.0), (along, 5.0));
            assert_eq!(after(scene.clone(), &edits)[1], expected, "{side:?}");
        }
    }

    #[test]
    fn turning_about_the_origin_of_the_page_is_turning_about_that_point() {
        let (scene, ids) = three();
        let edits = rotate(&scene, &ids[..1], 90.0, Point::new(0.0, 0.0));
        let mut turned = scene.clone();
        turned.apply(&edits);
        let rect = bounds::bounds(turned.get(&ids[0]).unwrap());
        let rounded = [rect.x, rect.y, rect.w, rect.h].map(f64::round);
        assert_eq!(rounded, [-40.0, 0.0, 40.0, 100.0]);
    }

    #[test]
    fn scaling_goes_from_the_origin_given() {
        let (mut scene, ids) = three();
        scene.apply(&resize(&scene, &ids[1..2], 2.0, 0.5, Point::new(0.0, 0.0)));
        let rect = scene.get(&ids[1]).unwrap().rect();
        assert_eq!(rect, Rect::new(260.0, 25.0, 100.0, 30.0));
    }
}
