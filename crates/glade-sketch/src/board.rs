//! Boards: columns side by side, each with a head. Kanban, pros and cons, SWOT, a retrospective.

use std::collections::BTreeSet;

use glade_canvas::Rect;
use glade_canvas::text::{FontFamily, measure, wrap};
use serde_json::{Value, json};

use super::answer::{put_down, say};
use super::names::{slug, split_list};
use super::sight::Sight;

const FONT_SIZE: f64 = 20.0;
const WIDTH: f64 = 220.0;
const BODY: f64 = 320.0;
const GAP: f64 = 24.0;
const MOST: usize = 8;
const COLORS: [&str; 4] = ["blue", "orange", "green", "violet"];

/// Boards that people know by name.
const KNOWN: [(&str, &[&str]); 5] = [
    ("kanban", &["To do", "Doing", "Done"]),
    ("pros and cons", &["Pros", "Cons"]),
    ("pro and con", &["Pros", "Cons"]),
    (
        "swot",
        &["Strengths", "Weaknesses", "Opportunities", "Threats"],
    ),
    ("retro", &["Went well", "To improve", "Actions"]),
];

/// The heads of the board that a message asks for.
pub fn parse(message: &str) -> Option<Vec<String>> {
    let text = message.trim().trim_end_matches(['.', '!']);
    let lower = text.to_ascii_lowercase();
    if text.contains("->") || lower.starts_with("what") || lower.starts_with("how") {
        return None;
    }
    let known = KNOWN.iter().find(|(word, _)| lower.contains(word));
    let columns = ["board", "columns"].iter().any(|word| lower.contains(word));
    if known.is_none() && !columns {
        return None;
    }
    let leads = ["columns ", "columns: ", " with ", ": "];
    let listed = leads
        .iter()
        .filter_map(|lead| Some(lower.rfind(lead)? + lead.len()))
        .max();
    let named = listed.map(|at| split_list(text[at..].trim_start_matches(':').trim()));
    let named = named.filter(|heads| (2..=MOST).contains(&heads.len()));
    named.or_else(|| known.map(|(_, heads)| heads.iter().map(|head| (*head).to_owned()).collect()))
}

pub fn draw(heads: &[String], sight: &Sight) -> Vec<Value> {
    let tall = |head: &String| {
        let wrapped = wrap(head, FontFamily::Excalifont, FONT_SIZE, WIDTH - 36.0);
        measure(&wrapped, FontFamily::Excalifont, FONT_SIZE)
            .h
            .ceil()
            + 24.0
    };
    let head_height = heads.iter().map(tall).fold(50.0, f64::max);
    let wide = heads.len() as f64 * (WIDTH + GAP) - GAP;
    let (dx, y) = put_down(Rect::new(0.0, 0.0, wide, head_height + BODY), sight);
    let mut taken = BTreeSet::new();
    let mut actions = vec![say(format!(
        "Here is a board with {} columns.",
        heads.len()
    ))];
    for (at, head) in heads.iter().enumerate() {
        let x = dx + at as f64 * (WIDTH + GAP);
        let color = COLORS[at % COLORS.len()];
        let mut put = |name: &str, y: f64, h: f64, fill: &str, text: &str| {
            let id = slug(name, "column", &mut taken, sight);
            actions.push(json!({"_type": "create", "intent": "column", "shape": {
                "_type": "rectangle", "shapeId": id, "x": x.round(), "y": y.round(), "w": WIDTH, "h": h,
                "color": color, "fill": fill, "text": text,
            }}));
        };
        put(head, y, head_height, "tint", head);
        put(&format!("under {head}"), y + head_height, BODY, "none", "");
    }
    actions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_in_the_words_that_people_use() {
        for (message, heads) in [
            (
                "kanban board with todo, doing, done",
                vec!["todo", "doing", "done"],
            ),
            ("Make a kanban board", vec!["To do", "Doing", "Done"]),
            ("pros and cons of remote work", vec!["Pros", "Cons"]),
            (
                "a board with columns Now, Next and Later",
                vec!["Now", "Next", "Later"],
            ),
            (
                "SWOT analysis for our bakery",
                vec!["Strengths", "Weaknesses", "Opportunities", "Threats"],
            ),
        ] {
            assert_eq!(parse(message).unwrap_or_default(), heads, "{message}");
        }
        for message in [
            "what is a kanban board",
            "board the ship",
            "a -> board with b, c",
        ] {
            assert_eq!(parse(message), None, "{message}");
        }
    }
}
