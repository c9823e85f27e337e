//! Two fairies on one spot, and people who work where a fairy draws.

use std::time::Duration;

use glade_agent::{Input, StopReason, Usage};
use glade_model::ModelEvent;
use glade_store::RunStatus;
use serde_json::{Value, json};

use super::people::Person;
use super::stage::{ONE_BOX, Stage, named};
use crate::fairies::{Asked, FairyChange};

fn done() -> ModelEvent {
    ModelEvent::Done {
        usage: Usage::default(),
        stop: StopReason::Stop,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_fairies_draw_the_same_on_one_spot_and_each_is_undone_alone() {
    let stage = Stage::set().await;
    let other = stage
        .host
        .create(stage.page.as_str(), &FairyChange::default())
        .await
        .unwrap()
        .id;
    let first = stage.prompt("go").await;
    let asked = Asked {
        input: Input::message("go"),
        message: None,
        asker: None,
    };
    let second = stage.host.prompt(&other, asked).await.unwrap().run;
    stage.asked(2).await;
    // Both draw a box of the same name in the same place, in turn, a few letters at a time.
    let text = format!(r#"{{"actions":[{ONE_BOX}]}}"#);
    for piece in text.as_bytes().chunks(5) {
        let piece = std::str::from_utf8(piece).unwrap();
        for asked in stage.model.asked.lock().unwrap().iter() {
            asked.send(Ok(ModelEvent::Text(piece.to_owned()))).unwrap();
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    for asked in stage.model.asked.lock().unwrap().iter() {
        asked.send(Ok(done())).unwrap();
    }
    // Words on words are a flaw: whoever ends last is asked to look again, and leaves it so.
    let ended = |run: &str| {
        let run = stage.deps.workspace.run(run);
        run.is_some_and(|run| run.status != RunStatus::Running)
    };
    let mut answered = 2;
    while !(ended(&first) && ended(&second)) {
        if stage.model.requests() > answered {
            answered += 1;
            let asked = stage.model.asked.lock().unwrap()[answered - 1].clone();
            let nothing = ModelEvent::Text(r#"{"actions":[]}"#.to_owned());
            asked.send(Ok(nothing)).unwrap();
            asked.send(Ok(done())).unwrap();
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    let one = [("rectangle", ""), ("text", "A")];
    assert_eq!(stage.live().await, named(&[one, one].concat()));
    let room = stage.deps.rooms.room(&stage.page).await.unwrap();
    let report = room.undo_run(first.as_str().into(), None).await.unwrap();
    assert_eq!((report.undone.len(), report.kept.len()), (2, 0));
    assert_eq!(stage.live().await, named(&one), "the other's box stays");
    room.undo_run(second.as_str().into(), None).await.unwrap();
    assert_eq!(stage.live().await, named(&[]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_person_moves_and_recolours_the_half_drawn_box_and_keeps_it_so() {
    let stage = Stage::set().await;
    let mut ann = Person::join(&stage).await;
    let run = stage.prompt("go").await;
    let text = format!(r#"{{"actions":[{ONE_BOX}]}}"#);
    let (half, rest) = text.split_at(text.find(r#","text""#).unwrap() + 3);
    stage.model.say(half);
    stage.wait_for_live(1).await;
    let (id, _) = stage.elements().await.into_iter().next().unwrap();
    ann.put(
        id.as_str(),
        json!({"x": 4321, "backgroundColor": "#ffc9c9"}),
    )
    .await;
    stage.model.say(rest);
    stage.model.end();
    stage.wait_for_end(&run).await;
    let shape = &stage.elements().await[&id];
    assert_eq!(
        (&shape["x"], &shape["backgroundColor"]),
        (&json!(4321), &json!("#ffc9c9"))
    );
    assert_eq!(
        stage.live().await,
        named(&[("rectangle", ""), ("text", "A")])
    );
    let label = stage
        .elements()
        .await
        .into_iter()
        .find(|(_, props)| props["type"] == "text")
        .unwrap()
        .1;
    let middle = |props: &glade_doc::Props| {
        let number = |key: &str| props.get(key).and_then(Value::as_f64).unwrap();
        number("x") + number("width") / 2.0
    };
    assert!(
        (middle(&label) - middle(shape)).abs() < 1.0,
        "the words follow the box"
    );
    // Undo takes the fairy's words and leaves the person's box.
    let room = stage.deps.rooms.room(&stage.page).await.unwrap();
    let report = room.undo_run(run.as_str().into(), None).await.unwrap();
    assert!(
        report
            .kept
            .iter()
            .any(|kept| kept.what == id && kept.by == "person:ann"),
        "{report:?}"
    );
    assert!(
        stage
            .live()
            .await
            .iter()
            .any(|(kind, _)| kind == "rectangle")
    );
}
