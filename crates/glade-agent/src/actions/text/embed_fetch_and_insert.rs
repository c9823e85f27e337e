//! A card of a page elsewhere: fetched by the host, and put onto the page when it has come.

use glade_doc::text::is_safe_link;
use serde_json::{Value, json};

use super::{after_id, index_after};
use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Shows, Work};
use crate::partial_object::PartialObject;
use crate::plugins;
use crate::request::{Card, FairyCommand};
use crate::shapes::{intent, short};

pub struct EmbedFetchAndInsert;

static FACTS: Facts = Facts::new(
    "embed-fetch-and-insert",
    "🔗",
    "fetch a web page from a host that the owner allows and put a card of it onto this page",
    On::Text,
    Work::Edit,
    Impact::Reaches,
)
.plugin(&plugins::EMBEDS)
.shows(Shows::Tool);

impl Described for EmbedFetchAndInsert {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            intent(),
            after_id(),
            (
                "url",
                json!({"type": "string", "description": "http or https"}),
            ),
        ]
    }

    fn optional(&self) -> &'static [&'static str] {
        &["afterId"]
    }
}

impl Action for EmbedFetchAndInsert {
    type Clean = (String, String);

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Self::Clean>, Refusal> {
        let Some(address) = given.word("url") else {
            return Ok(None);
        };
        let web = address.starts_with("https://") || address.starts_with("http://");
        if !web || !is_safe_link(address) {
            return Err(Refusal::new(format!(
                "\"{address}\" is no address of a web page"
            )));
        }
        let page = ctx.draft.text_page();
        let index = index_after(ctx, &page, None, given.word("afterId"))?;
        Ok(Some((address.to_owned(), index)))
    }

    fn apply(
        &self,
        clean: &Self::Clean,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Shown, Refusal> {
        let (address, index) = clean;
        let props = json!({"nodeName": "embed", "parent": null, "index": index, "href": address});
        let card = Card {
            block: ctx.make("card", "card").id,
            props: props.as_object().cloned().unwrap_or_default(),
        };
        ctx.command(FairyCommand::Card(address.clone(), card));
        Ok(Shown {
            doing: format!("fetching {}", short(address)),
            done: format!("fetched {}", short(address)),
            ..Shown::default()
        })
    }
}
