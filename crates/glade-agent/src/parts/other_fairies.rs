//! The other fairies of the workspace: who they are, where, and what they are at.

use glade_canvas::Point;
use serde::{Deserialize, Serialize};

use crate::facts::On;
use crate::part::{Part, PartFacts, Topic, View, fenced, told};
use crate::prompt::PromptMessage;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OtherFairies {
    pub fairies: Vec<FairyLine>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FairyLine {
    pub fairy_id: String,
    pub name: String,
    pub mode: String,
    /// Where it is; left out when it is on another page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<Point>,
    /// What it works on, in its own words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub task: String,
}

pub struct OtherFairiesPart;

static FACTS: PartFacts = PartFacts::new("other-fairies", Topic::Around, On::Any)
    .about("Other fairies may be at work on this page: keep clear of where they work.");

impl Part for OtherFairiesPart {
    type Data = OtherFairies;

    fn facts(&self) -> &PartFacts {
        &FACTS
    }

    fn gather(&self, view: &mut View<'_, '_>) -> Option<OtherFairies> {
        let here = |page: &glade_doc::PageId| page == view.world.page;
        let fairies: Vec<FairyLine> = view
            .world
            .others
            .iter()
            .map(|other| FairyLine {
                fairy_id: other.id.clone(),
                name: other.name.clone(),
                mode: other.mode.clone(),
                position: here(&other.page).then(|| view.coords.show_point(other.position)),
                task: other.task.clone(),
            })
            .collect();
        (!fairies.is_empty()).then_some(OtherFairies { fairies })
    }

    fn print(&self, data: &OtherFairies) -> Vec<PromptMessage> {
        told(format!("The other fairies:\n{}", fenced(&data.fairies)))
    }
}
