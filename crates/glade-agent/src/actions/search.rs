//! Looking for words on all pages. Where they stand comes as data with the next step.

use serde_json::{Value, json};

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Shows, Work};
use crate::partial_object::PartialObject;
use crate::plugins;
use crate::request::FairyCommand;
use crate::shapes::short;

/// Longer questions are cut: nobody looks for a page of words.
const LONGEST: usize = 200;

pub struct Search;

static FACTS: Facts = Facts::new(
    "search",
    "🔎",
    "look for words on all pages that you may read (every word must be there, beginnings of words count); you get the places with your next step",
    On::Any,
    Work::Answer,
    Impact::Reads,
)
    .plugin(&plugins::SEARCH)
    .shows(Shows::Tool);

impl Described for Search {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![("query", json!({"type": "string"}))]
    }
}

impl Action for Search {
    type Clean = String;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        _ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Self::Clean>, Refusal> {
        let Some(query) = given.word("query") else {
            return Ok(None);
        };
        let query: String = query.trim().chars().take(LONGEST).collect();
        if !query.chars().any(char::is_alphanumeric) {
            return Err(Refusal::new("say which words to look for"));
        }
        Ok(Some(query))
    }

    fn apply(
        &self,
        clean: &Self::Clean,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Shown, Refusal> {
        ctx.command(FairyCommand::Search(clean.clone()));
        Ok(Shown {
            doing: format!("looking for {}", short(clean)),
            done: format!("looked for {}", short(clean)),
            ..Shown::default()
        })
    }
}
