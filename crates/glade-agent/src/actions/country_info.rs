//! Looking a country up. What is known of it comes as data with the next step.

use serde_json::{Value, json};

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Shows, Work};
use crate::outside::Outside;
use crate::partial_object::PartialObject;
use crate::request::FairyCommand;

pub struct CountryInfo;

static FACTS: Facts = Facts::new(
    "country-info",
    "🌍",
    "look a country up by its ISO code (de, ITA): capital, languages, people, area; you get it with your next step",
    On::Any,
    Work::Answer,
    Impact::Reaches,
)
    .shows(Shows::Tool);

impl Described for CountryInfo {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![("code", json!({"type": "string"}))]
    }
}

impl Action for CountryInfo {
    type Clean = String;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        _ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Self::Clean>, Refusal> {
        let Some(code) = given.word("code") else {
            return Ok(None);
        };
        // It becomes part of an address: letters, and nothing else.
        let good = matches!(code.len(), 2 | 3) && code.chars().all(|c| c.is_ascii_alphabetic());
        if !good {
            return Err(Refusal::new(format!(
                "\"{code}\" is no country code: use two or three letters, as in de or ITA"
            )));
        }
        Ok(Some(code.to_ascii_uppercase()))
    }

    fn apply(
        &self,
        clean: &Self::Clean,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Shown, Refusal> {
        let code = clean.clone();
        ctx.command(FairyCommand::Fetch(Outside::CountryInfo { code }));
        Ok(Shown {
            doing: format!("looking {clean} up"),
            done: format!("looked {clean} up"),
            ..Shown::default()
        })
    }
}
