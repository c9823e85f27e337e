//! Timelines: what happened when, from left to right along a line.

use std::collections::BTreeSet;

use glade_canvas::text::{FontFamily, measure, wrap};
use glade_canvas::{Rect, Size};
use serde_json::{Value, json};

use super::answer::{put_down, say};
use super::names::{slug, split_list};
use super::outline;
use super::sight::Sight;

const FONT_SIZE: f64 = 20.0;
const GAP: f64 = 40.0;
const DOT: f64 = 20.0;
const WIDEST: f64 = 170.0;
const MAX_EVENTS: usize = 40;

/// When, if it is said, and what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Happening {
    when: Option<String>,
    what: String,
}

/// The timeline that a message asks for.
pub fn parse(message: &str) -> Option<Vec<Happening>> {
    let lower = message.to_ascii_lowercase();
    let word = ["timeline", "time line", "roadmap"]
        .iter()
        .find_map(|word| Some((lower.find(word)?, word.len())));
    let (at, len) = word?;
    let rest = &message[at + len..];
    let (head, body) = rest.split_once('\n').unwrap_or((rest, ""));
    let inline = match head.split_once(':') {
        Some((_, list)) => list,
        None => head.trim_start().strip_prefix("with ").unwrap_or(""),
    };
    let mut items = if inline.trim().is_empty() {
        Vec::new()
    } else {
        split_list(
            inline
                .trim()
                .trim_end_matches('.')
                .replace(" -> ", "; ")
                .as_str(),
        )
    };
    items.extend(body.lines().map(outline::tidy));
    let events: Vec<Happening> = items
        .iter()
        .filter(|item| !item.trim().is_empty())
        .take(MAX_EVENTS)
        .map(|item| happening(item))
        .collect();
    (events.len() > 1).then_some(events)
}

/// "2019: Founded", "2019 - Founded", "2019 Founded", "Founded (2019)".
fn happening(item: &str) -> Happening {
    let item = item.trim();
    for mark in [": ", " - ", " – ", " — "] {
        if let Some((when, what)) = item.split_once(mark)
            && !what.trim().is_empty()
        {
            return Happening {
                when: Some(when.trim().to_owned()),
                what: what.trim().to_owned(),
            };
        }
    }
    if let Some((what, when)) = item.strip_suffix(')').and_then(|it| it.rsplit_once(" (")) {
        return Happening {
            when: Some(when.trim().to_owned()),
            what: what.trim().to_owned(),
        };
    }
    if let Some((when, what)) = item.split_once(' ')
        && when.chars().next().is_some_and(|c| c.is_ascii_digit())
        && when.len() >= 4
    {
        return Happening {
            when: Some(when.to_owned()),
            what: what.trim().to_owned(),
        };
    }
    Happening {
        when: None,
        what: item.to_owned(),
    }
}

pub fn draw(events: &[Happening], sight: &Sight) -> Vec<Value> {
    let fit = |text: &str, least: f64| {
        let wrapped = wrap(text, FontFamily::Excalifont, FONT_SIZE, WIDEST);
        let text = measure(&wrapped, FontFamily::Excalifont, FONT_SIZE);
        Size::new(
            (text.w.ceil() + 36.0).max(least),
            (text.h.ceil() + 24.0).max(50.0),
        )
    };
    let sizes: Vec<(Option<Size>, Size)> = events
        .iter()
        .map(|event| {
            let when = event.when.as_deref().map(|when| fit(when, 80.0));
            (when, fit(&event.what, 110.0))
        })
        .collect();
    let tall = |size: &Option<Size>| size.map_or(0.0, |size| size.h);
    let above = sizes.iter().map(|(when, _)| tall(when)).fold(0.0, f64::max);
    let below = sizes.iter().map(|(_, what)| what.h).fold(0.0, f64::max);
    let wide = |(when, what): &(Option<Size>, Size)| when.map_or(0.0, |when| when.w).max(what.w);
    let total = sizes.iter().map(wide).sum::<f64>() + GAP * (events.len() - 1) as f64;
    let axis = if above > 0.0 { above + GAP } else { DOT };
    let all = Rect::new(-GAP, 0.0, total + 2.0 * GAP, axis + GAP + below);
    let (dx, dy) = put_down(all, sight);
    let mut taken = BTreeSet::new();
    let mut actions = vec![say(format!(
        "Here is a timeline of {} steps.",
        events.len()
    ))];
    let id = slug("timeline", "timeline", &mut taken, sight);
    let axis_y = (dy + axis).round();
    actions.push(json!({"_type": "create", "intent": "time", "shape": {
        "_type": "line", "shapeId": id, "x1": (dx - GAP).round(), "y1": axis_y, "x2": (dx + total + GAP).round(), "y2": axis_y,
        "color": "black",
    }}));
    let mut x = dx;
    for (event, size) in events.iter().zip(&sizes) {
        let middle = x + wide(size) / 2.0;
        if let (Some(when), Some(size)) = (&event.when, size.0) {
            actions.push(json!({"_type": "create", "intent": "when", "shape": {
                "_type": "rectangle", "shapeId": slug(when, "when", &mut taken, sight),
                "x": (middle - size.w / 2.0).round(), "y": (axis_y - GAP - size.h).round(), "w": size.w, "h": size.h,
                "color": "violet", "fill": "tint", "text": when,
            }}));
        }
        actions.push(json!({"_type": "create", "intent": "a point in time", "shape": {
            "_type": "ellipse", "shapeId": slug(&format!("at {}", event.what), "at", &mut taken, sight),
            "x": (middle - DOT / 2.0).round(), "y": axis_y - DOT / 2.0, "w": DOT, "h": DOT, "color": "violet", "fill": "solid",
        }}));
        actions.push(json!({"_type": "create", "intent": "what", "shape": {
            "_type": "rectangle", "shapeId": slug(&event.what, "what", &mut taken, sight),
            "x": (middle - size.1.w / 2.0).round(), "y": axis_y + GAP, "w": size.1.w, "h": size.1.h,
            "color": "blue", "fill": "tint", "text": event.what,
        }}));
        x += wide(size) + GAP;
    }
    actions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timelines_in_the_ways_that_people_write_them() {
        let event = |when: Option<&str>, what: &str| Happening {
            when: when.map(str::to_owned),
            what: what.to_owned(),
        };
        let dated = vec![event(Some("2019"), "Founded"), event(Some("2021"), "Sold")];
        for message in [
            "timeline: 2019 Founded, 2021 Sold",
            "Draw a timeline:\n- 2019: Founded\n- 2021: Sold",
            "Make a timeline of us: 2019 - Founded; 2021 - Sold",
            "a timeline\nFounded (2019)\nSold (2021)",
        ] {
            assert_eq!(parse(message).as_ref(), Some(&dated), "{message}");
        }
        let plain = vec![event(None, "plan"), event(None, "build")];
        assert_eq!(parse("roadmap: plan, build"), Some(plain));
        assert_eq!(parse("what is a timeline"), None);
    }
}
