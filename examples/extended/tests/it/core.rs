//! The additions in the fairy's core.

use std::sync::Once;

use glade_agent::catalogue::catalogue;
use glade_agent::extensions::{self, ExtensionError};
use glade_agent::plugins::Enabled;
use glade_agent::{Input, Mode, PartData};
use glade_canvas::{Element, Scene};
use glade_doc::Surface;
use serde_json::{Value, json};

use crate::room::{Room, VIEW, a_box, words};

/// Once for the whole program, as main does.
fn add() {
    static ADDED: Once = Once::new();
    ADDED.call_once(|| extensions::add(extended::EXTENSIONS).unwrap());
}

/// Two boxes, A and B, and a fairy that is asked to fade some.
fn room() -> Room {
    add();
    let mut room = Room::new();
    room.prompt("draw");
    room.answer(json!([a_box("a", 0, 0, "A"), a_box("b", 300, 0, "B")]));
    room.prompt("fade");
    room
}

#[test]
fn an_action_is_offered_carried_out_live_and_taken_back_when_cut() {
    let mut room = room();
    let prompt = room.last_prompt();
    assert!(prompt.schema.to_string().contains("fade shapes"));
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
fn a_part_is_shown_as_data_before_the_message_and_travels_with_the_prompt() {
    let room = room();
    let told = room.told();
    let part = told.find("On the page there are:\n```data\n{\"rectangle\":2,\"text\":2}\n```");
    assert!(
        part.is_some_and(|at| at < told.find("The person's message").unwrap()),
        "{told}"
    );
    let parts = room.last_prompt().parts.iter();
    let custom: Vec<Value> = parts
        .filter(|part| matches!(part, PartData::Custom(_)))
        .map(|part| json!(part))
        .collect();
    let value = json!({"rectangle": 2, "text": 2});
    assert_eq!(
        custom,
        [json!({"type": "custom", "name": "census", "value": value})]
    );
}

#[test]
fn a_mode_has_its_own_menu_and_is_stored_by_its_name() {
    let mut room = room();
    let dimming = Mode::parse("dimming").unwrap();
    room.stop();
    room.prompt_with(Input {
        mode: Some(dimming),
        bounds: Some(VIEW),
        ..Input::message("dim")
    });
    assert_eq!(room.agent.mode(), dimming);
    let prompt = room.last_prompt();
    assert!(prompt.system.contains("You are dimming"));
    let schema = prompt.schema.to_string();
    assert!(schema.contains("\"fade\"") && !schema.contains("\"create-page\""));
    let stored = serde_json::to_value(room.agent.mode()).unwrap();
    assert_eq!(stored, json!("dimming"));
    assert_eq!(serde_json::from_value::<Mode>(stored).unwrap(), dimming);
    assert!(serde_json::from_value::<Mode>(json!("dozing")).is_err());
    room.answer(json!([{"_type": "fade", "opacity": 20, "shapeIds": ["a"]}]));
    assert_eq!(room.agent.mode(), Mode::Idling);
}

#[test]
fn a_plugin_of_text_pages_brings_its_action_and_takes_it_away() {
    add();
    let mut room = Room::new();
    let block =
        json!({"nodeName": "paragraph", "parent": null, "index": "B", "originalText": "Hello."});
    let block = Element::new("b", block.as_object().unwrap().clone());
    room.scene = Scene::of(Surface::Text, [block]);
    room.prompt("louder");
    room.answer(json!([{"_type": "shout", "blockId": "b"}]));
    let said = room.live()[0].props["originalText"].clone();
    assert_eq!(said, json!("HELLO."));
    let mut enabled = Enabled::default();
    enabled.set("shouting", false).unwrap();
    room.agent.settings.plugins = enabled;
    room.prompt("louder");
    assert!(!room.last_prompt().schema.to_string().contains("\"shout\""));
}

#[test]
fn the_catalogue_has_what_was_added() {
    add();
    let catalogue = catalogue();
    let names = |list: &str| -> Vec<String> {
        let all = catalogue[list].as_array().unwrap().iter();
        all.map(|one| one["name"].as_str().unwrap().to_owned())
            .collect()
    };
    for (list, name) in [
        ("actions", "fade"),
        ("parts", "census"),
        ("modes", "dimming"),
        ("plugins", "shouting"),
    ] {
        assert!(names(list).contains(&name.to_owned()), "{name}");
    }
    assert_eq!(
        extensions::add(extended::EXTENSIONS),
        Err(ExtensionError::Late)
    );
}
