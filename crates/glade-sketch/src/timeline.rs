//! Timelines: what happened when, from left to right along a line.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::answer::say;
use super::diagram::Diagram;
use super::names::{slug, split_list};
use super::outline;
use super::sight::Sight;

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
    let mut taken = BTreeSet::new();
    let id = slug("timeline", "timeline", &mut taken, sight);
    let mut diagram = Diagram::new(&id, "timeline");
    for event in events {
        let what = slug(&event.what, "what", &mut taken, sight);
        let mut node = json!({"id": what, "text": event.what});
        if let Some(when) = &event.when {
            let period = slug(when, "when", &mut taken, sight);
            diagram.group(&period, when);
            node["group"] = json!(period);
        }
        diagram.node(node);
    }
    let said = say(format!("Here is a timeline of {} steps.", events.len()));
    vec![said, diagram.action()]
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
