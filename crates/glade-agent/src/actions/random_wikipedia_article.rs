//! Reading an article of Wikipedia, whichever comes. It comes as data with the next step.

use serde_json::Value;

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Shows, Work};
use crate::outside::Outside;
use crate::partial_object::PartialObject;
use crate::request::FairyCommand;
use crate::shapes::intent;

pub struct RandomWikipediaArticle;

static FACTS: Facts = Facts::new(
    "random-wikipedia-article",
    "📰",
    "fetch a random article of Wikipedia; you get it with your next step",
    On::Any,
    Work::Answer,
    Impact::Reaches,
)
.shows(Shows::Tool);

impl Described for RandomWikipediaArticle {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![intent()]
    }

    fn optional(&self) -> &'static [&'static str] {
        &["intent"]
    }
}

impl Action for RandomWikipediaArticle {
    type Clean = ();

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        _ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Self::Clean>, Refusal> {
        Ok(given.is_complete().then_some(()))
    }

    fn apply(
        &self,
        _clean: &Self::Clean,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Shown, Refusal> {
        ctx.command(FairyCommand::Fetch(Outside::RandomWikipediaArticle));
        Ok(Shown {
            doing: "looking for an article".to_owned(),
            done: "asked Wikipedia for an article".to_owned(),
            ..Shown::default()
        })
    }
}
