//! A plugin of text pages, and the action that belongs to it.

use glade_agent::action::{Action, Described, Refusal, Shown};
use glade_agent::action_context::ActionContext;
use glade_agent::facts::{Facts, Impact, On, Work};
use glade_agent::partial_object::PartialObject;
use glade_doc::ElementId;
use glade_text::Styled;
use serde_json::{Value, json};

// docs: plugin
use glade_agent::plugins::{AtFirst, Plugin};

pub static PLUGIN: Plugin = Plugin {
    name: "shouting",
    about: "words in capitals",
    blocks: &[],
    marks: &[],
    editor: &[],
    at_first: AtFirst::On,
};

static FACTS: Facts = Facts::new(
    "shout",
    "📣",
    "write the words of a block in capitals",
    On::Text,
    Work::Edit,
    Impact::Edits,
)
.plugin(&PLUGIN);
// docs: end

pub struct Shout;

impl Described for Shout {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![("blockId", json!({"type": "string"}))]
    }
}

impl Action for Shout {
    type Clean = (ElementId, Styled);

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Self::Clean>, Refusal> {
        let id = given.id("blockId").map(ElementId::from);
        let words = id.as_ref().map(|id| ctx.words(id));
        match (id, words) {
            (Some(id), Some(words)) if !words.text.is_empty() => Ok(Some((id, shouted(words)))),
            _ => Err(Refusal::new("there is no such block on the page")),
        }
    }

    fn apply(
        &self,
        (id, words): &Self::Clean,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Shown, Refusal> {
        ctx.write(id, words.clone());
        Ok(Shown {
            doing: "shouting".to_owned(),
            done: "shouted".to_owned(),
            elements: vec![id.clone()],
            ..Shown::default()
        })
    }
}

/// The same words in capitals, a letter for a letter, so that every mark stays where it is.
fn shouted(words: Styled) -> Styled {
    let capital = |letter: char| {
        let mut capitals = letter.to_uppercase();
        match (capitals.next(), capitals.next()) {
            (Some(capital), None) => capital,
            _ => letter,
        }
    };
    Styled {
        text: words.text.chars().map(capital).collect(),
        ..words
    }
}
