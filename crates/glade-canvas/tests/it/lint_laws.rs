//! What lints say of drawings in which nothing is wrong, and of each flaw that is put into one.

use glade_canvas::binding::{End, route};
use glade_canvas::factory::{self, Lettering, Style};
use glade_canvas::lint::{LintKind, lints};
use glade_canvas::{Color, Element, Fill, GeoKind, Point, Rect, Scene, TextAlign, derive};
use proptest::prelude::*;
use serde_json::json;

use crate::support::{id, scene};

const PITCH: (f64, f64) = (460.0, 420.0);
const WORDS: [&str; 6] = [
    "Order",
    "Send the goods",
    "Is it paid?",
    "Warehouse",
    "Customers",
    "Total",
];

/// What stands in a cell of the grid; `kind` past the geometric ones is a note.
#[derive(Clone, Debug)]
struct Cell {
    kind: usize,
    color: usize,
    fill: usize,
    words: usize,
    off: (f64, f64),
}

fn cell() -> impl Strategy<Value = Cell> {
    let kinds = 0..=GeoKind::ALL.len();
    let off = (-20.0..20.0f64, -20.0..20.0f64);
    (kinds, 0..13usize, 0..5usize, 0..WORDS.len(), off).prop_map(
        |(kind, color, fill, words, off)| Cell {
            kind,
            color,
            fill,
            words,
            off,
        },
    )
}

/// A drawing as a careful person makes it: shapes of all kinds, colours and fills in a loose grid, arrows between
/// neighbours, some with a label, a title, a frame around all.
fn clean() -> impl Strategy<Value = Scene> {
    let cells = proptest::collection::vec(cell(), 4..12);
    let ties = proptest::collection::vec((0..13usize, any::<bool>()), 11);
    (cells, ties, any::<bool>(), 0..13usize)
        .prop_map(|(cells, ties, framed, title)| draw(&cells, &ties, framed, Color::ALL[title]))
}

const COLUMNS: usize = 4;

fn draw(cells: &[Cell], ties: &[(usize, bool)], framed: bool, title: Color) -> Scene {
    let mut elements = Vec::new();
    let mut shapes: Vec<Element> = Vec::new();
    for (at, cell) in cells.iter().enumerate() {
        let (column, row) = (at % COLUMNS, at / COLUMNS);
        let place = Point::new(
            column as f64 * PITCH.0 + cell.off.0,
            row as f64 * PITCH.1 + cell.off.1,
        );
        let (color, index) = (Color::ALL[cell.color], format!("a{at:02}"));
        let props = match GeoKind::ALL.get(cell.kind) {
            Some(kind) => {
                let rect = Rect::new(place.x, place.y, 220.0, 140.0);
                factory::geo(
                    *kind,
                    rect,
                    Style::new(color, Fill::ALL[cell.fill]),
                    1,
                    &index,
                )
            }
            None => {
                let rect = Rect::new(place.x, place.y, 250.0, 250.0);
                factory::sticky_note(rect, color, 1, &index)
            }
        };
        let shape = Element::new(format!("s{at}"), props);
        let label = factory::label(&shape, WORDS[cell.words], 1, &format!("b{at:02}"));
        elements.push(Element::new(format!("t{at}"), label));
        shapes.push(shape);
    }
    for (at, (color, labelled)) in ties.iter().enumerate().take(cells.len() - 1) {
        if (at + 1) % COLUMNS == 0 {
            continue; // across the page and back
        }
        let way = route(End::Element(&shapes[at]), End::Element(&shapes[at + 1]));
        let arrow = factory::arrow(&way, Color::ALL[*color], 1, &format!("c{at:02}"));
        let arrow = Element::new(format!("w{at}"), arrow);
        if *labelled {
            let label = factory::label(&arrow, "then", 1, &format!("d{at:02}"));
            elements.push(Element::new(format!("l{at}"), label));
        }
        elements.push(arrow);
    }
    elements.extend(shapes);
    let lettering = Lettering {
        ink: title.ink().to_owned(),
        ..Lettering::new(TextAlign::Left, title, 28.0)
    };
    let at = Point::new(0.0, -120.0);
    let head = factory::lettered("What happens to an order", at, None, &lettering, 1, "e0");
    elements.push(Element::new("head", head));
    let mut scene = scene(elements);
    let all = scene.live().map(|element| element.id.clone()).collect();
    let follows = derive(&scene, &all);
    scene.apply(&follows);
    if framed && let Some(area) = scene.content_bounds() {
        let frame = factory::frame(area.expand(60.0), "All of it", 1, "a000");
        let inside: Vec<Element> = scene.live().cloned().collect();
        for element in inside {
            scene.put(element.with(&crate::support::props(json!({"frameId": "frame"}))));
        }
        scene.put(Element::new("frame", frame));
    }
    scene
}

fn kinds(scene: &Scene) -> Vec<LintKind> {
    lints(scene).into_iter().map(|lint| lint.kind).collect()
}

fn put(scene: &mut Scene, name: &str, change: serde_json::Value) {
    let element = scene.get(&id(name)).expect("it is there");
    let changed = element.with(&crate::support::props(change));
    scene.put(changed);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn of_a_clean_drawing_nothing_is_said(scene in clean()) {
        prop_assert_eq!(lints(&scene), []);
    }

    #[test]
    fn each_flaw_that_is_put_into_a_clean_drawing_is_noticed(scene in clean()) {
        let first = scene.bounds(&id("s0")).unwrap();
        let second = scene.bounds(&id("s1")).unwrap();

        let mut overlapping = scene.clone();
        let side = Rect::new(first.x + 30.0, first.center().y, 220.0, 400.0);
        let shape = Element::new("over", factory::geo(GeoKind::Rectangle, side, Style::default(), 1, "f0"));
        overlapping.put(Element::new("over-t", factory::label(&shape, "Late", 1, "f1")));
        overlapping.put(shape);
        prop_assert!(kinds(&overlapping).contains(&LintKind::OverlappingShapes), "{:?}", lints(&overlapping));

        let mut pierced = scene.clone();
        let (left, right) = (Point::new(first.x - 200.0, first.center().y + 9.0), Point::new(second.x - 60.0, first.center().y + 9.0));
        let way = route(End::Point(left), End::Point(right));
        pierced.put(Element::new("spear", factory::arrow(&way, Color::Black, 1, "f0")));
        prop_assert!(kinds(&pierced).contains(&LintKind::ArrowThroughShape), "{:?}", lints(&pierced));

        let mut covered = scene.clone();
        let way = route(End::Point(Point::new(0.0, 9000.0)), End::Point(Point::new(70.0, 9000.0)));
        let arrow = Element::new("short", factory::arrow(&way, Color::Black, 1, "f0"));
        covered.put(Element::new("long", factory::label(&arrow, "confirms it", 1, "f1")));
        covered.put(arrow);
        prop_assert!(kinds(&covered).contains(&LintKind::LongLabel), "{:?}", lints(&covered));

        let mut cut = scene.clone();
        let half = Lettering::new(TextAlign::Left, Color::Black, 20.0);
        let box_ = Rect::new(0.0, 9000.0, 200.0, 100.0);
        cut.put(Element::new("box", factory::geo(GeoKind::Rectangle, box_, Style::default(), 1, "f0")));
        cut.put(Element::new("words", factory::lettered("half inside", Point::new(150.0, 9040.0), None, &half, 1, "f1")));
        prop_assert!(kinds(&cut).contains(&LintKind::CutWords), "{:?}", lints(&cut));

        let mut pale = scene.clone();
        put(&mut pale, "head", json!({"strokeColor": "#ffec99"}));
        prop_assert!(kinds(&pale).contains(&LintKind::LowContrast), "{:?}", lints(&pale));

        let mut loose = scene.clone();
        let way = route(End::Point(Point::new(first.x - 300.0, first.center().y)), End::Point(Point::new(first.x - 12.0, first.center().y)));
        loose.put(Element::new("loose", factory::arrow(&way, Color::Black, 1, "f0")));
        prop_assert!(kinds(&loose).contains(&LintKind::LooseArrowEnd), "{:?}", lints(&loose));

        let mut piled = scene.clone();
        piled.put(Element::new("pile", factory::lettered("What happens to it", Point::new(10.0, -118.0), None, &half, 1, "f1")));
        prop_assert!(kinds(&piled).contains(&LintKind::OverlappingText), "{:?}", lints(&piled));
    }
}

#[test]
fn a_caption_at_the_tip_of_an_arrow_and_a_box_that_would_shrink_it_are_not_its_ends() {
    let words = Lettering::new(TextAlign::Left, Color::Black, 20.0);
    let at = |x: f64| End::Point(Point::new(x, 0.0));
    let arrow = Element::new(
        "arrow",
        factory::arrow(&route(at(0.0), at(340.0)), Color::Black, 1, "a0"),
    );
    let caption = factory::lettered("grows", Point::new(350.0, 8.0), None, &words, 1, "a1");
    assert_eq!(
        lints(&scene([arrow.clone(), Element::new("caption", caption)])),
        []
    );
    // Tied to the two boxes that it passes, it would be as long as the gap between them.
    let aside = |name: &str, x: f64| {
        let rect = Rect::new(x, 20.0, 150.0, 60.0);
        Element::new(
            name,
            factory::geo(GeoKind::Rectangle, rect, Style::default(), 1, "a1"),
        )
    };
    assert_eq!(
        lints(&scene([arrow, aside("a", 0.0), aside("b", 190.0)])),
        []
    );
}
