//! The pages of the workspace.

use serde::{Deserialize, Serialize};

use crate::facts::On;
use crate::part::{Part, PartFacts, Topic, View, fenced, told};
use crate::prompt::PromptMessage;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Pages {
    pub pages: Vec<PageLine>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PageLine {
    pub name: String,
    /// The page that the fairy is on.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub here: bool,
}

pub struct PagesPart;

static FACTS: PartFacts = PartFacts::new("pages", Topic::Pages, On::Any);

impl Part for PagesPart {
    type Data = Pages;

    fn facts(&self) -> &PartFacts {
        &FACTS
    }

    fn gather(&self, view: &mut View<'_, '_>) -> Option<Pages> {
        let pages: Vec<PageLine> = view
            .world
            .pages
            .iter()
            .map(|page| PageLine {
                name: page.name.clone(),
                here: page.id == *view.world.page,
            })
            .collect();
        (pages.len() > 1).then_some(Pages { pages })
    }

    fn print(&self, data: &Pages) -> Vec<PromptMessage> {
        told(format!(
            "The pages of the workspace:\n{}",
            fenced(&data.pages)
        ))
    }
}
