//! Changing what is there: recolour, rename, move, delete, by name or by selection.

use std::collections::BTreeSet;

use glade_canvas::{Rect, space};
use serde_json::{Value, json};

use super::answer::{clearance, say};
use super::names::{Target, target};
use super::sight::{Sight, bounds};
use super::wording::{WantedChange, Way};

/// Between a shape and the one it is put beside.
const BESIDE: f64 = 60.0;

/// Carries a change out, or says why it cannot.
pub fn apply(change: &WantedChange, sight: &Sight) -> Vec<Value> {
    let what = match change {
        WantedChange::Recolor { what, .. }
        | WantedChange::Rename { what, .. }
        | WantedChange::Delete { what }
        | WantedChange::Move { what, .. } => what,
    };
    let ids = match target(what, sight) {
        Target::Shapes(ids) => ids,
        Target::NothingSelected => {
            return vec![say(
                "Nothing is selected. Select a shape, or tell me its name.".to_owned(),
            )];
        }
        Target::Unknown(name) => {
            return vec![say(format!("I see no shape called \"{name}\" here."))];
        }
    };
    let called = called(&ids, sight);
    match change {
        WantedChange::Recolor { color, fill, .. } => {
            let paint = |id: &String| {
                let mut update = json!({"shapeId": id, "color": color});
                if *fill {
                    update["fill"] = json!("solid");
                }
                json!({"_type": "update", "intent": "recolour", "update": update})
            };
            let mut actions: Vec<Value> = ids.iter().map(paint).collect();
            actions.push(say(format!(
                "{called} {} {} now.",
                if ids.len() == 1 { "is" } else { "are" },
                color.replace('-', " ")
            )));
            actions
        }
        WantedChange::Rename { name, .. } => {
            let rename = |id: &String| json!({"_type": "label", "intent": "rename", "shapeId": id, "text": name});
            let mut actions: Vec<Value> = ids.iter().map(rename).collect();
            actions.push(say(format!(
                "{called} {} \"{name}\" now.",
                if ids.len() == 1 { "says" } else { "say" }
            )));
            actions
        }
        WantedChange::Delete { .. } => delete_all(&ids, &called, sight),
        WantedChange::Move { to, .. } => move_all(&ids, to, &called, sight),
    }
}

/// How people call these shapes.
fn called(ids: &[String], sight: &Sight) -> String {
    match ids {
        [one] => match sight.shape(one) {
            Some(shape) => shape
                .text
                .clone()
                .unwrap_or_else(|| format!("The {}", shape.kind.replace('-', " "))),
            None => "The shape".to_owned(),
        },
        many => format!("{} shapes", many.len()),
    }
}

/// Arrows that lead to what goes, go too.
fn delete_all(ids: &[String], called: &str, sight: &Sight) -> Vec<Value> {
    let gone: BTreeSet<&str> = ids.iter().map(String::as_str).collect();
    let leads = |end: &Option<String>| end.as_deref().is_some_and(|end| gone.contains(end));
    let arrows = sight
        .shapes
        .iter()
        .filter(|shape| {
            (leads(&shape.from_id) || leads(&shape.to_id))
                && !gone.contains(shape.shape_id.as_str())
        })
        .map(|shape| &shape.shape_id);
    let mut actions: Vec<Value> = arrows
        .chain(ids)
        .map(|id| json!({"_type": "delete", "intent": "delete", "shapeId": id}))
        .collect();
    actions.push(say(format!(
        "{called} {} gone.",
        if ids.len() == 1 { "is" } else { "are" }
    )));
    actions
}

fn move_all(ids: &[String], to: &Way, called: &str, sight: &Sight) -> Vec<Value> {
    let shapes: Vec<_> = ids
        .iter()
        .filter_map(|id| sight.shape(id))
        .filter(|shape| shape.kind != "arrow")
        .collect();
    let Some(all) = shapes
        .iter()
        .map(|shape| bounds(shape))
        .reduce(|all, one| all.union(&one))
    else {
        return vec![say(
            "I cannot move that: it is not where I look, or it follows other shapes.".to_owned(),
        )];
    };
    let wanted = match to {
        Way::By { dx, dy } => all.translate(*dx, *dy),
        Way::Beside { other, x, y } => {
            let place = match target(other, sight) {
                Target::Shapes(ids) => ids
                    .iter()
                    .filter_map(|id| sight.shape(id))
                    .map(bounds)
                    .reduce(|all, one| all.union(&one)),
                _ => None,
            };
            let Some(place) = place else {
                return vec![say(format!(
                    "I see no shape called \"{}\" here.",
                    other.trim()
                ))];
            };
            let (dx, dy) = (
                (place.w + all.w) / 2.0 + BESIDE,
                (place.h + all.h) / 2.0 + BESIDE,
            );
            let middle = place.center().translate(x * dx, y * dy);
            Rect::centered(middle, all.size())
        }
    };
    let own: Vec<&str> = ids.iter().map(String::as_str).collect();
    // Arrows follow, so they are not in the way.
    let arrows = sight
        .shapes
        .iter()
        .filter(|shape| shape.kind == "arrow")
        .map(|shape| shape.shape_id.as_str());
    let ignored: Vec<&str> = own.into_iter().chain(arrows).collect();
    let place = space::free_rect(
        &sight.obstacles_without(&ignored),
        wanted,
        clearance() / 2.0,
    );
    let (dx, dy) = (place.x - all.x, place.y - all.y);
    let shift = |shape: &&glade_agent::format::BlurryShape| {
        let (x, y) = ((shape.x + dx).round(), (shape.y + dy).round());
        json!({"_type": "move", "intent": "move", "shapeId": shape.shape_id, "x": x, "y": y})
    };
    let mut actions: Vec<Value> = shapes.iter().map(shift).collect();
    actions.push(say(format!("Moved {called}.")));
    actions
}
