//! What a model is told of what became of its last answer, and of what people did since.

use glade_agent::diff::{Diff, updated};
use glade_agent::{Event, Input, Mode, Outcome, UserAction};
use glade_canvas::Rect;
use serde_json::{Value, json};

use crate::room::{Room, VIEW, a_box, outcome, words};

fn all(room: &Room) -> String {
    let messages = room.last_prompt().messages.iter();
    let lines = messages.map(|message| format!("{:?}: {}", message.role, message.content));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn an_action_that_failed_is_remembered_as_failed_and_names_its_shape() {
    let mut room = Room::asked("draw");
    room.answer(json!([{"_type": "delete", "intent": "", "shapeId": "nothing"}]));
    assert!(
        room.told()
            .contains("the delete action on \"nothing\" was not carried out"),
        "{}",
        room.told()
    );
    room.answer(json!([{"_type": "message", "text": "It is not there."}]));
    room.prompt("and now?");
    let seen = all(&room);
    assert!(
        seen.contains("[ACTION FAILED: there is no shape with the id \"nothing\" on the page]"),
        "{seen}"
    );
    assert!(!seen.contains("[ACTION] {\"_type\":\"delete\""), "{seen}");
}

#[test]
fn what_the_room_refuses_late_is_remembered_as_failed() {
    let mut room = Room::asked("draw");
    room.delta(&json!({"actions": [a_box("order", 0, 0, "Order")]}).to_string());
    room.send(Event::Refused {
        action: 1,
        reason: "outside of your area".to_owned(),
    });
    room.end();
    assert!(
        room.told()
            .contains("the create action on \"order\" was refused and taken back"),
        "{}",
        room.told()
    );
    assert!(
        all(&room).contains("[ACTION FAILED: outside of your area]"),
        "{}",
        all(&room)
    );
}

#[test]
fn glades_own_notes_are_not_put_into_the_models_mouth() {
    let mut room = Room::asked("draw");
    room.answer(json!([{"_type": "delete", "intent": "", "shapeId": "nothing"}]));
    room.answer(json!([{"_type": "message", "text": "Sorry."}]));
    room.prompt("go on");
    let seen = all(&room);
    assert!(seen.contains("[NOTE] the delete action"), "{seen}");
    for message in &room.last_prompt().messages {
        if message.content.contains("[NOTE]") {
            assert_eq!(message.role, glade_agent::Role::User);
        }
    }
}

#[test]
fn who_was_stopped_is_told_what_stood() {
    let mut room = Room::asked("draw");
    let text = json!({"actions": [a_box("a", 0, 0, "A"), a_box("b", 400, 0, "B")]}).to_string();
    room.delta(&text[..text.len() - 30]);
    room.stop();
    room.prompt("go on");
    let seen = all(&room);
    assert!(seen.contains("[NOTE] A person stopped you here."), "{seen}");
    assert!(
        seen.contains("The create action that you were writing was taken back."),
        "{seen}"
    );
}

#[test]
fn nothing_to_do_is_an_answer() {
    let mut room = Room::asked("is it tidy?");
    let effects = room.answer(json!([]));
    assert_eq!(outcome(&effects), Some(Outcome::Done));
    assert_eq!(words(&effects), ["I see nothing to do here."]);
    assert_eq!(room.asked.len(), 1, "it is not asked again");
}

#[test]
fn what_people_did_is_told_in_every_mode_by_kind_and_words() {
    let mut room = Room::new();
    let rect = Rect::new(1100.0, 2050.0, 160.0, 80.0);
    let (kept, new) = (
        room.put_box("kept", rect),
        room.put_box("new", rect.translate(0.0, 300.0)),
    );
    let before = room.scene.get(&kept).unwrap().clone();
    room.set(&kept, "strokeColor", json!("#e03131"));
    room.set(&kept, "strokeStyle", json!("dashed"));
    room.set(&kept, "x", json!(1300.0));
    let label = glade_canvas::factory::label(room.scene.get(&new).unwrap(), "Late", 1, "z9");
    room.scene
        .put(glade_canvas::Element::new("new-label", label));
    let gone = room.put_box("gone", rect.translate(0.0, 600.0));
    room.scene
        .apply(&[glade_doc::Edit::Delete { id: gone.clone() }]);
    room.user_actions = vec![UserAction {
        by: "Ada".to_owned(),
        diff: Diff {
            added: vec![new, "new-label".into()],
            removed: vec![gone],
            updated: updated(&before, room.scene.get(&kept).unwrap())
                .into_iter()
                .collect(),
        },
    }];
    room.prompt("go on");
    assert_eq!(room.agent.mode(), Mode::OneShotting);
    let parts = room.last_prompt().parts.iter();
    let parts: Vec<Value> = parts
        .map(|part| serde_json::to_value(part).unwrap())
        .collect();
    let seen = parts
        .iter()
        .find(|part| part["type"] == "user-action-history")
        .expect("it is told");
    assert_eq!(
        seen["actions"],
        json!([{
            "by": "Ada",
            "added": [{"id": "new", "type": "rectangle", "text": "Late"}],
            "removed": [{"id": "gone", "type": "rectangle"}],
            "changed": [{
                "id": "kept", "type": "rectangle",
                "before": {"color": "usual", "dash": "usual", "x": 100.0},
                "after": {"color": "red", "dash": "dashed", "x": 300.0},
            }],
        }])
    );
}

#[test]
fn a_shape_is_told_by_what_differs_and_an_arrow_by_its_ends() {
    let mut room = Room::new();
    let id = room.put_box("plain", Rect::new(1000.0, 2000.0, 160.0, 80.0));
    let other = room.put_box("other", Rect::new(1400.0, 2000.0, 160.0, 80.0));
    for (key, value) in [
        ("strokeColor", json!("#1971c2")),
        ("backgroundColor", json!("#a5d8ff")),
        ("strokeStyle", json!("dotted")),
        ("strokeWidth", json!(4)),
        ("angle", json!(std::f64::consts::FRAC_PI_2)),
        ("locked", json!(true)),
        ("groupIds", json!(["pair"])),
    ] {
        room.set(&other, key, value);
    }
    room.set(&id, "groupIds", json!([]));
    let way = glade_canvas::binding::route(
        glade_canvas::binding::End::Point(glade_canvas::Point::new(1500.0, 2500.0)),
        glade_canvas::binding::End::Point(glade_canvas::Point::new(1100.0, 2300.0)),
    );
    let arrow = glade_canvas::factory::arrow(&way, glade_canvas::Color::Black, 1, "z1");
    room.scene.put(glade_canvas::Element::new("free", arrow));
    room.prompt_with(Input {
        bounds: Some(VIEW),
        ..Input::message("look")
    });
    let told: Vec<Value> = room
        .told()
        .lines()
        .filter(|line| line.starts_with('{'))
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    assert_eq!(
        told,
        [
            json!({"shapeId": "plain", "type": "rectangle", "x": 0, "y": 0, "w": 160, "h": 80}),
            json!({"shapeId": "other", "type": "rectangle", "x": 440, "y": -40, "w": 80, "h": 160, "color": "blue", "fill": "tint",
                   "dash": "dotted", "strokeWidth": 4, "angle": 90, "locked": true, "group": "pair"}),
            json!({"shapeId": "free", "type": "arrow", "x1": 500, "y1": 500, "x2": 100, "y2": 300}),
        ]
    );
}
