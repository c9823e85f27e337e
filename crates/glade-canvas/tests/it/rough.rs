//! Strokes and fills against rough.js itself: `tests/oracle/rough.mjs` made the fixture.

use glade_canvas::Point;
use glade_canvas::render::rough::{self, Closing, Drawable, FillStyle, Options, Segment, SetKind};
use serde_json::Value;

fn number(value: &Value, at: usize) -> f64 {
    value[at].as_f64().unwrap()
}

fn points(value: &Value) -> Vec<Point> {
    let point = |pair: &Value| Point::new(number(pair, 0), number(pair, 1));
    value.as_array().unwrap().iter().map(point).collect()
}

fn segments(value: &Value) -> Vec<Segment> {
    let segment = |part: &Value| {
        let at = |index: usize| Point::new(number(part, index), number(part, index + 1));
        match part[0].as_str().unwrap() {
            "M" => Segment::Move(at(1)),
            "L" => Segment::Line(at(1)),
            "Q" => Segment::Quadratic(at(1), at(3)),
            "C" => Segment::Cubic(at(1), at(3), at(5)),
            _ => Segment::Close,
        }
    };
    value.as_array().unwrap().iter().map(segment).collect()
}

fn options(case: &Value) -> Options {
    let manner = &case["manner"];
    let defaults = Options::default();
    Options {
        seed: manner["seed"].as_f64().unwrap(),
        roughness: manner["roughness"].as_f64().unwrap(),
        fill: case["fill"].as_str().map(|fill| match fill {
            "solid" => FillStyle::Solid,
            "cross-hatch" => FillStyle::CrossHatch,
            "zigzag" => FillStyle::Zigzag,
            _ => FillStyle::Hachure,
        }),
        hachure_gap: 8.0,
        curve_fitting: manner["curveFitting"]
            .as_f64()
            .unwrap_or(defaults.curve_fitting),
        single_stroke: manner["disableMultiStroke"].as_bool().unwrap_or(false),
        preserve_vertices: manner["preserveVertices"].as_bool().unwrap_or(false),
        ..defaults
    }
}

fn draw(case: &Value) -> Drawable {
    let (args, options) = (&case["args"], options(case));
    let n = |at: usize| number(args, at);
    match case["shape"].as_str().unwrap() {
        "line" => rough::line(Point::new(n(0), n(1)), Point::new(n(2), n(3)), &options),
        "linearPath" => rough::linear_path(&points(&args[0]), &options),
        "rectangle" => rough::rectangle(n(0), n(1), n(2), n(3), &options),
        "polygon" => rough::polygon(&points(&args[0]), &options),
        "ellipse" => rough::ellipse(n(0), n(1), n(2), n(3), &options),
        "curve" => rough::curve(&points(&args[0]), &options),
        "arc" => {
            let closing = if args[6].as_bool().unwrap() {
                Closing::ThroughCenter
            } else {
                Closing::Open
            };
            rough::arc(
                Point::new(n(0), n(1)),
                n(2),
                n(3),
                (n(4), n(5)),
                closing,
                &options,
            )
        }
        "path" => rough::path(&segments(args), &options),
        other => panic!("the fixture has an unknown shape {other}"),
    }
}

fn flat(op: &Segment) -> (&'static str, Vec<f64>) {
    match op {
        Segment::Move(to) => ("M", vec![to.x, to.y]),
        Segment::Line(to) => ("L", vec![to.x, to.y]),
        Segment::Cubic(one, two, to) => ("C", vec![one.x, one.y, two.x, two.y, to.x, to.y]),
        Segment::Quadratic(..) | Segment::Close => unreachable!("strokes have none"),
    }
}

#[test]
fn strokes_and_fills_are_those_of_rough_js() {
    let cases: Vec<Value> = serde_json::from_str(include_str!("fixtures/rough.json")).unwrap();
    assert!(cases.len() > 120);
    for (at, case) in cases.iter().enumerate() {
        let ours = draw(case);
        let theirs = case["sets"].as_array().unwrap();
        let context = format!(
            "case {at}: {} filled {} {}",
            case["shape"], case["fill"], case["manner"]
        );
        assert_eq!(ours.sets.len(), theirs.len(), "{context}");
        for (ours, theirs) in ours.sets.iter().zip(theirs) {
            let kind = match ours.kind {
                SetKind::Outline => "path",
                SetKind::Area => "fillPath",
                SetKind::Sketch => "fillSketch",
            };
            assert_eq!(kind, theirs["type"], "{context}");
            let their_ops = theirs["ops"].as_array().unwrap();
            assert_eq!(ours.ops.len(), their_ops.len(), "{context} {kind}");
            for (op, expected) in ours.ops.iter().zip(their_ops) {
                let (name, numbers) = flat(op);
                assert_eq!(name, expected[0], "{context} {kind}");
                for (index, ours) in numbers.iter().enumerate() {
                    let theirs = number(expected, index + 1);
                    assert!(
                        (ours - theirs).abs() < 1e-6,
                        "{context} {kind}: {ours} {theirs}"
                    );
                }
            }
        }
    }
}
