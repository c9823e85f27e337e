//! Going to another page. What is there comes with the next step, so the answer ends here.

use serde_json::{Value, json};

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::event::PageInfo;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::request::{FairyCommand, Request};
use crate::shapes::intent;

pub struct ChangePage;

static FACTS: Facts = Facts::new(
    "change-page",
    "📄",
    "go to another page, by its name; your answer ends here, you go on when you see what is there",
    On::Any,
    Work::Look,
    Impact::Reads,
)
.interrupts()
.makes_room();

impl Described for ChangePage {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![intent(), ("pageName", json!({"type": "string"}))]
    }
}

impl Action for ChangePage {
    type Clean = PageInfo;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Self::Clean>, Refusal> {
        let Some(name) = given.word("pageName") else {
            return Ok(None);
        };
        let pages = ctx.draft.pages();
        let exact = pages.iter().find(|page| page.name == name);
        let found = exact.or_else(|| {
            let same = |page: &&PageInfo| page.name.eq_ignore_ascii_case(name.trim());
            pages.iter().find(same)
        });
        found.cloned().map(Some).ok_or_else(|| {
            let names: Vec<&str> = pages.iter().map(|page| page.name.as_str()).collect();
            Refusal::new(format!(
                "there is no page \"{name}\"; there are: {}",
                names.join(", ")
            ))
        })
    }

    fn apply(
        &self,
        clean: &Self::Clean,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Shown, Refusal> {
        ctx.command(FairyCommand::GoTo(clean.id.clone()));
        ctx.command(FairyCommand::Interrupt {
            mode: None,
            request: Request::own(format!(
                "You are on the page \"{}\" now. Go on with your work.",
                clean.name
            )),
        });
        Ok(Shown {
            doing: "changing pages".to_owned(),
            done: format!("went to the page {}", clean.name),
            ..Shown::default()
        })
    }
}
