//! Single shapes: "add a green circle called Start", "draw three stars".

use std::collections::BTreeSet;

use glade_canvas::Rect;
use glade_canvas::text::{FontFamily, measure, wrap};
use serde_json::{Value, json};

use super::answer::{put_down, say};
use super::names::{color_in, number, slug, split_list, unquote};
use super::sight::Sight;

const FONT_SIZE: f64 = 20.0;
const GAP: f64 = 50.0;
const MOST: usize = 30;

/// The words for shapes, and the shape that each means.
const KINDS: [(&str, &str); 26] = [
    ("rectangle", "rectangle"),
    ("square", "rectangle"),
    ("box", "rectangle"),
    ("circle", "ellipse"),
    ("ellipse", "ellipse"),
    ("oval", "ellipse"),
    ("diamond", "diamond"),
    ("triangle", "triangle"),
    ("star", "star"),
    ("heart", "heart"),
    ("cloud", "cloud"),
    ("hexagon", "hexagon"),
    ("pentagon", "pentagon"),
    ("octagon", "octagon"),
    ("pill", "pill"),
    ("trapezoid", "trapezoid"),
    ("rectangles", "rectangle"),
    ("squares", "rectangle"),
    ("boxes", "rectangle"),
    ("circles", "ellipse"),
    ("diamonds", "diamond"),
    ("triangles", "triangle"),
    ("stars", "star"),
    ("hearts", "heart"),
    ("clouds", "cloud"),
    ("hexagons", "hexagon"),
];

/// What to draw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shapes {
    kind: &'static str,
    /// Round or square: its sides are equal.
    even: bool,
    color: &'static str,
    texts: Vec<String>,
}

impl Shapes {
    /// Boxes that say this.
    pub fn boxes(texts: Vec<String>) -> Self {
        Self {
            kind: "rectangle",
            even: false,
            color: "blue",
            texts: texts.into_iter().take(MOST).collect(),
        }
    }
}

pub fn parse(message: &str) -> Option<Shapes> {
    let text = message.trim().trim_end_matches(['.', '!']);
    // A few stand in a row anyway.
    let row = [" in a row", " side by side", " next to each other"];
    let text = row
        .iter()
        .find_map(|words| text.strip_suffix(words))
        .unwrap_or(text);
    let lower = text.to_ascii_lowercase();
    let asks = [
        "draw", "add", "make", "create", "put", "new", "a ", "an ", "give",
    ];
    let counted = lower
        .split(' ')
        .next()
        .is_some_and(|word| number(word).is_some());
    let asked = asks
        .iter()
        .any(|word| lower.starts_with(word) || lower.contains(&format!("please {word}")));
    if text.contains('\n') || !(asked || counted) {
        return None;
    }
    let names = [
        " called ",
        " named ",
        " labelled ",
        " labeled ",
        " saying ",
        " that says ",
        " that say ",
        " with the text ",
        " with text ",
        " with the words ",
        ": ",
    ];
    let cut = names
        .iter()
        .filter_map(|word| Some((lower.find(word)?, word.len())))
        .min();
    let (head, named) = match cut {
        Some((at, len)) => (&lower[..at], Some(text[at + len..].trim())),
        None => (lower.as_str(), None),
    };
    let words: Vec<&str> = head.split_whitespace().collect();
    let (last, kind) = KINDS.iter().find(|(word, _)| words.last() == Some(word))?;
    // "make the box" is about one that is there.
    if words.contains(&"the") || words.contains(&"this") || words.contains(&"that") {
        return None;
    }
    let count = words
        .iter()
        .find_map(|word| number(word))
        .unwrap_or(1)
        .clamp(1, MOST);
    let texts = match named {
        None => vec![String::new(); count],
        Some(list) if count > 1 || last.ends_with('s') => split_list(list),
        Some(one) => vec![unquote(one).to_owned()],
    };
    Some(Shapes {
        kind,
        even: *last != "ellipse" && *last != "oval" && *kind != "rectangle" && *kind != "pill"
            || last.starts_with("square"),
        color: color_in(head).unwrap_or("blue"),
        texts: texts.into_iter().take(MOST).collect(),
    })
}

/// One shape with its words.
struct Single<'a> {
    of: &'a Shapes,
    text: &'a str,
}

impl Single<'_> {
    fn size(&self) -> (f64, f64) {
        // What a shape offers its text of each side.
        let share = match self.of.kind {
            "rectangle" | "pill" => 1.0,
            "ellipse" | "hexagon" | "octagon" | "cloud" => 0.62,
            _ => 0.45,
        };
        let wrapped = wrap(self.text, FontFamily::Excalifont, FONT_SIZE, 180.0);
        let text = measure(&wrapped, FontFamily::Excalifont, FONT_SIZE);
        let w = ((text.w + 40.0) / share).ceil().max(120.0);
        let h = ((text.h + 36.0) / share).ceil().max(80.0);
        if self.of.even {
            (w.max(h), w.max(h))
        } else {
            (w, h)
        }
    }
}

pub fn draw(shapes: &Shapes, sight: &Sight) -> Vec<Value> {
    draw_all(std::slice::from_ref(shapes), sight)
}

/// Shapes of several kinds, side by side; many in rows.
pub fn draw_all(shapes: &[Shapes], sight: &Sight) -> Vec<Value> {
    let singles: Vec<Single<'_>> = shapes
        .iter()
        .flat_map(|of| of.texts.iter().map(move |text| Single { of, text }))
        .take(MOST)
        .collect();
    let sizes: Vec<(f64, f64)> = singles.iter().map(Single::size).collect();
    let columns = if sizes.len() <= 5 {
        sizes.len()
    } else {
        (sizes.len() as f64).sqrt().ceil() as usize
    };
    let columns = columns.max(1);
    let wide = sizes.iter().map(|(w, _)| *w).fold(0.0, f64::max);
    let tall = sizes.iter().map(|(_, h)| *h).fold(0.0, f64::max);
    let rows = sizes.len().div_ceil(columns);
    let all = Rect::new(
        0.0,
        0.0,
        columns as f64 * (wide + GAP) - GAP,
        rows as f64 * (tall + GAP) - GAP,
    );
    let (dx, dy) = put_down(all, sight);
    let mut taken = BTreeSet::new();
    let mut actions = Vec::new();
    for (at, (Single { of, text }, (w, h))) in singles.iter().zip(&sizes).enumerate() {
        let x = dx + (at % columns) as f64 * (wide + GAP) + (wide - w) / 2.0;
        let y = dy + (at / columns) as f64 * (tall + GAP) + (tall - h) / 2.0;
        actions.push(json!({"_type": "create", "intent": of.kind, "shape": {
            "_type": of.kind, "shapeId": slug(text, of.kind, &mut taken, sight),
            "x": x.round(), "y": y.round(), "w": w, "h": h, "color": of.color, "fill": "tint", "text": text,
        }}));
    }
    actions.push(say(match sizes.len() {
        1 => "Here it is.".to_owned(),
        count if shapes.len() > 1 => format!("Here are {count} shapes."),
        count => format!("Here are {count} of them."),
    }));
    actions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_in_the_words_that_people_use() {
        let shapes = |kind, even, color, texts: &[&str]| {
            Some(Shapes {
                kind,
                even,
                color,
                texts: texts.iter().map(|text| (*text).to_owned()).collect(),
            })
        };
        assert_eq!(
            parse("Add a green circle called Start"),
            shapes("ellipse", true, "green", &["Start"])
        );
        assert_eq!(
            parse("draw a box"),
            shapes("rectangle", false, "blue", &[""])
        );
        assert_eq!(
            parse("Draw three stars!"),
            shapes("star", true, "blue", &["", "", ""])
        );
        assert_eq!(
            parse("make two red boxes: A, B"),
            shapes("rectangle", false, "red", &["A", "B"])
        );
        assert_eq!(
            parse("three boxes in a row"),
            shapes("rectangle", false, "blue", &["", "", ""])
        );
        for message in ["make the box red", "draw a cat", "a box of things", "box"] {
            assert_eq!(parse(message), None, "{message}");
        }
    }
}
