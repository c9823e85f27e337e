//! What a fairy takes on from others, and what it fetches from outside.

use glade_agent::{Effect, Event, OpenItem, Outcome, Outside, PartData, Say, ToolState};
use glade_doc::Surface;
use serde_json::{Value, json};

use crate::room::{Room, outcome};

fn item(id: &str, text: &str) -> OpenItem {
    OpenItem {
        id: id.to_owned(),
        text: text.to_owned(),
    }
}

fn todos(room: &Room) -> Vec<(String, String)> {
    let todos = room.agent.agenda().todos.iter();
    let told = |todo: &glade_agent::Todo| (todo.id.clone(), json!(todo.status).to_string());
    todos.map(told).collect()
}

/// How the tools were told, in order.
fn tools(effects: &[Effect]) -> Vec<(String, ToolState)> {
    let tool = |effect: &Effect| match effect {
        Effect::Say(Say::Tool(note)) => Some((note.name.clone(), note.state.clone())),
        _ => None,
    };
    effects.iter().filter_map(tool).collect()
}

#[test]
fn an_item_that_nobody_has_taken_is_shown_claimed_and_worked_off() {
    let mut room = Room::new();
    room.open_items = vec![item("tk_1", "Draw the door"), item("tk_2", "Draw the roof")];
    room.prompt("help");
    let shown = room.last_prompt().parts.iter().find_map(|part| match part {
        PartData::TodoList(list) => Some(list.open.clone()),
        _ => None,
    });
    assert_eq!(shown, Some(room.open_items.clone()));
    let effects = room.answer(json!([{"_type": "claim-todo-item", "id": "tk_1"}]));
    let claimed = |effect: &Effect| matches!(effect, Effect::Claim { item, .. } if item == "tk_1");
    assert!(effects.iter().any(claimed), "{effects:?}");
    assert_eq!(
        todos(&room),
        [("tk_1".to_owned(), "\"in-progress\"".to_owned())]
    );
    assert_eq!(outcome(&effects), None, "it goes on while the item is open");
    let effects = room.answer(json!([
        {"_type": "upsert-personal-todo-item", "id": "tk_1", "status": "done"},
    ]));
    assert_eq!(outcome(&effects), Some(Outcome::Done));
}

#[test]
fn what_somebody_else_was_quicker_to_take_is_off_its_list_again() {
    let mut room = Room::new();
    room.open_items = vec![item("tk_1", "Draw the door")];
    room.prompt("help");
    let effects = room.delta(r#"{"actions":[{"_type":"claim-todo-item","id":"tk_1"}"#);
    let action = effects.iter().find_map(|effect| match effect {
        Effect::Claim { action, .. } => Some(*action),
        _ => None,
    });
    room.send(Event::Refused {
        action: action.unwrap(),
        reason: "somebody else has taken it on".to_owned(),
    });
    assert_eq!(todos(&room), []);
    room.delta("]}");
    room.end();
    assert!(
        room.told().contains("somebody else has taken it on"),
        "{}",
        room.told()
    );
}

#[test]
fn only_what_is_open_can_be_claimed() {
    let mut room = Room::asked("help");
    room.answer(json!([{"_type": "claim-todo-item", "id": "tk_9"}]));
    assert!(
        room.told().contains("nothing on the page's list"),
        "{}",
        room.told()
    );
    assert_eq!(todos(&room), []);
}

#[test]
fn what_lies_outside_is_on_no_menu_unless_it_is_switched_on() {
    let mut room = Room::asked("tell me of Malta");
    let schema = |room: &Room| room.last_prompt().schema.to_string();
    assert!(!schema(&room).contains("country-info"));
    room.answer(json!([{"_type": "country-info", "code": "MLT"}]));
    assert!(room.told().contains("switched off here"), "{}", room.told());
    room.stop();
    room.agent.settings.outside = true;
    room.prompt("and now?");
    for name in ["country-info", "random-wikipedia-article"] {
        assert!(schema(&room).contains(name), "{name}");
    }
}

#[test]
fn what_was_fetched_comes_with_the_next_step_and_shows_as_a_tool() {
    let mut room = Room::new();
    room.agent.settings.outside = true;
    room.prompt("tell me of Malta");
    let mut effects = room.delta(r#"{"actions":[{"_type":"country-info","code":"m"#);
    effects.extend(room.delta(r#"lt"}]}"#));
    let fetch = effects.iter().find_map(|effect| match effect {
        Effect::Fetch { action, what } => Some((*action, what.clone())),
        _ => None,
    });
    let (action, what) = fetch.unwrap();
    assert_eq!(
        what,
        Outside::CountryInfo {
            code: "MLT".to_owned()
        }
    );
    let found = json!({"name": "Malta"});
    effects.extend(room.send(Event::Fetched {
        action,
        found: Ok(found.clone()),
    }));
    effects.extend(room.end());
    let name = "country-info".to_owned();
    assert_eq!(
        tools(&effects),
        [
            (name.clone(), ToolState::Begun),
            (name.clone(), ToolState::Asked(json!({"code": "mlt"}))),
            (name, ToolState::Found(found.clone())),
        ]
    );
    let data = room.last_prompt().parts.iter().find_map(|part| match part {
        PartData::Data(data) => Some(data.items.clone()),
        _ => None,
    });
    assert_eq!(data, Some(vec![found]));
    assert_eq!(
        outcome(&room.answer(json!([{"_type": "message", "text": "An island."}]))),
        Some(Outcome::Done)
    );
}

#[test]
fn what_cannot_be_fetched_is_told_and_what_comes_too_late_is_nobodys() {
    let mut room = Room::new();
    room.agent.settings.outside = true;
    room.prompt("an article");
    room.delta(r#"{"actions":[{"_type":"random-wikipedia-article"}]}"#);
    let fetch = room.log.iter().find_map(|effect| match effect {
        Effect::Fetch { action, .. } => Some(*action),
        _ => None,
    });
    let action = fetch.unwrap();
    let lost = Event::Fetched {
        action,
        found: Err("Wikipedia could not be reached".to_owned()),
    };
    room.send(lost.clone());
    room.end();
    assert!(
        room.told().contains("Wikipedia could not be reached"),
        "{}",
        room.told()
    );
    room.stop();
    assert_eq!(room.send(lost), []);
}

#[test]
fn a_code_that_is_no_code_never_becomes_part_of_an_address() {
    for code in ["../x", "a", "abcd", "d/", "1!"] {
        let mut room = Room::new();
        room.agent.settings.outside = true;
        room.prompt("tell me");
        let effects = room.answer(json!([{"_type": "country-info", "code": code}]));
        assert!(
            !effects
                .iter()
                .any(|effect| matches!(effect, Effect::Fetch { .. })),
            "{code}"
        );
        assert!(
            room.told().contains("is no country code"),
            "{}",
            room.told()
        );
    }
}

#[test]
fn a_count_shows_as_a_tool_and_a_cut_one_is_closed() {
    let mut room = Room::asked("how many?");
    let mut effects = room.delta(r#"{"actions":[{"_type":"count","expression":""#);
    effects.extend(room.delta(r#"*"},{"_type":"count","expression":"ty"#));
    effects.extend(room.stop());
    let name = || "count".to_owned();
    let found: Value = json!({"count": "*", "shapes": 0});
    assert_eq!(
        tools(&effects),
        [
            (name(), ToolState::Begun),
            (name(), ToolState::Asked(json!({"expression": "*"}))),
            (name(), ToolState::Found(found)),
            (name(), ToolState::Begun),
            (
                name(),
                ToolState::Failed("the answer was cut off".to_owned())
            ),
        ]
    );
}

#[test]
fn pages_of_both_kinds_are_made_and_of_no_other() {
    let make = |kind: Option<&str>| {
        let mut room = Room::asked("Make a page");
        let mut action = json!({"_type": "create-page", "intent": "", "pageName": "Notes", "switchToPage": false});
        if let Some(kind) = kind {
            action["kind"] = json!(kind);
        }
        let effects = room.answer(json!([action]));
        effects.into_iter().find_map(|effect| match effect {
            Effect::MakePage { surface, .. } => Some(surface),
            _ => None,
        })
    };
    assert_eq!(make(None), Some(Surface::Canvas));
    assert_eq!(make(Some("canvas")), Some(Surface::Canvas));
    assert_eq!(make(Some("text")), Some(Surface::Text));
    assert_eq!(make(Some("spreadsheet")), None);
}
