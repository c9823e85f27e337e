//! The pages of the workspace.

use serde::{Deserialize, Serialize};

use crate::part::{Part, PartData, View, fenced, told};
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

impl Part for PagesPart {
    fn name(&self) -> &'static str {
        "pages"
    }

    fn gather(&self, view: &mut View<'_, '_>) -> Option<PartData> {
        let pages: Vec<PageLine> = view
            .world
            .pages
            .iter()
            .map(|page| PageLine {
                name: page.name.clone(),
                here: page.id == *view.world.page,
            })
            .collect();
        (pages.len() > 1).then_some(PartData::Pages(Pages { pages }))
    }

    fn print(&self, data: &PartData) -> Vec<PromptMessage> {
        let PartData::Pages(data) = data else {
            return Vec::new();
        };
        told(format!(
            "The pages of the workspace:\n{}",
            fenced(&data.pages)
        ))
    }
}
