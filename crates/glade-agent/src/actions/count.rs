//! Counting shapes that match, which models are bad at doing by eye. The number comes as data with the next step.

use std::fmt;

use glade_canvas::Element;
use glade_canvas::palette::read_paint;
use glade_canvas::view::shape_type;
use serde_json::{Value, json};

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Shows, Work};
use crate::partial_object::PartialObject;
use crate::request::{FairyCommand, Request};

pub struct Count;

/// One thing that a shape must have.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    key: Key,
    /// Contains, rather than is.
    part: bool,
    value: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Key {
    Type,
    Color,
    Fill,
    Text,
}

impl Key {
    const NAMES: [(&'static str, Key); 4] = [
        ("type", Key::Type),
        ("color", Key::Color),
        ("fill", Key::Fill),
        ("text", Key::Text),
    ];
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Key::NAMES
            .iter()
            .find(|(_, key)| *key == self.key)
            .map_or("", |(name, _)| name);
        write!(
            f,
            "{name}{}{}",
            if self.part { '~' } else { '=' },
            self.value
        )
    }
}

fn parse(expression: &str) -> Result<Vec<Condition>, Refusal> {
    let mut conditions = Vec::new();
    for word in expression.split_whitespace() {
        if matches!(word, "*" | "all" | "and" | "&&") {
            continue;
        }
        let split = word.find(['=', '~']).map(|at| word.split_at(at));
        let key = split.and_then(|(name, _)| {
            let found = Key::NAMES
                .iter()
                .find(|(known, _)| *known == name.to_lowercase());
            found.map(|(_, key)| *key)
        });
        let (Some((_, rest)), Some(key)) = (split, key) else {
            return Err(Refusal::new(format!(
                "\"{word}\" is no condition; use type=, color=, fill= or text= (~ for contains), or *"
            )));
        };
        conditions.push(Condition {
            key,
            part: rest.starts_with('~'),
            value: rest
                .trim_start_matches(['=', '~', '"'])
                .trim_end_matches('"')
                .to_lowercase(),
        });
    }
    Ok(conditions)
}

impl Condition {
    fn holds(&self, element: &Element, ctx: &ActionContext<'_, '_>) -> bool {
        let paint = || {
            read_paint(
                element.stroke_color(),
                element.background_color(),
                element.fill_style(),
            )
        };
        let found = match self.key {
            Key::Type => shape_type(element),
            Key::Color => paint().0.name().to_owned(),
            Key::Fill => format!("{:?}", paint().1).to_lowercase(),
            Key::Text => ctx
                .draft
                .text_of(&element.id)
                .unwrap_or_default()
                .to_lowercase(),
        };
        if self.part {
            found.contains(&self.value)
        } else {
            found == self.value
        }
    }
}

static FACTS: Facts = Facts::new(
    "count",
    "🔢",
    "count shapes of the whole page: conditions separated by spaces, type=rectangle, color=red, text~order (contains), or * for all; you get the number with your next step",
    On::Canvas,
    Work::Answer,
    Impact::Reads,
)
    .shows(Shows::Tool);

impl Described for Count {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![("expression", json!({"type": "string"}))]
    }
}

impl Action for Count {
    type Clean = Vec<Condition>;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        _ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Self::Clean>, Refusal> {
        let Some(expression) = given.word("expression") else {
            return Ok(None);
        };
        parse(expression).map(Some)
    }

    fn apply(
        &self,
        clean: &Self::Clean,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Shown, Refusal> {
        let count = ctx
            .draft
            .live()
            .filter(|element| element.container_id().is_none())
            .filter(|element| clean.iter().all(|condition| condition.holds(element, ctx)))
            .count();
        let expression = clean
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(" ");
        let expression = if expression.is_empty() {
            "*".to_owned()
        } else {
            expression
        };
        let mut request = Request::own("You have counted; go on with the number.");
        let found = json!({"count": expression, "shapes": count});
        request.data.push(found.clone());
        ctx.command(FairyCommand::Schedule(request));
        Ok(Shown {
            doing: "counting".to_owned(),
            done: format!("counted {count}"),
            found: Some(found),
            ..Shown::default()
        })
    }
}
