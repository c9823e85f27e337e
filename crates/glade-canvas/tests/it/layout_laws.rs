//! What holds of layout on every page: rotated shapes, frames, groups, labels and arrows included.

use std::collections::BTreeSet;

use glade_canvas::layout::{self, AlignTo, Alignment, Direction, Side};
use glade_canvas::{Element, Point, Rect, Scene, derive, factory};
use glade_doc::ElementId;
use proptest::prelude::*;
use serde_json::json;

use crate::support::{element, id};

const KINDS: [&str; 6] = [
    "rectangle",
    "ellipse",
    "diamond",
    "stickynote",
    "line",
    "frame",
];

/// Shapes with all kinds of places and angles, some labelled, some in the frame, an arrow between the first two.
pub(crate) fn page() -> impl Strategy<Value = Scene> {
    let one = (
        proptest::sample::select(KINDS.to_vec()),
        (
            -500.0..500.0f64,
            -500.0..500.0f64,
            80.0..200.0f64,
            80.0..200.0f64,
        ),
        prop_oneof![2 => Just(0.0), 1 => -3.0..3.0f64],
        any::<bool>(),
        any::<bool>(),
    );
    proptest::collection::vec(one, 3..7).prop_map(|shapes| {
        let mut scene = Scene::new();
        for (at, (kind, (x, y, w, h), angle, labelled, framed)) in shapes.into_iter().enumerate() {
            let angle = if kind == "frame" { 0.0 } else { angle };
            let shape = element(
                &format!("s{at}"),
                json!({
                    "type": kind, "x": x, "y": y, "width": w, "height": h, "angle": angle, "index": format!("a{at}"),
                    "points": [[0.0, 0.0], [w, h / 2.0], [w / 3.0, h]],
                    "frameId": if framed && kind != "frame" { json!("s0") } else { json!(null) },
                }),
            );
            if labelled && shape.kind().holds_label() {
                let label = factory::label(&shape, "some words", 1, "a9");
                scene.put(Element::new(format!("t{at}"), label));
            }
            scene.put(shape);
        }
        let end = |name: &str| json!({"elementId": name, "fixedPoint": [0.4, 0.6], "mode": "orbit"});
        scene.put(element(
            "arrow",
            json!({"type": "arrow", "x": 0, "y": 0, "points": [[0, 0], [100, 100]], "startBinding": end("s0"), "endBinding": end("s1")}),
        ));
        let all = scene.live().map(|element| element.id.clone()).collect();
        let follows = derive(&scene, &all);
        scene.apply(&follows);
        scene
    })
}

fn names(scene: &Scene) -> Vec<ElementId> {
    let shapes = scene
        .live()
        .filter(|element| element.id.as_str().starts_with('s'));
    shapes.map(|element| element.id.clone()).collect()
}

fn boxes(scene: &Scene, ids: &[ElementId]) -> Vec<Rect> {
    ids.iter().map(|id| scene.bounds(id).unwrap()).collect()
}

/// Applies, and holds that nothing more follows.
fn apply(scene: &mut Scene, edits: &[glade_doc::Edit]) {
    scene.apply(edits);
    let touched: BTreeSet<ElementId> = edits.iter().map(|edit| edit.id().clone()).collect();
    assert_eq!(derive(scene, &touched), [], "after {edits:?}");
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-6
}

const ALIGNMENTS: [Alignment; 6] = [
    Alignment::Top,
    Alignment::Bottom,
    Alignment::Left,
    Alignment::Right,
    Alignment::CenterHorizontal,
    Alignment::CenterVertical,
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn aligning_again_finds_nothing(mut scene in page(), alignment in proptest::sample::select(ALIGNMENTS.to_vec())) {
        let ids = names(&scene);
        let edits = layout::align(&scene, &ids, alignment);
        apply(&mut scene, &edits);
        let edge = |rect: &Rect| match alignment {
            Alignment::Top => rect.y,
            Alignment::Bottom => rect.bottom(),
            Alignment::Left => rect.x,
            Alignment::Right => rect.right(),
            Alignment::CenterHorizontal => rect.center().x,
            Alignment::CenterVertical => rect.center().y,
        };
        let all = boxes(&scene, &ids);
        prop_assert!(all.iter().all(|rect| close(edge(rect), edge(&all[0]))), "{all:?}");
        prop_assert_eq!(layout::align(&scene, &ids, alignment), []);
    }

    #[test]
    fn distributing_keeps_the_ends_and_evens_the_gaps(mut scene in page(), down in any::<bool>()) {
        let direction = if down { Direction::Vertical } else { Direction::Horizontal };
        let ids = names(&scene);
        let span = |rect: &Rect| if down { (rect.y, rect.bottom()) } else { (rect.x, rect.right()) };
        let ends = |scene: &Scene| {
            let spans: Vec<_> = boxes(scene, &ids).iter().map(span).collect();
            (spans.iter().map(|s| s.0).fold(f64::MAX, f64::min), spans.iter().map(|s| s.1).fold(f64::MIN, f64::max))
        };
        let before = ends(&scene);
        let edits = layout::distribute(&scene, &ids, direction);
        apply(&mut scene, &edits);
        let after = ends(&scene);
        prop_assert!(close(before.0, after.0) && close(before.1, after.1), "{before:?} {after:?}");
        let mut spans: Vec<_> = boxes(&scene, &ids).iter().map(span).collect();
        spans.sort_by(|a, b| a.0.total_cmp(&b.0));
        let taken: f64 = spans.iter().map(|(start, end)| end - start).sum();
        if taken <= after.1 - after.0 {
            let gaps: Vec<f64> = spans.windows(2).map(|pair| pair[1].0 - pair[0].1).collect();
            prop_assert!(gaps.iter().all(|gap| close(*gap, gaps[0])), "{gaps:?}");
            prop_assert_eq!(layout::distribute(&scene, &ids, direction), []);
        }
    }

    #[test]
    fn placing_then_measuring_gives_the_offset_asked_for(
        mut scene in page(),
        side in proptest::sample::select(vec![Side::Top, Side::Bottom, Side::Left, Side::Right]),
        align in proptest::sample::select(vec![AlignTo::Start, AlignTo::Center, AlignTo::End]),
        (off, along) in (-50.0..50.0f64, -50.0..50.0f64),
    ) {
        let edits = layout::place(&scene, &id("s1"), &id("s2"), side, off, align, along);
        apply(&mut scene, &edits);
        let (a, b) = (scene.bounds(&id("s1")).unwrap(), scene.bounds(&id("s2")).unwrap());
        let side_offset = match side {
            Side::Top => b.y - a.bottom(),
            Side::Bottom => a.y - b.bottom(),
            Side::Left => b.x - a.right(),
            Side::Right => a.x - b.right(),
        };
        let (a, b) = match side {
            Side::Top | Side::Bottom => ((a.x, a.right()), (b.x, b.right())),
            Side::Left | Side::Right => ((a.y, a.bottom()), (b.y, b.bottom())),
        };
        let align_offset = match align {
            AlignTo::Start => a.0 - b.0,
            AlignTo::Center => (a.0 + a.1) / 2.0 - (b.0 + b.1) / 2.0,
            AlignTo::End => b.1 - a.1,
        };
        prop_assert!(close(side_offset, off) && close(align_offset, along), "{side_offset} {align_offset}");
    }

    #[test]
    fn stacking_leaves_the_gap_asked_for(mut scene in page(), gap in 0.0..40.0f64) {
        let ids = names(&scene);
        let edits = layout::stack(&scene, &ids, Direction::Vertical, gap);
        apply(&mut scene, &edits);
        let mut all = boxes(&scene, &ids);
        all.sort_by(|a, b| a.y.total_cmp(&b.y));
        for pair in all.windows(2) {
            prop_assert!(close(pair[1].y - pair[0].bottom(), gap), "{all:?}");
        }
    }

    #[test]
    fn turning_and_scaling_back_is_as_before(mut scene in page(), degrees in -360.0..360.0f64, scale in 0.5..2.0f64) {
        let start = scene.clone();
        // Notes have a smallest size and frames stand upright; both are exceptions by design.
        let ids: Vec<_> = names(&scene).into_iter().filter(|id| {
            !matches!(start.get(id).unwrap().kind().as_str(), "stickynote" | "frame")
        }).collect();
        let origin = Point::new(0.0, 0.0);
        let there = layout::rotate(&scene, &ids, degrees, origin);
        apply(&mut scene, &there);
        let back = layout::rotate(&scene, &ids, -degrees, origin);
        apply(&mut scene, &back);
        for (before, after) in boxes(&start, &ids).iter().zip(boxes(&scene, &ids)) {
            prop_assert!(close(before.x, after.x) && close(before.y, after.y) && close(before.w, after.w), "{before:?} {after:?}");
        }
        // Labels can make a shape grow, so only bare ones come back to their size.
        let bare: Vec<_> = ids.into_iter().filter(|id| start.label_of(id).is_none()).collect();
        for factor in [scale, 1.0 / scale] {
            let edits = layout::resize(&scene, &bare, factor, factor, origin);
            apply(&mut scene, &edits);
        }
        for (before, after) in boxes(&start, &bare).iter().zip(boxes(&scene, &bare)) {
            prop_assert!(close(before.x, after.x) && close(before.y, after.y) && close(before.h, after.h), "{before:?} {after:?}");
        }
    }
}
