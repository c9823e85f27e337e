//! Making a page, and going there if so wished; then the answer ends here.

use glade_doc::Surface;
use serde_json::{Value, json};

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::request::{FairyCommand, Request};
use crate::shapes::intent;

/// A page's name has no more characters than this.
const LONGEST: usize = 200;

/// The kinds of pages; one that says none is a canvas.
const KINDS: [Surface; 2] = [Surface::Canvas, Surface::Text];

pub struct CreatePage;

pub struct NewPage {
    name: String,
    surface: Surface,
    go: bool,
}

static FACTS: Facts = Facts::new(
    "create-page",
    "📄",
    "make a new page; with switchToPage you go there, and your answer ends here",
    On::Any,
    Work::Answer,
    Impact::Edits,
)
.makes_room();

impl Described for CreatePage {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            intent(),
            ("pageName", json!({"type": "string"})),
            (
                "kind",
                json!({"type": "string", "enum": KINDS.map(Surface::kind)}),
            ),
            ("switchToPage", json!({"type": "boolean"})),
        ]
    }

    fn optional(&self) -> &'static [&'static str] {
        &["kind"]
    }
}

impl Action for CreatePage {
    type Clean = NewPage;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Self::Clean>, Refusal> {
        let Some(name) = given.word("pageName").map(str::trim) else {
            return Ok(None);
        };
        if name.is_empty() || name.chars().count() > LONGEST {
            return Err(Refusal::new(format!(
                "a page's name has 1 to {LONGEST} characters"
            )));
        }
        if ctx.draft.pages().iter().any(|page| page.name == name) {
            return Err(Refusal::new(format!(
                "there is a page \"{name}\" already: go there, or choose another name"
            )));
        }
        let surface = match given.word("kind") {
            None => Surface::Canvas,
            Some(kind) => Surface::of_kind(kind).ok_or_else(|| {
                Refusal::new(format!(
                    "there are no pages of the kind \"{kind}\": it is {}",
                    KINDS.map(Surface::kind).join(" or ")
                ))
            })?,
        };
        Ok(Some(NewPage {
            name: name.to_owned(),
            surface,
            go: given.flag("switchToPage") == Some(true),
        }))
    }

    fn apply(
        &self,
        clean: &Self::Clean,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Shown, Refusal> {
        ctx.command(FairyCommand::MakePage {
            name: clean.name.clone(),
            surface: clean.surface,
            go: clean.go,
        });
        if clean.go {
            ctx.command(FairyCommand::Interrupt {
                mode: None,
                request: Request::own(format!(
                    "You are on the new page \"{}\" now. Go on with your work.",
                    clean.name
                )),
            });
        }
        Ok(Shown {
            doing: "making a page".to_owned(),
            done: format!("made the page {}", clean.name),
            ..Shown::default()
        })
    }
}
