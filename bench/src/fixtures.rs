//! Pages, prompts and answers that several measurements use.

use anyhow::{Context, Result};
use glade_agent::{Agent, AgentConfig, Effect, Event, Input, Lint, Prompt, World};
use glade_canvas::factory::{self, Style};
use glade_canvas::geo::GeoKind;
use glade_canvas::lint::lints_in;
use glade_canvas::{Color, Element, Fill, Rect, Scene, derive};
use glade_doc::{Edit, ElementId, PageId, Props, RunId};
use serde_json::json;

/// What a fairy looks at.
pub const VIEW: Rect = Rect::new(0.0, 0.0, 1600.0, 1000.0);

fn id(at: usize) -> ElementId {
    ElementId::from(format!("box-{at}"))
}

pub fn put_box(at: usize) -> Edit {
    let props = json!({
        "type": "rectangle", "x": (at % 100) * 120, "y": (at / 100) * 80, "width": 100, "height": 60,
        "angle": 0, "strokeColor": "#1e1e1e", "backgroundColor": "transparent", "fillStyle": "solid",
        "strokeWidth": 2, "strokeStyle": "solid", "roundness": {"type": 3}, "roughness": 1,
        "opacity": 100, "seed": at, "index": format!("a{at:06}"), "isDeleted": false,
        "groupIds": [], "frameId": null, "locked": false,
    });
    Edit::Put {
        id: id(at),
        props: props.as_object().cloned().unwrap_or_default(),
    }
}

pub fn move_box(at: usize, round: usize) -> Edit {
    let mut props = Props::new();
    props.insert("x".to_owned(), json!(round * 7 + 1));
    props.insert("y".to_owned(), json!(round * 3 + 1));
    Edit::Put { id: id(at), props }
}

pub fn agent() -> Agent {
    Agent::new(AgentConfig {
        fairy_id: "fy_bench".to_owned(),
        name: "Pip".to_owned(),
        personality: "calm".to_owned(),
        view: VIEW,
    })
}

pub fn ask(agent: &mut Agent, scene: &Scene, message: &str, run: u32) -> Result<Prompt> {
    let page = PageId::from("pg_bench");
    let event = Event::Prompt {
        run: RunId::from(format!("run_{run}").as_str()),
        input: Input {
            bounds: Some(VIEW),
            ..Input::message(message)
        },
        seed: u64::from(run),
    };
    let effects = agent.step(event, &world(scene, &page));
    effects
        .into_iter()
        .find_map(|effect| match effect {
            Effect::Ask { prompt, .. } => Some(*prompt),
            _ => None,
        })
        .context("the fairy asked nothing")
}

/// What the server tells the fairy of the page, lints included.
pub fn world<'a>(scene: &'a Scene, page: &'a PageId) -> World<'a> {
    World {
        lints: Some(&|scene, area| lints_in(scene, area).into_iter().map(Lint::from).collect()),
        ..World::new(scene, page)
    }
}

/// Labelled boxes in rows of twenty; the first two hundred lie in view.
pub fn boxes(count: u32) -> Scene {
    boxes_at(count, |n| {
        (f64::from(n % 20) * 78.0, f64::from(n / 20) * 98.0)
    })
}

pub fn boxes_at(count: u32, place: impl Fn(u32) -> (f64, f64)) -> Scene {
    let mut scene = Scene::new();
    for n in 0..count {
        let (x, y) = place(n);
        let rect = Rect::new(x + 4.0, y + 4.0, 64.0, 60.0);
        let style = Style::new(Color::Blue, Fill::Tint);
        let props = factory::geo(GeoKind::Rectangle, rect, style, n + 1, &format!("a{n:06}"));
        let container = Element::new(format!("box-{n}").as_str(), props);
        let label = factory::label(&container, &format!("Box {n}"), n + 1, &format!("b{n:06}"));
        scene.put(container);
        scene.put(Element::new(format!("label-{n}").as_str(), label));
    }
    // Words are wrapped, and boxes grow, as on any page.
    let all = scene.live().map(|element| element.id.clone()).collect();
    let follows = derive(&scene, &all);
    scene.apply(&follows);
    scene
}

/// An answer of about that size: boxes with texts, arrows between them, a word now and then. ASCII,
/// so that bytes and characters are the same to everyone.
pub fn answer(size: usize) -> String {
    let mut text = String::from("{\"actions\":[");
    for n in 0.. {
        let (x, y) = (n % 40 * 260, n / 40 * 160);
        let action = match n % 8 {
            7 => format!(
                r#"{{"_type":"message","text":"That was part {n} of it: \"boxes\" with arrows.\nMore will follow, as soon as it is known where."}}"#
            ),
            odd if odd % 2 == 1 => format!(
                r#"{{"_type":"create","intent":"arrow","shape":{{"_type":"arrow","shapeId":"a{n}","fromId":"box-{}","toId":"box-{}","color":"black"}}}}"#,
                n - 1,
                n + 1
            ),
            _ => format!(
                r#"{{"_type":"create","intent":"a step of the flow","shape":{{"_type":"rectangle","shapeId":"box-{n}","x":{x},"y":{y},"w":200,"h":80.5,"color":"light-blue","fill":"tint","text":"Step {n} of the flow"}}}}"#
            ),
        };
        if text.len() + action.len() > size {
            break;
        }
        if n > 0 {
            text.push(',');
        }
        text.push_str(&action);
    }
    text.push_str("]}");
    text
}
