//! Mind maps: a topic in the middle, its branches on both sides, each in a colour of its own.

use std::collections::BTreeSet;

use glade_canvas::text::{FontFamily, measure, wrap};
use glade_canvas::{Point, Rect, Size};
use serde_json::{Value, json};

use super::answer::{put_down, say};
use super::names::{slug, split_list};
use super::outline::{self, Item};
use super::sight::Sight;

const GAP_X: f64 = 80.0;
const GAP_Y: f64 = 26.0;
const FONT_SIZE: f64 = 20.0;
const WIDEST: f64 = 200.0;
const COLORS: [&str; 6] = ["blue", "green", "orange", "violet", "red", "light-blue"];

/// The map that a message asks for: its topic with what stands under it.
pub fn parse(message: &str) -> Option<Item> {
    let lower = message.to_ascii_lowercase();
    let word = [
        "mind map",
        "mind-map",
        "mindmap",
        "brainstorming",
        "brainstorm",
    ]
    .iter()
    .find_map(|word| Some((lower.find(word)?, word.len())));
    let Some((at, len)) = word else {
        // Indented text by itself can be nothing else.
        let items = outline::read(message.lines());
        let listed = message
            .lines()
            .filter(|line| !line.trim().is_empty())
            .count();
        return (outline::is_nested(&items) && listed > 2 && !message.contains("->"))
            .then(|| gather(None, items));
    };
    let rest = &message[at + len..];
    let (head, body) = rest.split_once('\n').unwrap_or((rest, ""));
    let (topic, list) = head.split_once(':').unwrap_or((head, ""));
    let mut topic = topic_in(topic);
    let mut items = outline::read(body.lines());
    // "A mind map: Coffee", and what belongs to it on the lines below.
    if topic.is_none() && !items.is_empty() && split_list(list).len() == 1 {
        topic = topic_in(list);
    } else if !list.trim().is_empty() {
        let named = split_list(list.trim().trim_end_matches('.'));
        items.splice(0..0, named.iter().map(|item| Item::new(item)));
    }
    if items.is_empty() && topic.is_none() {
        return None;
    }
    Some(gather(topic, items))
}

/// "about my trip" is "my trip".
fn topic_in(text: &str) -> Option<String> {
    let mut text = text.trim().trim_start_matches(['-', '–', ':']).trim();
    for ideas in ["some ideas ", "ideas "] {
        text = text.strip_prefix(ideas).unwrap_or(text);
    }
    for lead in ["of ", "about ", "for ", "on ", "with ", "from ", "around "] {
        if let Some(rest) = text.get(lead.len()..)
            && text[..lead.len()].eq_ignore_ascii_case(lead)
        {
            text = rest.trim();
            break;
        }
    }
    let text = outline::tidy(text.trim_end_matches(['.', '!']));
    let text = text.strip_suffix(" please").unwrap_or(&text).trim();
    let vague = matches!(
        text.to_ascii_lowercase().as_str(),
        "this" | "these" | "it" | "the following" | ""
    );
    (!vague).then(|| text.to_owned())
}

/// One thing in the middle.
fn gather(topic: Option<String>, mut items: Vec<Item>) -> Item {
    match (topic, items.len()) {
        (None, 1) => items.remove(0),
        (Some(topic), 1) if items[0].text.eq_ignore_ascii_case(&topic) => items.remove(0),
        (topic, _) => Item {
            text: topic.unwrap_or_else(|| "Ideas".to_owned()),
            under: items,
        },
    }
}

/// A box of the map.
struct Node<'a> {
    text: &'a str,
    rect: Rect,
    parent: Option<usize>,
    color: &'static str,
}

pub fn draw(map: &Item, sight: &Sight) -> Vec<Value> {
    let nodes = place(map);
    let all = nodes
        .iter()
        .map(|node| node.rect)
        .reduce(|all, rect| all.union(&rect))
        .unwrap_or_default();
    let (dx, dy) = put_down(all, sight);
    let mut taken = BTreeSet::new();
    let ids: Vec<String> = nodes
        .iter()
        .map(|node| slug(node.text, "idea", &mut taken, sight))
        .collect();
    let branches = match map.under.len() {
        0 => "Here is the middle of a mind map. Tell me what belongs to it, one thing a line."
            .to_owned(),
        1 => "Here is a mind map with one branch.".to_owned(),
        count => format!("Here is a mind map with {count} branches."),
    };
    let mut actions = vec![say(branches)];
    for (at, node) in nodes.iter().enumerate() {
        let rect = node.rect.translate(dx, dy);
        let middle = node.parent.is_none();
        actions.push(json!({"_type": "create", "intent": "idea", "shape": {
            "_type": if middle { "ellipse" } else { "rectangle" }, "shapeId": ids[at],
            "x": rect.x.round(), "y": rect.y.round(), "w": rect.w, "h": rect.h,
            "color": node.color, "fill": "tint", "text": node.text,
        }}));
        if let Some(parent) = node.parent {
            let name = format!("{} to {}", ids[parent], ids[at]);
            let from = nodes[parent].rect.translate(dx, dy);
            // From middle to middle a branch would run through whatever is wider beside its end.
            let (x1, x2) = if rect.center().x > from.center().x {
                (from.right(), rect.x)
            } else {
                (from.x, rect.right())
            };
            actions.push(json!({"_type": "create", "intent": "branch", "shape": {
                "_type": "arrow", "shapeId": slug(&name, "branch", &mut taken, sight),
                "fromId": ids[parent], "toId": ids[at],
                "x1": x1.round(), "y1": from.center().y.round(), "x2": x2.round(), "y2": rect.center().y.round(),
                "color": node.color,
            }}));
        }
    }
    actions
}

/// The topic around (0, 0), the first half of its branches to the right, the others to the left.
fn place(map: &Item) -> Vec<Node<'_>> {
    let size = topic_size(&map.text);
    let mut nodes = vec![Node {
        text: &map.text,
        rect: Rect::centered(Point::new(0.0, 0.0), size),
        parent: None,
        color: "yellow",
    }];
    let total: f64 = map.under.iter().map(height).sum();
    let mut right = 0;
    let mut used = 0.0;
    for item in &map.under {
        if right > 0 && used + height(item) / 2.0 > total / 2.0 {
            break;
        }
        used += height(item);
        right += 1;
    }
    // A few branches stand better on one side than one of them alone on the other.
    if map.under.len() < 3 {
        right = map.under.len();
    }
    let (first, second) = map.under.split_at(right);
    for (items, side, offset) in [(first, 1.0, 0), (second, -1.0, right)] {
        let tall =
            items.iter().map(height).sum::<f64>() + GAP_Y * items.len().max(1) as f64 - GAP_Y;
        let mut y = -tall / 2.0;
        for (at, item) in items.iter().enumerate() {
            let tall = height(item);
            let color = COLORS[(offset + at) % COLORS.len()];
            let from = side * (size.w / 2.0 + GAP_X);
            branch(item, 0, from, y + tall / 2.0, side, color, &mut nodes);
            y += tall + GAP_Y;
        }
    }
    nodes
}

fn branch<'a>(
    item: &'a Item,
    parent: usize,
    from: f64,
    middle: f64,
    side: f64,
    color: &'static str,
    nodes: &mut Vec<Node<'a>>,
) {
    let size = box_size(&item.text);
    let center = Point::new(from + side * size.w / 2.0, middle);
    let own = nodes.len();
    nodes.push(Node {
        text: &item.text,
        rect: Rect::centered(center, size),
        parent: Some(parent),
        color,
    });
    let all: f64 = item.under.iter().map(height).sum::<f64>();
    let all = all + GAP_Y * (item.under.len().max(1) - 1) as f64;
    let mut y = middle - all / 2.0;
    for child in &item.under {
        let tall = height(child);
        let from = from + side * (size.w + GAP_X);
        branch(child, own, from, y + tall / 2.0, side, color, nodes);
        y += tall + GAP_Y;
    }
}

/// What an item and all below it need.
fn height(item: &Item) -> f64 {
    let below: f64 = item.under.iter().map(height).sum();
    let below = below + GAP_Y * (item.under.len().max(1) - 1) as f64;
    box_size(&item.text).h.max(below)
}

fn box_size(text: &str) -> Size {
    let wrapped = wrap(text, FontFamily::Excalifont, FONT_SIZE, WIDEST);
    let text = measure(&wrapped, FontFamily::Excalifont, FONT_SIZE);
    Size::new(
        (text.w.ceil() + 40.0).max(100.0),
        (text.h.ceil() + 28.0).max(52.0),
    )
}

/// An ellipse offers its text about seven tenths of each side.
fn topic_size(text: &str) -> Size {
    let wrapped = wrap(text, FontFamily::Excalifont, FONT_SIZE, WIDEST);
    let text = measure(&wrapped, FontFamily::Excalifont, FONT_SIZE);
    Size::new(
        ((text.w + 24.0) * 1.5).ceil().max(170.0),
        ((text.h + 20.0) * 1.5).ceil().max(90.0),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(message: &str) -> Option<(String, Vec<String>)> {
        let map = parse(message)?;
        let under = map.under.iter().map(|item| item.text.clone()).collect();
        Some((map.text, under))
    }

    #[test]
    fn maps_in_the_ways_that_people_write_them() {
        let expected = Some((
            "Party".to_owned(),
            vec!["Food".to_owned(), "Music".to_owned()],
        ));
        for message in [
            "Mind map of Party: Food, Music",
            "draw a mind map about Party\n- Food\n- Music",
            "mindmap:\nParty\n  Food\n  Music",
            "Make a mind map\n# Party\n- Food\n- Music",
            "Party\n  Food\n  Music",
        ] {
            assert_eq!(shown(message), expected, "{message}");
        }
        assert_eq!(
            shown("mind map: a, b"),
            Some(("Ideas".to_owned(), vec!["a".to_owned(), "b".to_owned()]))
        );
    }

    #[test]
    fn other_lines_are_no_map() {
        for message in [
            "- a\n- b\n- c",
            "a -> b\n  b -> c\n  c -> d",
            "mind map",
            "hello",
        ] {
            assert_eq!(parse(message), None, "{message}");
        }
    }
}
