//! What parts of a request are called, on the board and over their drawings.

use std::collections::BTreeSet;

use glade_canvas::Rect;
use glade_canvas::text::{FontFamily, measure};
use serde_json::{Value, json};

use super::extent;
use crate::names::slug;
use crate::sight::Sight;

/// How large headings are, and how far above their drawings.
const HEADING: f64 = 28.0;
const HEADING_GAP: f64 = 24.0;

/// A few words that stand for a part.
pub fn headline(part: &str) -> String {
    let line = part.lines().next().unwrap_or_default();
    let line = line
        .split(['\n', ':', ';'])
        .next()
        .unwrap_or_default()
        .trim();
    let line = if line.is_empty() { part } else { line };
    let line = match chain(part) {
        Some((first, last)) => format!("{}: {first} to {last}", subject(line)),
        None => subject(line),
    };
    match line.char_indices().nth(40) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_owned(),
    }
}

/// "Draw a flow" is about a flow.
fn subject(line: &str) -> String {
    let mut rest = line.trim();
    for lead in [
        "draw ", "add ", "make ", "create ", "sketch ", "me ", "a ", "an ", "the ",
    ] {
        let lower = rest.to_lowercase();
        if lower.starts_with(lead) && lower.len() == rest.len() && rest.len() > lead.len() {
            rest = rest[lead.len()..].trim_start();
        }
    }
    let mut letters = rest.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

/// The ends of a plain chain of boxes.
fn chain(part: &str) -> Option<(&str, &str)> {
    let (_, chain) = part.split_once(':')?;
    let plain = |text: &str| !text.contains(['[', '(', '{', '|', ';', '\n']);
    let (first, _) = chain.split_once("->").filter(|_| plain(chain))?;
    let (_, last) = chain.rsplit_once("->")?;
    Some((first.trim(), last.trim()))
}

/// What an area is about, over its drawing: a page of many drawings is read by its headings.
pub fn heading(drawing: &[Value], sight: &Sight) -> Option<Value> {
    let task = sight.task.as_ref()?;
    let extent = extent(drawing)?;
    let size = measure(&task.title, FontFamily::Excalifont, HEADING);
    let place = Rect::new(extent.x, extent.y - HEADING_GAP - size.h, size.w, size.h);
    // Where a person made the area too small for it, the drawing matters more.
    if !task.bounds.contains_rect(&place) {
        return None;
    }
    let ids = drawing
        .iter()
        .filter_map(|one| one["shape"]["shapeId"].as_str());
    let mut taken: BTreeSet<String> = ids.map(str::to_owned).collect();
    let id = slug(&task.title, "heading", &mut taken, sight);
    Some(json!({"_type": "create", "intent": "heading", "shape": {
        "_type": "text", "shapeId": id, "x": place.x.round(), "y": place.y.round(), "anchor": "top-left",
        "fontSize": HEADING, "color": "black", "text": task.title,
    }}))
}

#[cfg(test)]
mod tests {
    use glade_agent::Status;
    use glade_agent::parts::tasks::TaskLine;

    use super::*;
    use crate::team::{size, work};

    #[test]
    fn a_part_is_called_after_what_it_is_about() {
        for (part, called) in [
            ("Draw a flow: Plan -> Build -> Ship", "Flow: Plan to Ship"),
            ("draw the flow: A -> B; B -> C", "Flow"),
            ("Mind map of Launch: people, press", "Mind map of Launch"),
            (
                "Add a green circle called Start",
                "Green circle called Start",
            ),
            ("Table: Who, What; Ann, Press", "Table"),
            ("Draw", "Draw"),
        ] {
            assert_eq!(headline(part), called);
        }
    }

    #[test]
    fn a_drawing_has_its_heading_above_it_and_inside_of_the_area() {
        let part = "Draw a flow: Plan -> Build -> Ship";
        let (w, h) = size(part);
        let area = Rect::new(-3000.0, 500.0, w, h);
        let mut sight = Sight {
            view: area,
            message: part.to_owned(),
            from_person: true,
            task: Some(TaskLine {
                task_id: "part-1".to_owned(),
                title: headline(part),
                text: part.to_owned(),
                status: Status::InProgress,
                bounds: area,
            }),
            ..Sight::default()
        };
        let actions = work(&sight, "done");
        let heading = actions
            .iter()
            .find(|one| one["intent"] == "heading")
            .unwrap();
        assert_eq!(heading["shape"]["text"], "Flow: Plan to Ship");
        let top = heading["shape"]["y"].as_f64().unwrap();
        let rest: Vec<Value> = actions
            .iter()
            .filter(|one| *one != heading)
            .cloned()
            .collect();
        let drawing = extent(&rest).unwrap();
        assert!(
            top >= area.y && top + HEADING < drawing.y,
            "{top} over {drawing:?} in {area:?}"
        );
        // No room, no heading.
        sight.task.as_mut().unwrap().bounds = drawing;
        let actions = work(&sight, "done");
        assert!(actions.iter().all(|one| one["intent"] != "heading"));
    }
}
