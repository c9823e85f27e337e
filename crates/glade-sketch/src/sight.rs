//! What sketch sees: the typed parts of a prompt, laid out for questions.

use glade_agent::format::BlurryShape;
use glade_agent::parts::current_project::CurrentProject;
use glade_agent::parts::tasks::TaskLine;
use glade_agent::parts::text_blocks::TextBlocks;
use glade_agent::{Mode, PartData, Prompt};
use glade_canvas::Rect;
use serde_json::Value;

/// The view when a prompt has none.
const DEFAULT_VIEW: Rect = Rect::new(0.0, 0.0, 1000.0, 1000.0);

#[derive(Debug, Clone, Default)]
pub struct Sight {
    /// What the person asks, or what was wrong with the last answer.
    pub message: String,
    pub from_person: bool,
    /// The fairy asks itself whether there is more to do.
    pub going_on: bool,
    /// It is the project that speaks, not a person.
    pub from_fairy: bool,
    pub mode: Option<Mode>,
    /// The project that it is in, and the task that it works on.
    pub project: Option<CurrentProject>,
    pub task: Option<TaskLine>,
    pub view: Rect,
    pub shapes: Vec<BlurryShape>,
    pub selected: Vec<String>,
    /// The page, if it is a text page.
    pub text: Option<TextBlocks>,
    /// Everything that is in the way, out of view too.
    pub obstacles: Vec<Rect>,
}

impl Sight {
    pub fn new(prompt: &Prompt) -> Self {
        let mut sight = Sight {
            view: DEFAULT_VIEW,
            from_person: true,
            ..Sight::default()
        };
        let mut person_sees = false;
        for part in &prompt.parts {
            match part {
                PartData::Messages(data) => {
                    sight.message = data.messages.join("\n");
                    sight.from_person = data.from_person;
                    sight.going_on = data.going_on;
                    sight.from_fairy = data.from_fairy;
                }
                PartData::Mode(data) => sight.mode = Some(data.mode),
                PartData::CurrentProject(data) => sight.project = Some(data.clone()),
                PartData::Tasks(data) => sight.task = data.tasks.first().cloned(),
                PartData::UserViewport(data) => {
                    sight.view = data.bounds;
                    person_sees = true;
                }
                PartData::AgentViewport(data) if !person_sees => sight.view = data.bounds,
                PartData::BlurryShapes(data) => {
                    sight.obstacles.extend(data.shapes.iter().map(bounds));
                    sight.shapes = data.shapes.clone();
                }
                PartData::PeripheralShapes(data) => {
                    sight
                        .obstacles
                        .extend(data.clusters.iter().map(|cluster| cluster.bounds));
                }
                PartData::SelectedShapes(data) => {
                    let ids = data
                        .shapes
                        .iter()
                        .filter_map(|shape| shape.get("shapeId").and_then(Value::as_str));
                    sight.selected = ids.map(str::to_owned).collect();
                }
                PartData::TextBlocks(data) => sight.text = Some(data.clone()),
                _ => {}
            }
        }
        sight
    }

    pub fn shape(&self, id: &str) -> Option<&BlurryShape> {
        self.shapes.iter().find(|shape| shape.shape_id == id)
    }

    /// Whether a shape is seen under this id.
    pub fn knows(&self, id: &str) -> bool {
        self.shape(id).is_some() || self.selected.iter().any(|selected| selected == id)
    }

    /// Where everything is but these shapes.
    pub fn obstacles_without(&self, ids: &[&str]) -> Vec<Rect> {
        let own: Vec<Rect> = ids
            .iter()
            .filter_map(|id| self.shape(id))
            .map(bounds)
            .collect();
        self.obstacles
            .iter()
            .filter(|rect| !own.contains(rect))
            .copied()
            .collect()
    }
}

pub fn bounds(shape: &BlurryShape) -> Rect {
    Rect::new(shape.x, shape.y, shape.w, shape.h)
}
