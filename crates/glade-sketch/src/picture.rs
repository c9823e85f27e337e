//! Small pictures of things that people ask for first, put together from plain shapes.

use std::collections::BTreeSet;

use glade_canvas::Rect;
use serde_json::{Value, json};

use super::answer::{put_down, say};
use super::names::slug;
use super::sight::Sight;

const GAP: f64 = 60.0;
const MOST: usize = 6;

/// Something that a picture is made of, in its own coordinates.
enum Piece {
    /// Kind, x, y, width, height, colour, fill.
    Shape(&'static str, f64, f64, f64, f64, &'static str, &'static str),
    /// From, to, colour.
    Line(f64, f64, f64, f64, &'static str),
    /// A curve through points.
    Stroke(&'static [(f64, f64)], &'static str),
}

use Piece::{Line, Shape, Stroke};

/// The words for a thing, and its picture.
type Entry = (&'static [&'static str], &'static [Piece]);

const PICTURES: &[Entry] = &[
    (
        &["house", "home", "hut", "cottage"],
        &[
            Shape("rectangle", 165.0, 15.0, 28.0, 70.0, "grey", "solid"),
            Shape("rectangle", 20.0, 105.0, 200.0, 135.0, "orange", "tint"),
            Shape("triangle", 0.0, 0.0, 240.0, 106.0, "red", "solid"),
            Shape("rectangle", 98.0, 165.0, 45.0, 75.0, "red", "tint"),
            Shape("rectangle", 42.0, 135.0, 38.0, 38.0, "light-blue", "solid"),
            Shape("rectangle", 162.0, 135.0, 38.0, 38.0, "light-blue", "solid"),
        ],
    ),
    (
        &["tree", "oak"],
        &[
            Shape("rectangle", 78.0, 150.0, 34.0, 90.0, "orange", "solid"),
            Shape("ellipse", 0.0, 0.0, 190.0, 175.0, "green", "solid"),
        ],
    ),
    (
        &["sun", "sunshine"],
        &[
            Line(95.0, 0.0, 95.0, 30.0, "orange"),
            Line(95.0, 160.0, 95.0, 190.0, "orange"),
            Line(0.0, 95.0, 30.0, 95.0, "orange"),
            Line(160.0, 95.0, 190.0, 95.0, "orange"),
            Line(28.0, 28.0, 49.0, 49.0, "orange"),
            Line(141.0, 141.0, 162.0, 162.0, "orange"),
            Line(162.0, 28.0, 141.0, 49.0, "orange"),
            Line(49.0, 141.0, 28.0, 162.0, "orange"),
            Shape("ellipse", 45.0, 45.0, 100.0, 100.0, "yellow", "solid"),
        ],
    ),
    (
        &["cat", "kitten", "kitty"],
        &[
            Shape("triangle", 12.0, 0.0, 60.0, 80.0, "orange", "solid"),
            Shape("triangle", 128.0, 0.0, 60.0, 80.0, "orange", "solid"),
            Shape("ellipse", 5.0, 30.0, 190.0, 160.0, "orange", "tint"),
            Shape("ellipse", 55.0, 85.0, 26.0, 30.0, "green", "solid"),
            Shape("ellipse", 119.0, 85.0, 26.0, 30.0, "green", "solid"),
            Shape("ellipse", 90.0, 124.0, 20.0, 14.0, "light-red", "solid"),
            Stroke(
                &[
                    (70.0, 146.0),
                    (85.0, 156.0),
                    (100.0, 142.0),
                    (115.0, 156.0),
                    (130.0, 146.0),
                ],
                "black",
            ),
            Line(-25.0, 120.0, 40.0, 130.0, "black"),
            Line(-25.0, 148.0, 40.0, 140.0, "black"),
            Line(160.0, 130.0, 225.0, 120.0, "black"),
            Line(160.0, 140.0, 225.0, 148.0, "black"),
        ],
    ),
    (
        &["dog", "puppy"],
        &[
            Shape("ellipse", 15.0, 10.0, 170.0, 170.0, "orange", "tint"),
            Shape("ellipse", 0.0, 20.0, 50.0, 110.0, "orange", "solid"),
            Shape("ellipse", 150.0, 20.0, 50.0, 110.0, "orange", "solid"),
            Shape("ellipse", 65.0, 70.0, 20.0, 24.0, "black", "solid"),
            Shape("ellipse", 115.0, 70.0, 20.0, 24.0, "black", "solid"),
            Shape("ellipse", 82.0, 105.0, 36.0, 26.0, "black", "solid"),
            Stroke(
                &[
                    (70.0, 145.0),
                    (85.0, 157.0),
                    (100.0, 148.0),
                    (115.0, 157.0),
                    (130.0, 145.0),
                ],
                "black",
            ),
        ],
    ),
    (
        &["car", "automobile"],
        &[
            Shape("trapezoid", 50.0, 0.0, 160.0, 62.0, "light-blue", "solid"),
            Shape("rectangle", 0.0, 60.0, 260.0, 60.0, "red", "solid"),
            Shape("ellipse", 35.0, 92.0, 56.0, 56.0, "black", "solid"),
            Shape("ellipse", 170.0, 92.0, 56.0, 56.0, "black", "solid"),
        ],
    ),
    (
        &["flower", "daisy", "rose"],
        &[
            Line(90.0, 110.0, 90.0, 250.0, "green"),
            Shape("ellipse", 92.0, 180.0, 60.0, 26.0, "green", "solid"),
            Shape("ellipse", 64.0, 0.0, 52.0, 60.0, "light-violet", "solid"),
            Shape("ellipse", 64.0, 104.0, 52.0, 60.0, "light-violet", "solid"),
            Shape("ellipse", 8.0, 56.0, 60.0, 52.0, "light-violet", "solid"),
            Shape("ellipse", 112.0, 56.0, 60.0, 52.0, "light-violet", "solid"),
            Shape("ellipse", 60.0, 52.0, 60.0, 60.0, "yellow", "solid"),
        ],
    ),
    (
        &["smiley", "face", "smile", "emoji"],
        &[
            Shape("ellipse", 0.0, 0.0, 180.0, 180.0, "yellow", "solid"),
            Shape("ellipse", 50.0, 55.0, 22.0, 28.0, "black", "solid"),
            Shape("ellipse", 108.0, 55.0, 22.0, 28.0, "black", "solid"),
            Stroke(
                &[
                    (45.0, 115.0),
                    (65.0, 140.0),
                    (90.0, 148.0),
                    (115.0, 140.0),
                    (135.0, 115.0),
                ],
                "black",
            ),
        ],
    ),
    (
        &["robot", "android"],
        &[
            Line(90.0, 0.0, 90.0, 30.0, "black"),
            Shape("ellipse", 80.0, -12.0, 20.0, 20.0, "red", "solid"),
            Shape("rectangle", 35.0, 30.0, 110.0, 80.0, "grey", "tint"),
            Shape("ellipse", 58.0, 52.0, 22.0, 22.0, "light-blue", "solid"),
            Shape("ellipse", 100.0, 52.0, 22.0, 22.0, "light-blue", "solid"),
            Shape("rectangle", 65.0, 88.0, 50.0, 10.0, "black", "solid"),
            Shape("rectangle", 20.0, 118.0, 140.0, 100.0, "grey", "solid"),
            Shape("rectangle", -12.0, 125.0, 24.0, 80.0, "grey", "tint"),
            Shape("rectangle", 168.0, 125.0, 24.0, 80.0, "grey", "tint"),
            Shape("rectangle", 42.0, 222.0, 30.0, 50.0, "grey", "tint"),
            Shape("rectangle", 108.0, 222.0, 30.0, 50.0, "grey", "tint"),
        ],
    ),
    (
        &["person", "man", "woman", "human", "figure"],
        &[
            Shape("ellipse", 35.0, 0.0, 60.0, 60.0, "yellow", "tint"),
            Line(65.0, 60.0, 65.0, 150.0, "black"),
            Line(65.0, 85.0, 10.0, 120.0, "black"),
            Line(65.0, 85.0, 120.0, 120.0, "black"),
            Line(65.0, 150.0, 25.0, 220.0, "black"),
            Line(65.0, 150.0, 105.0, 220.0, "black"),
        ],
    ),
    (
        &["snowman"],
        &[
            Shape("ellipse", 0.0, 140.0, 170.0, 150.0, "light-blue", "tint"),
            Shape("ellipse", 30.0, 45.0, 110.0, 110.0, "light-blue", "tint"),
            Shape("rectangle", 45.0, 34.0, 80.0, 14.0, "black", "solid"),
            Shape("rectangle", 60.0, -10.0, 50.0, 46.0, "black", "solid"),
            Shape("ellipse", 64.0, 80.0, 12.0, 14.0, "black", "solid"),
            Shape("ellipse", 94.0, 80.0, 12.0, 14.0, "black", "solid"),
            Shape("triangle", 78.0, 100.0, 14.0, 22.0, "orange", "solid"),
            Shape("ellipse", 79.0, 175.0, 12.0, 12.0, "black", "solid"),
            Shape("ellipse", 79.0, 210.0, 12.0, 12.0, "black", "solid"),
        ],
    ),
    (
        &["boat", "ship", "sailboat"],
        &[
            Line(110.0, 0.0, 110.0, 150.0, "black"),
            Shape("triangle", 118.0, 10.0, 90.0, 130.0, "red", "tint"),
            Shape("rectangle", 40.0, 150.0, 150.0, 45.0, "orange", "solid"),
            Stroke(
                &[
                    (0.0, 200.0),
                    (35.0, 188.0),
                    (70.0, 202.0),
                    (105.0, 190.0),
                    (140.0, 202.0),
                    (175.0, 190.0),
                    (230.0, 200.0),
                ],
                "blue",
            ),
        ],
    ),
    (
        &["mountain", "mountains"],
        &[
            Shape("triangle", 110.0, 40.0, 220.0, 160.0, "grey", "tint"),
            Shape("triangle", 0.0, 0.0, 240.0, 200.0, "grey", "solid"),
            Shape("triangle", 90.0, 0.0, 60.0, 50.0, "light-blue", "solid"),
        ],
    ),
];

/// The things of a message that there are pictures of, in its order.
pub fn parse(message: &str) -> Option<Vec<usize>> {
    let text = message.trim().to_lowercase();
    let first = text.split_whitespace().next()?;
    let asks = [
        "draw", "sketch", "paint", "make", "add", "create", "show", "please", "can", "a", "an",
    ];
    if message.contains('\n') || !asks.contains(&first) {
        return None;
    }
    let words = text.split(|c: char| !c.is_alphanumeric());
    let found: Vec<usize> = words
        .filter_map(|word| PICTURES.iter().position(|(names, _)| names.contains(&word)))
        .take(MOST)
        .collect();
    (!found.is_empty()).then_some(found)
}

pub fn draw(things: &[usize], sight: &Sight) -> Vec<Value> {
    let things: Vec<&Entry> = things
        .iter()
        .filter_map(|thing| PICTURES.get(*thing))
        .collect();
    let extents: Vec<Rect> = things.iter().map(|(_, pieces)| extent(pieces)).collect();
    let wide = extents.iter().map(|all| all.w + GAP).sum::<f64>() - GAP;
    let tall = extents.iter().map(|all| all.h).fold(0.0, f64::max);
    let (mut x, y) = put_down(Rect::new(0.0, 0.0, wide, tall), sight);
    let mut taken = BTreeSet::new();
    let mut actions = Vec::new();
    for ((names, pieces), own) in things.iter().zip(&extents) {
        // All stand on the same ground.
        let (dx, dy) = (x - own.x, y + tall - own.h - own.y);
        for piece in *pieces {
            let id = slug(names[0], "picture", &mut taken, sight);
            actions.push(piece.action(names[0], &id, dx, dy));
        }
        x += own.w + GAP;
    }
    let named: Vec<String> = things
        .iter()
        .map(|(names, _)| format!("a {}", names[0]))
        .collect();
    actions.push(say(format!(
        "That is {}, as well as I can draw.",
        named.join(" and ")
    )));
    actions
}

impl Piece {
    fn action(&self, intent: &str, id: &str, dx: f64, dy: f64) -> Value {
        match self {
            Shape(kind, x, y, w, h, color, fill) => {
                json!({"_type": "create", "intent": intent, "shape": {
                    "_type": kind, "shapeId": id, "x": x + dx, "y": y + dy, "w": w, "h": h, "color": color, "fill": fill,
                }})
            }
            Line(x1, y1, x2, y2, color) => json!({"_type": "create", "intent": intent, "shape": {
                "_type": "line", "shapeId": id, "x1": x1 + dx, "y1": y1 + dy, "x2": x2 + dx, "y2": y2 + dy, "color": color,
            }}),
            Stroke(points, color) => {
                let points: Vec<Value> = points
                    .iter()
                    .map(|(x, y)| json!({"x": x + dx, "y": y + dy}))
                    .collect();
                json!({"_type": "pen", "intent": intent, "shapeId": id, "color": color, "fill": "none", "closed": false,
                    "style": "smooth", "points": points})
            }
        }
    }

    fn bounds(&self) -> Rect {
        match self {
            Shape(_, x, y, w, h, ..) => Rect::new(*x, *y, *w, *h),
            Line(x1, y1, x2, y2, _) => {
                Rect::new(x1.min(*x2), y1.min(*y2), (x2 - x1).abs(), (y2 - y1).abs())
            }
            Stroke(points, _) => points
                .iter()
                .map(|(x, y)| Rect::new(*x, *y, 0.0, 0.0))
                .reduce(|all, point| all.union(&point))
                .unwrap_or_default(),
        }
    }
}

fn extent(pieces: &[Piece]) -> Rect {
    let all = pieces.iter().map(Piece::bounds);
    all.reduce(|all, one| all.union(&one)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_are_found_in_the_words_that_ask_for_them() {
        let named = |message: &str| -> Vec<&str> {
            let found = parse(message).unwrap_or_default();
            found.iter().map(|thing| PICTURES[*thing].0[0]).collect()
        };
        assert_eq!(named("Draw a house"), ["house"]);
        assert_eq!(
            named("draw me a cottage with a tree and the sun!"),
            ["house", "tree", "sun"]
        );
        for message in [
            "draw a kangaroo",
            "what is a house",
            "rename House to Hut",
            "house",
        ] {
            assert_eq!(named(message), Vec::<&str>::new(), "{message}");
        }
    }
}
