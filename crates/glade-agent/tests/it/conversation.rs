//! Whole runs: what goes back to the model, what people hear, where the sprite is.

use glade_agent::{
    ActionState, Activity, Agent, Checkpoint, Effect, Event, MAX_STEPS, Mode, Outcome, Piece, Pose,
    Say, StopReason,
};
use serde_json::json;

use crate::room::{Room, a_box, an_arrow, outcome, words};

fn notes(effects: &[Effect]) -> Vec<(ActionState, String)> {
    effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Say(Say::Action(note)) => Some((note.state, note.label.clone())),
            _ => None,
        })
        .collect()
}

#[test]
fn a_request_starts_one_shotting_and_ends_idle() {
    let mut room = Room::new();
    let effects = room.prompt("hello");
    assert_eq!(
        effects[0],
        Effect::Mode {
            from: Mode::Idling,
            to: Mode::OneShotting
        }
    );
    let effects = room.answer(json!([{"_type": "message", "text": "Hello there."}]));
    assert_eq!(words(&effects), ["Hello there."]);
    assert_eq!(outcome(&effects), Some(Outcome::Done));
    assert_eq!(room.agent.mode(), Mode::Idling);
}

#[test]
fn words_arrive_as_they_are_written() {
    let mut room = Room::asked("hello");
    room.delta(r#"{"actions":[{"_type":"message","text":"Hel"#);
    let effects = room.delta("lo");
    let expected = Effect::Say(Say::Text {
        id: "text-1".to_owned(),
        piece: Piece::Delta("lo".to_owned()),
    });
    assert_eq!(effects, [expected]);
}

#[test]
fn thinking_is_shown_and_ended_before_the_answer() {
    let mut room = Room::asked("hello");
    let step = room.step();
    room.send(Event::Thinking {
        step,
        text: "hm".to_owned(),
    });
    let effects = room.delta("{");
    assert_eq!(
        effects,
        [Effect::Say(Say::Thought {
            id: format!("thinking-{step}"),
            piece: Piece::End
        })]
    );
}

#[test]
fn the_sprite_flies_to_its_work_and_rejoices() {
    let mut room = Room::asked("draw");
    let effects = room.delta(
        &json!({"actions": [a_box("a", 600, 50, "Alpha"), a_box("b", 100, 50, "Beta")]})
            .to_string(),
    );
    let seen: Vec<_> = effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Presence(change) => Some((
                change.position.unwrap(),
                change.flip,
                change.pose,
                change.doing.clone().unwrap(),
            )),
            _ => None,
        })
        .map(|(at, flip, pose, doing)| (at.x, at.y, flip, pose, doing))
        .collect();
    let working = Some(Pose::Working);
    assert_eq!(
        seen,
        [
            (
                1564.0,
                2014.0,
                Some(true),
                working,
                "drawing Alpha".to_owned()
            ),
            (
                1064.0,
                2014.0,
                Some(true),
                working,
                "drawing Beta".to_owned()
            ),
        ]
    );
    let poses: Vec<_> = room
        .end()
        .into_iter()
        .filter_map(|effect| match effect {
            Effect::Presence(change) => {
                Some((change.pose, change.activity, change.after_ms.is_some()))
            }
            _ => None,
        })
        .collect();
    assert_eq!(
        poses,
        [
            (Some(Pose::Celebrating), Some(Activity::Idle), false),
            (Some(Pose::Idle), None, true)
        ]
    );
}

#[test]
fn unknown_and_disallowed_actions_go_back_once_with_the_reason() {
    let mut room = Room::asked("draw");
    let effects = room.answer(json!([{"_type": "dance"}, a_box("a", 0, 0, "A")]));
    assert_eq!(outcome(&effects), None, "a second step was asked");
    let told = &room.last_prompt().messages.last().unwrap().content;
    assert!(
        told.contains("there is no action \"dance\"; allowed are: message, think, diagram, create"),
        "{told}"
    );
    assert!(
        notes(&effects)
            .iter()
            .any(|(state, label)| *state == ActionState::Refused && label.contains("dance"))
    );
    assert_eq!(room.named("A").width(), 160.0, "the rest was carried out");
    let effects = room.answer(json!([{"_type": "dance"}]));
    assert_eq!(outcome(&effects), Some(Outcome::Done), "not a second time");
}

#[test]
fn a_run_never_asks_more_than_its_cap() {
    let mut room = Room::asked("draw");
    for number in 0..100 {
        if outcome(&room.answer(json!([{"_type": format!("dance-{number}")}]))).is_some() {
            break;
        }
    }
    assert_eq!(room.asked.len() as u32, MAX_STEPS);
    assert_eq!(outcome(&room.log), Some(Outcome::Done));
    assert_eq!(
        words(&room.log),
        [format!(
            "I stopped after {MAX_STEPS} tries. Tell me how to go on."
        )]
    );
}

#[test]
fn an_answer_cut_by_its_length_goes_on_where_it_was_cut() {
    let mut room = Room::asked("draw");
    let text =
        json!({"actions": [a_box("a", 0, 0, "Alpha"), a_box("b", 300, 0, "Beta")]}).to_string();
    room.delta(&text[..text.len() - 7]);
    assert_eq!(room.live().len(), 4);
    let effects = room.end_with(StopReason::Length);
    assert_eq!(room.live().len(), 2, "the cut box is taken back");
    assert_eq!(outcome(&effects), None);
    let prompt = room.last_prompt();
    assert!(
        prompt
            .messages
            .last()
            .unwrap()
            .content
            .contains("too long and was cut")
    );
    let effects = room.answer(json!([a_box("b", 300, 0, "Beta")]));
    assert_eq!(
        (outcome(&effects), room.live().len()),
        (Some(Outcome::Done), 4)
    );
}

#[test]
fn prose_without_actions_is_sent_back_once_and_then_owned_up_to() {
    let mut room = Room::asked("draw");
    room.delta("I would love to, but");
    assert_eq!(outcome(&room.end()), None);
    room.delta("Sorry, I only speak prose.");
    let effects = room.end();
    assert_eq!(outcome(&effects), Some(Outcome::Done));
    assert_eq!(
        words(&effects),
        ["I could not make anything of the model's answer. Please ask again in other words."]
    );
}

#[test]
fn broken_json_takes_back_the_open_action_and_is_told() {
    let mut room = Room::asked("draw");
    let text =
        json!({"actions": [a_box("a", 0, 0, "Alpha"), a_box("b", 300, 0, "Beta")]}).to_string();
    room.delta(&text[..text.len() - 4]);
    room.delta("oh!");
    assert_eq!(room.live().len(), 2);
    assert_eq!(outcome(&room.end()), None);
    assert!(
        room.last_prompt()
            .messages
            .last()
            .unwrap()
            .content
            .contains("broke off")
    );
}

#[test]
fn what_the_room_refuses_is_neither_drawn_on_nor_forgotten() {
    let mut room = Room::asked("draw");
    let text = json!({"actions": [a_box("a", 0, 0, "Alpha Beta Gamma")]}).to_string();
    let (head, tail) = text.split_at(text.find("Beta").unwrap());
    room.delta(head);
    room.roll_back_open();
    let effects = room.send(Event::Refused {
        action: 1,
        reason: "outside of your region".to_owned(),
    });
    assert_eq!(
        notes(&effects),
        [(
            ActionState::Refused,
            "not allowed: outside of your region".to_owned()
        )]
    );
    let effects = room.delta(tail);
    assert_eq!(effects, [], "nothing more of it is written");
    assert_eq!(outcome(&room.end()), None);
    assert!(
        room.last_prompt()
            .messages
            .last()
            .unwrap()
            .content
            .contains("outside of your region")
    );
    assert_eq!(room.live().len(), 0);
}

#[test]
fn a_whole_action_may_be_refused_late_and_one_of_an_old_run_is_nobodys() {
    let mut room = Room::asked("draw");
    room.delta(&json!({"actions": [a_box("a", 0, 0, "Alpha")]}).to_string());
    let effects = room.send(Event::Refused {
        action: 1,
        reason: "too late".to_owned(),
    });
    assert_eq!(
        notes(&effects),
        [(ActionState::Refused, "not allowed: too late".to_owned())]
    );
    assert_eq!(outcome(&room.end()), None);
    room.prompt("something else");
    assert_eq!(
        room.send(Event::Refused {
            action: 1,
            reason: "much too late".to_owned()
        }),
        []
    );
}

#[test]
fn a_held_back_answer_is_told_and_not_asked_again() {
    let mut room = Room::asked("draw");
    let text = json!({"actions": [a_box("a", 0, 0, "Alpha")]}).to_string();
    room.delta(&text[..text.len() - 6]);
    let effects = room.end_with(StopReason::ContentFilter);
    assert_eq!(outcome(&effects), Some(Outcome::Done));
    assert_eq!(
        words(&effects),
        ["The model's provider held back the rest of the answer. Try other words."]
    );
    assert_eq!(room.live(), []);
}

#[test]
fn a_fairy_survives_being_written_down_mid_run() {
    let mut room = Room::asked("draw");
    room.answer(json!([
        a_box("a", 10, 10, "Alpha"),
        a_box("b", 400, 10, "Beta")
    ]));
    room.prompt("and an arrow");
    room.delta(r#"{"actions":[{"_type":"message","text":"Su"#);
    let kept = serde_json::to_string(&room.agent.checkpoint()).unwrap();
    let mut back: Checkpoint = serde_json::from_str(&kept).unwrap();
    room.roll_back_open();
    assert_eq!(back.run(), room.agent.run(), "the run could go on");
    back.forget_run();
    room.agent = Agent::restore(room.agent.settings.config.clone(), back);
    room.prompt("and an arrow");
    assert_eq!(
        outcome(&room.answer(json!([an_arrow("a", "b")]))),
        Some(Outcome::Done),
        "it still knows a and b"
    );
    let arrow = room
        .live()
        .into_iter()
        .find(|element| element.props["type"] == "arrow")
        .unwrap();
    assert_eq!(
        arrow.start_binding().unwrap().element_id,
        room.named("Alpha").id
    );
}

#[test]
fn stop_without_a_run_idles() {
    let mut room = Room::new();
    let effects = room.stop();
    assert!(
        effects
            .iter()
            .all(|effect| matches!(effect, Effect::Presence(_)))
    );
    assert_eq!(room.agent.mode(), Mode::Idling);
}
