//! The diagrams in view, so that they can be changed by their names instead of drawn again.

use glade_canvas::diagram::{Diagram, name_of_direction, name_of_kind, read};
use glade_canvas::view;
use glade_doc::ElementId;
use serde::{Deserialize, Serialize};

use crate::facts::On;
use crate::ids::IdMap;
use crate::part::{Part, PartFacts, Topic, View, fenced, told};
use crate::prompt::PromptMessage;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Diagrams {
    pub diagrams: Vec<DiagramLine>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DiagramLine {
    pub diagram_id: String,
    pub kind: String,
    pub direction: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Those in no group.
    pub nodes: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<GroupLine>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GroupLine {
    pub id: String,
    pub text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    pub nodes: Vec<String>,
}

pub struct DiagramsPart;

static FACTS: PartFacts = PartFacts::new("diagrams", Topic::InView, On::Canvas);

impl Part for DiagramsPart {
    type Data = Diagrams;

    fn facts(&self) -> &PartFacts {
        &FACTS
    }

    fn gather(&self, look: &mut View<'_, '_>) -> Option<Diagrams> {
        let scene = look.world.scene;
        let ids = read::ids(view::in_view(scene, &look.area));
        let found = ids.iter().filter_map(|id| read::diagram(scene, id));
        let diagrams: Vec<DiagramLine> =
            found.map(|found| line(&found.diagram, look.ids)).collect();
        (!diagrams.is_empty()).then_some(Diagrams { diagrams })
    }

    fn print(&self, data: &Diagrams) -> Vec<PromptMessage> {
        told(format!(
            "The diagrams among them, by the ids of their shapes:\n{}",
            fenced(&data.diagrams)
        ))
    }
}

fn line(diagram: &Diagram, ids: &mut IdMap) -> DiagramLine {
    let mut shown = |id: &ElementId| ids.model_id(id);
    let mut inside = |group: Option<&String>| -> Vec<String> {
        let nodes = diagram
            .nodes
            .iter()
            .filter(|node| node.group.as_ref() == group);
        let there = nodes.filter_map(|node| node.there.as_ref());
        there.map(|there| shown(&there.id)).collect()
    };
    let nodes = inside(None);
    let groups = diagram.groups.iter();
    DiagramLine {
        diagram_id: diagram.id.clone(),
        kind: name_of_kind(diagram.manner.kind).to_owned(),
        direction: name_of_direction(diagram.manner.direction).to_owned(),
        title: diagram.title.as_ref().map(|title| title.text.clone()),
        groups: groups
            .map(|group| GroupLine {
                id: group.name.clone(),
                text: group.text.clone(),
                parent: group.parent.clone(),
                nodes: inside(Some(&group.name)),
            })
            .collect(),
        nodes,
    }
}
