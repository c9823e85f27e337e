//! Reading an article of Wikipedia, whichever comes. It comes as data with the next step.

use serde_json::Value;

use crate::action::{Action, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::outside::Outside;
use crate::partial_object::PartialObject;
use crate::request::FairyCommand;
use crate::shapes::intent;

pub struct RandomWikipediaArticle;

impl Action for RandomWikipediaArticle {
    type Clean = ();

    fn name(&self) -> &'static str {
        "random-wikipedia-article"
    }

    fn icon(&self) -> &'static str {
        "📰"
    }

    fn about(&self) -> &'static str {
        "fetch a random article of Wikipedia; you get it with your next step"
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![intent()]
    }

    fn optional(&self) -> &'static [&'static str] {
        &["intent"]
    }

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

    fn finds_out(&self) -> bool {
        true
    }
}
