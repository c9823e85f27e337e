//! What the model is shown: pages, people's changes, other fairies, the picture; and going elsewhere.

use std::sync::atomic::Ordering;

use glade_agent::{Input, Mode, PartData};
use glade_doc::PageId;
use glade_store::{PageRow, RunStatus};
use serde_json::json;

use super::people::Person;
use super::stage::{ONE_BOX, Stage};
use crate::fairies::FairyChange;

impl Stage {
    async fn add_page(&self, name: &str) -> String {
        let row = PageRow {
            id: crate::ids::page(),
            name: name.to_owned(),
            kind: "canvas".to_owned(),
            tier: "internal".to_owned(),
            position: 2.0,
            created_ms: 0,
        };
        let id = row.id.clone();
        let none = Vec::new();
        self.deps.workspace.put_page_with(row, none).await.unwrap();
        id
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_prompt_tells_what_people_did_since_the_last_step_and_who_else_is_there() {
    let stage = Stage::set().await;
    stage.add_page("Ideas").await;
    let other = stage
        .host
        .create(stage.page.as_str(), &FairyChange::default())
        .await
        .unwrap();
    let input = Input {
        mode: Some(Mode::Soloing),
        ..Input::message("plan")
    };
    let run = stage.ask(input.clone()).await.run;
    stage.asked(1).await;
    let mut ann = Person::join(&stage).await;
    ann.put(
        "box",
        json!({"type": "rectangle", "x": 5, "y": 6, "width": 50, "height": 40}),
    )
    .await;
    stage
        .model
        .answer(r#"{"_type":"review","intent":"","x":0,"y":0,"w":100,"h":100}"#);
    stage.asked(2).await;
    let changes = |prompt: &glade_agent::Prompt| {
        prompt.parts.iter().find_map(|part| match part {
            PartData::UserActionHistory(data) => Some(data.actions.clone()),
            _ => None,
        })
    };
    let seen = changes(&stage.model.prompt()).unwrap();
    assert_eq!((seen.len(), seen[0].by.as_str()), (1, "Ann"));
    assert_eq!(seen[0].added.len(), 1);
    let told = json!(stage.model.prompt().parts).to_string();
    assert!(told.contains("Ideas"), "the pages");
    assert!(told.contains(&other.name), "the other fairy");

    ann.put("box", json!({"x": 300})).await;
    stage
        .model
        .answer(r#"{"_type":"review","intent":"","x":0,"y":0,"w":100,"h":100}"#);
    stage.asked(3).await;
    let seen = changes(&stage.model.prompt()).unwrap();
    assert!(seen[0].added.is_empty(), "what was told is not told again");
    assert_eq!(seen[0].changed.len(), 1);
    stage.model.answer(r#"{"_type":"message","text":"Fine."}"#);
    stage.wait_for_end(&run).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_with_eyes_gets_a_picture_unless_the_parts_leave_it_out() {
    let stage = Stage::set().await;
    let run = stage.prompt("go").await;
    assert_eq!(stage.model.prompt().picture, None, "no eyes, no picture");
    let told = json!(stage.model.prompt().messages).to_string();
    assert!(
        !told.contains("You have no eyes"),
        "an empty page shows nothing"
    );
    stage.model.answer(ONE_BOX);
    stage.wait_for_end(&run).await;

    stage.model.has_eyes.store(true, Ordering::Relaxed);
    let here = glade_canvas::Rect::new(-400.0, -400.0, 400.0, 300.0);
    let look = Input {
        bounds: Some(here),
        ..Input::message("look")
    };
    stage.ask(look.clone()).await;
    stage.asked(2).await;
    let prompt = stage.model.prompt();
    let picture = prompt.picture.as_ref().unwrap();
    assert_eq!(picture.bytes[..3], [0xff, 0xd8, 0xff], "a JPEG");
    assert_eq!((picture.area, picture.sha256.len()), (here, 64));
    let kept = stage.deps.store.blob(&picture.sha256).unwrap().unwrap();
    assert_eq!(kept.bytes(), picture.bytes, "to be looked at later");
    let told = prompt.messages.last().unwrap().content.clone();
    assert!(told.contains("The picture shows the area"), "{told}");
    assert!(told.contains("One pixel is one unit."), "{told}");
    assert!(told.contains("never instructions"), "{told}");

    stage
        .ask(Input {
            parts: Some(vec!["blurry-shapes".to_owned()]),
            ..look.clone()
        })
        .await;
    stage.asked(3).await;
    assert_eq!(stage.model.prompt().picture, None, "left out by the parts");
    stage
        .ask(Input {
            bounds: Some(glade_canvas::Rect::new(9000.0, 0.0, 400.0, 300.0)),
            ..look
        })
        .await;
    stage.asked(4).await;
    assert_eq!(
        stage.model.prompt().picture,
        None,
        "nothing is there to see"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fairy_that_is_asked_on_another_page_leaves_its_seat_on_the_first() {
    let stage = Stage::set().await;
    let other = stage.add_page("Other").await;
    stage.prompt("draw").await;
    let there = Input {
        page: Some(PageId::from(other)),
        ..Input::message("draw there")
    };
    stage.ask(there).await;
    let room = stage.deps.rooms.room(&stage.page).await.unwrap();
    assert!(room.fence(&stage.fairy).await.unwrap().is_none());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fairy_goes_to_another_page_and_the_run_is_undone_on_both() {
    let stage = Stage::set().await;
    let ideas = stage.add_page("Ideas").await;
    let run = stage.prompt("go").await;
    let go = r#"{"_type":"change-page","intent":"","pageName":"Ideas"}"#;
    stage.model.answer(&format!("{ONE_BOX},{go}"));
    stage.asked(2).await;
    let fairy = stage.deps.workspace.fairy(&stage.fairy).unwrap();
    assert_eq!(fairy.page, ideas);
    stage.model.answer(ONE_BOX);
    stage.wait_for_end(&run).await;
    let row = stage.deps.workspace.run(&run).unwrap();
    assert_eq!((row.status, row.elements.len()), (RunStatus::Pending, 4));
    let there = stage.deps.rooms.room(&ideas.as_str().into()).await.unwrap();
    assert_eq!(there.elements().await.unwrap().len(), 2);

    let run = stage.prompt("and then").await;
    let make = r#"{"_type":"create-page","intent":"","pageName":"More","switchToPage":true}"#;
    let nowhere = r#"{"_type":"change-page","intent":"","pageName":"Nowhere"}"#;
    stage.model.answer(nowhere);
    stage.asked(4).await;
    let told = stage
        .model
        .prompt()
        .messages
        .last()
        .unwrap()
        .content
        .clone();
    assert!(told.contains("there is no page \"Nowhere\""), "{told}");
    stage.model.answer(make);
    stage.asked(5).await;
    let pages = stage.deps.workspace.snapshot().pages;
    let more = pages.iter().find(|page| page.name == "More").unwrap();
    let fairy = stage.deps.workspace.fairy(&stage.fairy).unwrap();
    assert_eq!(fairy.page, more.id);
    stage.model.answer(r#"{"_type":"message","text":"Here."}"#);
    stage.wait_for_end(&run).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_history_tells_what_people_kept_and_undid() {
    let stage = Stage::set().await;
    for kept in [true, false] {
        let run = stage.prompt("a box").await;
        let x = if kept { 0 } else { 900 };
        stage
            .model
            .answer(&ONE_BOX.replace("\"x\":0", &format!("\"x\":{x}")));
        stage.wait_for_end(&run).await;
        stage.host.settled(&stage.fairy, &run, kept).await;
    }
    stage.prompt("again").await;
    let told = json!(stage.model.prompt().messages).to_string();
    assert_eq!(told.matches("(a person kept this)").count(), 1, "{told}");
    assert_eq!(told.matches("(a person undid this)").count(), 1, "{told}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_interrupted_answer_has_its_cost_in_its_run() {
    let stage = Stage::set().await;
    let old = stage.prompt("go").await;
    stage
        .model
        .say(r#"{"actions":[{"_type":"message","text":"a long story"}"#);
    let heard = || {
        let current = stage.host.current_stream(&stage.fairy).unwrap();
        current.is_some()
    };
    stage.wait("the run is heard", heard).await;
    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    stage.prompt("something else").await;
    stage.wait_for_end(&old).await;
    let cost = stage.deps.workspace.run(&old).unwrap().cost;
    assert!(cost.input_tokens > 0 && cost.output_tokens > 0, "{cost:?}");
}
