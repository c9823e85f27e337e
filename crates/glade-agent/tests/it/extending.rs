//! A custom action and a custom part, as `docs/extending.md` shows them: the two are kept in step by
//! the last test, which looks for the code below in that page.

use glade_agent::Extras;
use serde_json::json;

use crate::room::{Room, a_box, words};

// docs: action
use glade_agent::action::{Action, Refusal, Shown};
use glade_agent::action_context::ActionContext;
use glade_agent::partial_object::PartialObject;
use glade_doc::{ElementId, Props};
use serde_json::Value;

/// Fades shapes that are of the past.
pub struct Fade;

/// What sanitising leaves: real elements, and a number that can be trusted.
pub struct Faded {
    ids: Vec<ElementId>,
    opacity: f64,
}

impl Action for Fade {
    type Clean = Faded;

    fn name(&self) -> &'static str {
        "fade"
    }

    fn icon(&self) -> &'static str {
        "🌫️"
    }

    fn about(&self) -> &'static str {
        "fade shapes that no longer matter: opacity from 10 (nearly gone) to 100"
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("opacity", json!({"type": "number"})),
            (
                "shapeIds",
                json!({"type": "array", "items": {"type": "string"}}),
            ),
        ]
    }

    /// Each shape fades as soon as it is named.
    fn live(&self) -> bool {
        true
    }

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Faded>, Refusal> {
        let (Some(opacity), ids) = (given.number("opacity"), given.ids("shapeIds")) else {
            return Ok(None);
        };
        if ids.is_empty() && !given.is_complete() {
            return Ok(None); // the rest is still to come
        }
        Ok(Some(Faded {
            ids: ctx.editable_all(&ids)?,
            opacity: opacity.clamp(10.0, 100.0),
        }))
    }

    fn apply(&self, faded: &Faded, ctx: &mut ActionContext<'_, '_>) -> Result<Shown, Refusal> {
        for id in &faded.ids {
            let props = Props::from_iter([("opacity".to_owned(), json!(faded.opacity))]);
            ctx.put(id, props);
        }
        Ok(Shown {
            doing: "fading".to_owned(),
            done: format!("faded {} shapes", faded.ids.len()),
            elements: faded.ids.clone(),
            ..Shown::default()
        })
    }
}
// docs: end

// docs: part
use glade_agent::part::{Custom, Part, PartData, View, fenced, told};
use glade_agent::prompt::PromptMessage;

/// How many shapes of each kind there are on the whole page.
pub struct Census;

impl Part for Census {
    fn name(&self) -> &'static str {
        "census"
    }

    fn gather(&self, view: &mut View<'_, '_>) -> Option<PartData> {
        let mut counts = std::collections::BTreeMap::<String, usize>::new();
        for element in view.world.scene.live() {
            *counts
                .entry(element.kind().as_str().to_owned())
                .or_default() += 1;
        }
        (!counts.is_empty()).then(|| {
            PartData::Custom(Custom {
                name: "census".to_owned(),
                value: json!(counts),
            })
        })
    }

    fn print(&self, data: &PartData) -> Vec<PromptMessage> {
        let PartData::Custom(data) = data else {
            return Vec::new();
        };
        told(format!(
            "On the page there are:\n{}",
            fenced(&[&data.value])
        ))
    }
}
// docs: end

// docs: register
static EXTRAS: Extras = Extras {
    actions: &[&Fade],
    parts: &[&Census],
};
// docs: end

fn room() -> Room {
    let mut room = Room::new();
    room.agent.settings.extras = EXTRAS;
    room.prompt("draw");
    room.answer(json!([a_box("a", 0, 0, "A"), a_box("b", 300, 0, "B")]));
    room.prompt("fade");
    room
}

#[test]
fn a_custom_action_is_offered_carried_out_live_and_taken_back_when_cut() {
    let mut room = room();
    let prompt = room.last_prompt();
    assert!(prompt.system.contains("- fade: fade shapes"));
    assert!(prompt.schema.to_string().contains(r#""const":"fade""#));
    let text =
        json!({"actions": [{"_type": "fade", "opacity": 3, "shapeIds": ["a", "b"]}]}).to_string();
    let at = text.find("\"b\"").unwrap() + 1;
    room.delta(&text[..at]);
    let opacity = |room: &Room, name: &str| room.named(name).props["opacity"].clone();
    assert_eq!(
        [opacity(&room, "A"), opacity(&room, "B")],
        [json!(10.0), json!(100)]
    );
    let mut cut = room.clone();
    cut.end();
    assert_eq!(
        opacity(&cut, "A"),
        json!(100),
        "half an action is no action"
    );
    room.delta(&text[at..]);
    assert_eq!(
        [opacity(&room, "A"), opacity(&room, "B")],
        [json!(10.0), json!(10.0)]
    );
    assert_eq!(words(&room.end()), [] as [&str; 0]);
}

#[test]
fn a_custom_part_is_shown_as_data_before_the_message() {
    let room = room();
    let told = room.told();
    let part = told.find("On the page there are:\n```data\n{\"rectangle\":2,\"text\":2}\n```");
    assert!(
        part.is_some_and(|at| at < told.find("The person's message").unwrap()),
        "{told}"
    );
}

#[test]
fn the_page_about_extending_shows_this_very_code() {
    let code = include_str!("extending.rs");
    let page = include_str!("../../../../docs/extending.md");
    let mut shown = 0;
    for piece in code.split("// docs: ").skip(1) {
        let (name, rest) = piece.split_once('\n').unwrap();
        if ["action", "part", "register"].contains(&name.trim()) {
            assert!(
                page.contains(rest.trim()),
                "docs/extending.md is behind: {name}"
            );
            shown += 1;
        }
    }
    assert_eq!(shown, 3);
}
