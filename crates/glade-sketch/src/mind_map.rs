//! Mind maps: a topic in the middle, its branches on both sides, each in a colour of its own.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::answer::say;
use super::diagram::Diagram;
use super::names::{slug, split_list};
use super::outline::{self, Item};
use super::sight::Sight;

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

pub fn draw(map: &Item, sight: &Sight) -> Vec<Value> {
    let branches = match map.under.len() {
        0 => "Here is the middle of a mind map. Tell me what belongs to it, one thing a line."
            .to_owned(),
        1 => "Here is a mind map with one branch.".to_owned(),
        count => format!("Here is a mind map with {count} branches."),
    };
    let mut taken = BTreeSet::new();
    let id = slug("mind map", "mind-map", &mut taken, sight);
    let mut diagram = Diagram::new(&id, "mind-map");
    let root = slug(&map.text, "idea", &mut taken, sight);
    diagram.node(json!({"id": root, "text": map.text, "shape": "ellipse", "color": "yellow"}));
    under(map, &root, &mut diagram, &mut taken, sight);
    vec![say(branches), diagram.action()]
}

fn under(
    item: &Item,
    parent: &str,
    diagram: &mut Diagram,
    taken: &mut BTreeSet<String>,
    sight: &Sight,
) {
    for item in &item.under {
        let id = slug(&item.text, "idea", taken, sight);
        diagram.node(json!({"id": id, "text": item.text, "parent": parent}));
        under(item, &id, diagram, taken, sight);
    }
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
