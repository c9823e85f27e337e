//! Sticky notes from lists.

use glade_canvas::text::{FontFamily, measure, wrap};
use glade_canvas::{Rect, space};
use serde_json::{Value, json};
use std::collections::BTreeSet;

use super::answer::{clearance, say};
use super::names::{color_in, number, slug, split_list, unquote};
use super::sight::Sight;

/// A note's side, as the canvas makes them.
const SIDE: f64 = glade_canvas::factory::STICKY_NOTE_SIZE;
const GAP: f64 = 40.0;
const MAX_NOTES: usize = 60;

const WORDS: [&str; 10] = [
    "sticky notes",
    "sticky-notes",
    "post-its",
    "stickies",
    "sticky note",
    "post-it",
    "sticky",
    "notes",
    "note",
    "cards",
];

/// The notes that a message asks for: their texts and colour.
pub fn parse(message: &str) -> Option<(Vec<String>, &'static str)> {
    let lower = message.to_ascii_lowercase();
    let bullets = bullets(message);
    let word = WORDS
        .iter()
        .filter_map(|word| Some((find_word(&lower, word)?, *word)))
        .min_by_key(|(at, word)| (*at, usize::MAX - word.len()));
    let Some((at, word)) = word else {
        // A bare list: what else should one do with it.
        return (bullets.len() > 1).then_some((bullets, "yellow"));
    };
    let head = &message[..at];
    let color = color_in(head).unwrap_or("yellow");
    if !bullets.is_empty() {
        return Some((bullets, color));
    }
    let rest = message[at + word.len()..].trim_start();
    let listed = [
        "with the words",
        "that says",
        "that say",
        "saying",
        "about",
        "for",
        "with",
        "of",
        ":",
        "-",
        "–",
    ]
    .iter()
    .find_map(|lead| strip_lead(rest, lead));
    let count = head
        .split_whitespace()
        .rev()
        .find_map(number)
        .filter(|count| (1..=MAX_NOTES).contains(count));
    let plural = word.ends_with('s') && !word.ends_with("ss");
    match listed {
        Some(list) if !list.trim().is_empty() => {
            let list = list.trim().trim_end_matches('.');
            // One note holds all of its words, commas too.
            let items = if plural || count.is_some_and(|count| count > 1) {
                split_list(list)
            } else {
                vec![unquote(list).to_owned()]
            };
            Some((items.into_iter().take(MAX_NOTES).collect(), color))
        }
        _ if rest.is_empty() || rest.chars().all(|c| c.is_ascii_punctuation()) => count
            .or((!plural && asks(head)).then_some(1))
            .map(|count| (vec![String::new(); count], color)),
        // "add a note Buy milk"
        _ if asks(head) && !plural => {
            Some((vec![unquote(rest.trim_end_matches('.')).to_owned()], color))
        }
        _ => None,
    }
}

/// Any other list with a heading, as in "Shopping: milk, eggs": what else should one do with it.
pub fn listed(message: &str) -> Option<Vec<String>> {
    let (head, list) = message.trim().split_once(':')?;
    let plain = head.split_whitespace().count() <= 6 && !head.contains(['?', '"', '\n', ',']);
    let items = split_list(list.trim().trim_end_matches('.'));
    let short = items
        .iter()
        .all(|item| item.split_whitespace().count() <= 8);
    (plain && short && !list.contains("->") && (2..=MAX_NOTES).contains(&items.len()))
        .then_some(items)
}

fn asks(head: &str) -> bool {
    let lower = head.to_ascii_lowercase();
    [
        "add", "draw", "make", "create", "put", "write", "stick", "new", "a ",
    ]
    .iter()
    .any(|verb| lower.contains(verb))
}

/// Where the word stands, on its own.
fn find_word(text: &str, word: &str) -> Option<usize> {
    text.match_indices(word).map(|(at, _)| at).find(|at| {
        let before = text[..*at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        before.is_none_or(|c| !c.is_alphanumeric()) && after.is_none_or(|c| !c.is_alphanumeric())
    })
}

fn strip_lead<'a>(rest: &'a str, lead: &str) -> Option<&'a str> {
    let lower = rest.to_ascii_lowercase();
    let after = lower.strip_prefix(lead)?;
    let whole = lead.chars().all(|c| !c.is_alphanumeric())
        || after.is_empty()
        || after.starts_with([' ', ':', '\n']);
    whole.then(|| rest[lead.len()..].trim_start_matches([':', ' ']))
}

/// The items of a list written in lines.
fn bullets(message: &str) -> Vec<String> {
    let item = |line: &str| {
        let line = line.trim();
        let rest = ["- ", "* ", "• ", "+ "]
            .iter()
            .find_map(|mark| line.strip_prefix(*mark));
        let numbered = || {
            let (digits, rest) = line.split_once(['.', ')'])?;
            (!digits.is_empty()
                && digits.chars().all(|c| c.is_ascii_digit())
                && rest.starts_with(' '))
            .then_some(rest)
        };
        rest.or_else(numbered)
            .map(|rest| rest.trim().to_owned())
            .filter(|rest| !rest.is_empty())
    };
    message.lines().filter_map(item).take(MAX_NOTES).collect()
}

pub fn draw(items: &[String], color: &str, sight: &Sight) -> Vec<Value> {
    let count = items.len();
    let columns = match count {
        0..=4 => count.max(1),
        _ => (count as f64).sqrt().ceil().min(6.0) as usize,
    };
    // A note with much text grows: rows stand apart by the tallest of them.
    let heights: Vec<f64> = items
        .chunks(columns)
        .map(|row| row.iter().map(|text| height(text)).fold(SIDE, f64::max))
        .collect();
    let total_h = heights.iter().sum::<f64>() + GAP * (heights.len().max(1) - 1) as f64;
    let total_w = columns as f64 * (SIDE + GAP) - GAP;
    let center = sight.view.center();
    let wanted = Rect::new(
        (center.x - total_w / 2.0).round(),
        (center.y - total_h / 2.0).round(),
        total_w,
        total_h,
    );
    let place = space::free_rect(&sight.obstacles, wanted, clearance());
    let mut taken = BTreeSet::new();
    let mut actions = vec![say(match count {
        1 => "Here is a sticky note.".to_owned(),
        count => format!("Here are {count} sticky notes."),
    })];
    let mut y = place.y;
    for (row, texts) in items.chunks(columns).enumerate() {
        for (column, text) in texts.iter().enumerate() {
            let id = slug(text, "note", &mut taken, sight);
            let x = place.x + column as f64 * (SIDE + GAP);
            actions.push(json!({"_type": "create", "intent": "note", "shape": {
                "_type": "note", "shapeId": id, "x": x.round(), "y": y.round(), "color": color, "text": text,
            }}));
        }
        y += heights[row] + GAP;
    }
    actions
}

/// How tall a note gets: its text shrinks to 16 before the paper grows.
fn height(text: &str) -> f64 {
    let wrapped = wrap(text, FontFamily::Excalifont, 16.0, SIDE - 32.0);
    (measure(&wrapped, FontFamily::Excalifont, 16.0).h + 52.0)
        .ceil()
        .max(SIDE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(message: &str) -> Vec<String> {
        parse(message).map(|(items, _)| items).unwrap_or_default()
    }

    #[test]
    fn lists_become_notes() {
        for message in [
            "sticky notes: a, b, c",
            "Make three stickies for a, b and c",
            "three stickies: a, b, c.",
            "- a\n- b\n- c",
            "Put these on sticky notes:\n1. a\n2. b\n3. c",
            "Draw sticky notes about a, b and c",
        ] {
            assert_eq!(items(message), ["a", "b", "c"], "{message}");
        }
    }

    #[test]
    fn one_note_keeps_its_commas() {
        assert_eq!(
            items("add a sticky note: buy milk, eggs"),
            ["buy milk, eggs"]
        );
        assert_eq!(items("Add a note saying \"hello there\""), ["hello there"]);
        assert_eq!(items("add a blue sticky"), [""]);
    }

    #[test]
    fn colours_and_counts_are_heard() {
        assert_eq!(
            parse("two light blue stickies"),
            Some((vec![String::new(); 2], "light-blue"))
        );
        assert_eq!(parse("make green notes: x, y").unwrap().1, "green");
    }

    #[test]
    fn a_list_with_a_heading_is_a_list() {
        let items = listed("weekly plan: monday gym, tuesday shopping");
        assert_eq!(items.unwrap(), ["monday gym", "tuesday shopping"]);
        for message in [
            "one: two",
            "a: b -> c, d",
            "hello, you: a, b",
            "Really? Yes: a, b",
        ] {
            assert_eq!(listed(message), None, "{message}");
        }
    }

    #[test]
    fn talk_is_not_a_list() {
        for message in [
            "hello",
            "what are notes",
            "please note this is bad",
            "I noted it",
        ] {
            assert_eq!(parse(message), None, "{message}");
        }
    }
}
