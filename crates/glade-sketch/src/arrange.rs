//! Arranging what is there: rows, columns, grids, edges in line, even gaps.

use glade_agent::format::BlurryShape;
use serde_json::{Value, json};

use super::answer::say;
use super::names::{Target, target};
use super::sight::Sight;

const GAP: f64 = 40.0;

#[derive(Debug, Clone, PartialEq)]
pub enum Arrangement {
    Row,
    Column,
    Grid,
    /// One of the alignments of the action `align`.
    Align(&'static str),
    /// `horizontal` or `vertical`.
    Distribute(&'static str),
}

/// How to arrange what, in the words that people use; nothing named: what is selected, or all.
pub fn parse(message: &str) -> Option<(Arrangement, String)> {
    let text = message.trim().trim_end_matches(['.', '!']);
    let lower = text.to_ascii_lowercase();
    if lower.contains('\n') {
        return None;
    }
    let lower = lower.strip_prefix("please ").unwrap_or(&lower);
    let verbs = [
        "arrange ",
        "line up ",
        "align ",
        "distribute ",
        "space out ",
        "spread out ",
        "spread ",
        "put ",
        "lay out ",
        "organise ",
        "organize ",
        "stack ",
    ];
    let tidy = [
        "tidy up", "tidy", "clean up", "arrange", "organise", "organize",
    ];
    if let Some(rest) = tidy.iter().find_map(|word| lower.strip_prefix(word))
        && matches!(
            rest.trim(),
            "" | "this" | "it" | "the page" | "everything" | "them" | "these" | "this page" | "up"
        )
    {
        return Some((Arrangement::Grid, String::new()));
    }
    let verb = verbs.iter().find(|verb| lower.starts_with(**verb))?;
    let rest = &lower[verb.len()..];
    let stacked = *verb == "stack ";
    let endings: [(&str, Arrangement); 22] = [
        (" in a row", Arrangement::Row),
        (" in a line", Arrangement::Row),
        (" side by side", Arrangement::Row),
        (" next to each other", Arrangement::Row),
        (" in a column", Arrangement::Column),
        (" below each other", Arrangement::Column),
        (
            " vertically",
            if stacked {
                Arrangement::Column
            } else {
                Arrangement::Distribute("vertical")
            },
        ),
        (
            " horizontally",
            if stacked {
                Arrangement::Row
            } else {
                Arrangement::Distribute("horizontal")
            },
        ),
        (" in a grid", Arrangement::Grid),
        (" as a grid", Arrangement::Grid),
        (" to the left", Arrangement::Align("left")),
        (" on the left", Arrangement::Align("left")),
        (" left", Arrangement::Align("left")),
        (" to the right", Arrangement::Align("right")),
        (" on the right", Arrangement::Align("right")),
        (" right", Arrangement::Align("right")),
        (" at the top", Arrangement::Align("top")),
        (" top", Arrangement::Align("top")),
        (" at the bottom", Arrangement::Align("bottom")),
        (" bottom", Arrangement::Align("bottom")),
        (" evenly", Arrangement::Distribute("horizontal")),
        (" in the middle", Arrangement::Align("center-vertical")),
    ];
    let padded = format!(" {rest}");
    let hit = endings
        .into_iter()
        .find_map(|(ending, how)| Some((padded.strip_suffix(ending)?.trim().to_owned(), how)));
    let (what, how) = match hit {
        // "move it to the right" and "put A left" are not about lining up.
        Some((_, Arrangement::Align(_))) if *verb == "put " => return None,
        Some(hit) => hit,
        None if stacked => (rest.to_owned(), Arrangement::Column),
        None if *verb == "line up " => (rest.to_owned(), Arrangement::Row),
        None if verb.starts_with("space")
            || verb.starts_with("spread")
            || verb.starts_with("dist") =>
        {
            (rest.to_owned(), Arrangement::Distribute("horizontal"))
        }
        None if verb.starts_with("arrange") || verb.starts_with("organi") => {
            (rest.to_owned(), Arrangement::Grid)
        }
        None => return None,
    };
    Some((how, what))
}

pub fn apply(how: &Arrangement, what: &str, sight: &Sight) -> Vec<Value> {
    let vague = matches!(
        what,
        "" | "everything" | "them" | "these" | "it" | "this" | "all" | "things" | "the shapes"
    );
    let ids: Vec<String> = if vague && sight.selected.len() > 1 {
        sight.selected.clone()
    } else if vague {
        sight
            .shapes
            .iter()
            .map(|shape| shape.shape_id.clone())
            .collect()
    } else {
        match target(what, sight) {
            Target::Shapes(ids) => ids,
            Target::NothingSelected => sight
                .shapes
                .iter()
                .map(|shape| shape.shape_id.clone())
                .collect(),
            Target::Unknown(name) => {
                return vec![say(format!("I see no shape called \"{name}\" here."))];
            }
        }
    };
    // Arrows follow what they are tied to.
    let mut shapes: Vec<&BlurryShape> = ids
        .iter()
        .filter_map(|id| sight.shape(id))
        .filter(|shape| !matches!(shape.kind.as_str(), "arrow" | "line"))
        .collect();
    if shapes.len() < 2 {
        return vec![say(
            "There are not two shapes to arrange. Select some, or tell me their names.".to_owned(),
        )];
    }
    let ids: Vec<&str> = shapes.iter().map(|shape| shape.shape_id.as_str()).collect();
    let done = say(format!("Arranged {} shapes.", shapes.len()));
    match how {
        Arrangement::Align(alignment) => {
            vec![
                json!({"_type": "align", "intent": "line up", "shapeIds": ids, "alignment": alignment}),
                done,
            ]
        }
        Arrangement::Distribute(direction) => {
            vec![
                json!({"_type": "distribute", "intent": "even gaps", "shapeIds": ids, "direction": direction}),
                done,
            ]
        }
        Arrangement::Row | Arrangement::Column | Arrangement::Grid => {
            let columns = match how {
                Arrangement::Row => shapes.len(),
                Arrangement::Column => 1,
                _ => (shapes.len() as f64).sqrt().ceil() as usize,
            };
            in_reading_order(&mut shapes);
            let mut actions = in_cells(&shapes, columns);
            actions.push(done);
            actions
        }
    }
}

/// By rows as one reads them: what overlaps in height is one row.
fn in_reading_order(shapes: &mut [&BlurryShape]) {
    let middle = |shape: &BlurryShape| shape.y + shape.h / 2.0;
    shapes.sort_by(|a, b| middle(a).total_cmp(&middle(b)));
    let mut start = 0;
    while start < shapes.len() {
        let bottom = shapes[start].y + shapes[start].h;
        let mut end = start + 1;
        while end < shapes.len() && middle(shapes[end]) < bottom {
            end += 1;
        }
        shapes[start..end].sort_by(|a, b| a.x.total_cmp(&b.x));
        start = end;
    }
}

/// Each shape in the middle of its cell; rows and columns as large as their largest shape.
fn in_cells(shapes: &[&BlurryShape], columns: usize) -> Vec<Value> {
    let left = shapes
        .iter()
        .map(|shape| shape.x)
        .fold(f64::INFINITY, f64::min);
    let top = shapes
        .iter()
        .map(|shape| shape.y)
        .fold(f64::INFINITY, f64::min);
    let widths: Vec<f64> = (0..columns)
        .map(|column| {
            let own = shapes.iter().skip(column).step_by(columns);
            own.map(|shape| shape.w).fold(0.0, f64::max)
        })
        .collect();
    let mut actions = Vec::new();
    let mut y = top;
    for row in shapes.chunks(columns) {
        let tall = row.iter().map(|shape| shape.h).fold(0.0, f64::max);
        let mut x = left;
        for (shape, wide) in row.iter().zip(&widths) {
            let place = (
                (x + (wide - shape.w) / 2.0).round(),
                (y + (tall - shape.h) / 2.0).round(),
            );
            actions.push(json!({"_type": "move", "intent": "arrange", "shapeId": shape.shape_id, "x": place.0, "y": place.1}));
            x += wide + GAP;
        }
        y += tall + GAP;
    }
    actions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arranging_in_many_words() {
        let all = |how: Arrangement| Some((how, String::new()));
        assert_eq!(parse("tidy up"), all(Arrangement::Grid));
        assert_eq!(
            parse("Arrange everything in a row."),
            Some((Arrangement::Row, "everything".to_owned()))
        );
        assert_eq!(
            parse("put the notes in a grid"),
            Some((Arrangement::Grid, "the notes".to_owned()))
        );
        assert_eq!(
            parse("align these left"),
            Some((Arrangement::Align("left"), "these".to_owned()))
        );
        assert_eq!(
            parse("stack the boxes"),
            Some((Arrangement::Column, "the boxes".to_owned()))
        );
        assert_eq!(parse("space them out evenly"), None);
        assert_eq!(
            parse("spread them evenly"),
            Some((Arrangement::Distribute("horizontal"), "them".to_owned()))
        );
        for message in ["put it to the left", "put a note", "hello", "align"] {
            assert_eq!(parse(message), None, "{message}");
        }
    }
}
