//! A part of prompts.

// docs: part
use std::collections::BTreeMap;

use glade_agent::PartData;
use glade_agent::facts::On;
use glade_agent::part::{Part, PartFacts, Topic, View, fenced, told};
use glade_agent::prompt::PromptMessage;
use serde::Serialize;

/// How many shapes of each kind there are on the whole page.
#[derive(Serialize)]
pub struct Census(BTreeMap<String, usize>);

pub struct CensusPart;

static FACTS: PartFacts = PartFacts::new("census", Topic::InView, On::Canvas);

impl Part for CensusPart {
    type Data = Census;

    fn facts(&self) -> &PartFacts {
        &FACTS
    }

    fn gather(&self, view: &mut View<'_, '_>) -> Option<Census> {
        let mut counts = BTreeMap::<String, usize>::new();
        for element in view.world.scene.live() {
            let kind = element.kind().as_str().to_owned();
            *counts.entry(kind).or_default() += 1;
        }
        (!counts.is_empty()).then_some(Census(counts))
    }

    fn print(&self, census: &Census) -> Vec<PromptMessage> {
        told(format!("On the page there are:\n{}", fenced(&[census])))
    }
}

impl From<Census> for PartData {
    fn from(census: Census) -> Self {
        PartData::custom(&FACTS, &census)
    }
}
// docs: end
