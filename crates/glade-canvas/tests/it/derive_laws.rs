//! What holds of deriving on every page, odd ones included.

use std::collections::BTreeSet;

use glade_canvas::factory;
use glade_canvas::label::inner_rect;
use glade_canvas::{Element, ElementKind, Scene, derive};
use glade_doc::{ElementId, Props};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::derive::settle;
use crate::support::{element, id, props, scene};

/// A coordinate or size as careful and careless writers leave them.
fn number() -> impl Strategy<Value = Value> {
    prop_oneof![
        12 => (-400.0..400.0f64).prop_map(|n| json!(n)),
        2 => (0..300i64).prop_map(|n| json!(n)),
        1 => prop_oneof![Just(json!(1e300)), Just(json!(-1e300)), Just(json!("wide")), Just(Value::Null), Just(json!(0))],
    ]
}

fn words() -> impl Strategy<Value = Value> {
    prop_oneof![
        8 => "[a-z]{1,8}( [a-z]{1,14}){0,6}".prop_map(Value::String),
        1 => Just(json!("")),
        1 => "[a-z \n漢]{0,30}".prop_map(Value::String),
        1 => Just(json!(42)),
    ]
}

fn any_element(count: usize) -> impl Strategy<Value = Props> {
    let kinds = [
        "rectangle",
        "ellipse",
        "diamond",
        "stickynote",
        "arrow",
        "arrow",
        "text",
        "text",
        "line",
        "frame",
        "odd",
    ];
    let name = move || (0..count).prop_map(|at| format!("e{at}"));
    let link = move || prop_oneof![3 => name().prop_map(Value::String), 1 => Just(Value::Null), 1 => Just(json!("gone"))];
    let binding = move || {
        let tied = (
            name(),
            0.0..1.0f64,
            0.0..1.0f64,
            prop_oneof![Just("orbit"), Just("inside")],
        );
        prop_oneof![
            4 => tied.prop_map(|(to, x, y, mode)| json!({"elementId": to, "fixedPoint": [x, y], "mode": mode})),
            1 => Just(Value::Null),
            1 => Just(json!({"elementId": "gone", "focus": 0.1, "gap": 4})),
        ]
    };
    let geometry = (
        number(),
        number(),
        number(),
        number(),
        prop_oneof![3 => Just(json!(0)), 1 => (-3.0..3.0f64).prop_map(|n| json!(n))],
    );
    let text = (
        words(),
        prop_oneof![
            Just(json!(16)),
            Just(json!(20)),
            Just(json!(36)),
            Just(json!(-5))
        ],
        any::<bool>(),
        link(),
    );
    let align = (
        prop_oneof![Just("left"), Just("center"), Just("right")],
        prop_oneof![Just("top"), Just("middle"), Just("bottom")],
    );
    let points = proptest::collection::vec((-300.0..300.0f64, -300.0..300.0f64), 0..4);
    let rest = (points, binding(), binding(), any::<bool>(), 0..4u8);
    (proptest::sample::select(kinds.to_vec()), geometry, text, align, rest).prop_map(
        |(kind, (x, y, w, h, angle), (words, font, auto, container), (across, down), (points, start, end, head, round))| {
            props(json!({
                "type": kind, "x": x, "y": y, "width": w, "height": h, "angle": angle,
                "originalText": words, "fontSize": font, "autoResize": auto, "containerId": container,
                "textAlign": across, "verticalAlign": down, "points": points, "startBinding": start, "endBinding": end,
                "endArrowhead": if head { json!("arrow") } else { Value::Null },
                "roundness": if round == 0 { Value::Null } else { json!({"type": round}) },
                "isDeleted": round == 3,
            }))
        },
    )
}

fn any_scene() -> impl Strategy<Value = Scene> {
    proptest::collection::vec(any_element(9), 1..9).prop_map(|elements| {
        elements
            .into_iter()
            .enumerate()
            .map(|(at, props)| Element::new(format!("e{at}"), props))
            .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn deriving_again_finds_nothing(mut scene in any_scene(), picks in proptest::collection::vec(any::<bool>(), 9)) {
        let changed: BTreeSet<ElementId> = (0..9).filter(|at| picks[*at]).map(|at| id(&format!("e{at}"))).collect();
        let all: BTreeSet<ElementId> = (0..9).map(|at| id(&format!("e{at}"))).collect();
        for set in [changed, all] {
            let edits = derive(&scene, &set);
            for edit in &edits {
                prop_assert!(scene.get(edit.id()).is_some(), "writes to what is not there: {edit:?}");
            }
            scene.apply(&edits);
            prop_assert_eq!(derive(&scene, &set), []);
        }
    }

    #[test]
    fn a_label_lies_inside_its_container(
        kind in proptest::sample::select(vec!["rectangle", "ellipse", "diamond", "stickynote"]),
        words in "[a-z]{1,8}( [a-z]{1,14}){0,8}",
        (w, h) in (1.0..400.0f64, 1.0..300.0f64),
        font in 10.0..40.0f64,
    ) {
        let container = element("c", json!({"type": kind, "x": 10, "y": 20, "width": w, "height": h}));
        let mut label = Element::new("t", factory::label(&container, &words, 1, "a1"));
        label.props.insert("fontSize".to_owned(), json!(font));
        label.props.insert("baseFontSize".to_owned(), json!(font));
        let mut scene = scene([container, label]);
        settle(&mut scene, &["c"]);
        let (container, label) = (scene.get(&id("c")).unwrap(), scene.get(&id("t")).unwrap());
        // Ellipses and diamonds round their inner box to whole pixels; wrapping counts some
        // characters without the kerning that they are drawn with.
        let room = inner_rect(container).expand(1.0 + 0.1 * font);
        prop_assert!(room.contains_rect(&label.rect()), "{:?} not in {room:?}", label.rect());
        prop_assert!(container.rect().contains_rect(&label.rect()));
        prop_assert_eq!(container.kind() == ElementKind::StickyNote, kind == "stickynote");
    }
}
