//! Crashes: the folder is opened again as it lies there.

use glade_store::RunStatus;
use serde_json::{Value, json};

use super::stage::{ONE_BOX, Stage, answer, named, whole_pages};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_first_step_cut_by_a_crash_is_taken_back_and_asked_again_in_the_same_run() {
    let stage = Stage::set().await;
    let answer = answer();
    let run = stage.prompt("draw it").await;
    stage.model.say(&answer[..answer.find("Other").unwrap()]);
    stage.wait_for_live(3).await;
    let again = stage.crash().await;
    again.asked(1).await;
    assert_eq!(again.live().await, named(&[]));
    again.model.say(&answer);
    again.model.end();
    again.wait_for_end(&run).await;
    assert_eq!(again.live().await, whole_pages()[4]);
    let row = again.deps.workspace.run(&run).unwrap();
    assert_eq!(
        (row.status, row.message.as_str()),
        (RunStatus::Pending, "draw it")
    );
    let errors: Vec<bool> = row.steps.iter().map(|step| step.error.is_some()).collect();
    assert_eq!(errors, [true, false]);
    assert_eq!(again.deps.workspace.snapshot().runs.len(), 1);
}

/// Earlier steps stay, the cut one is done once, and the fairy knows what it knew.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_later_step_cut_anywhere_is_done_once_and_earlier_steps_stay() {
    let second = ONE_BOX.replace(r#""shapeId":"a","x":0"#, r#""shapeId":"b","x":900"#);
    let second = second.replace(r#""text":"A""#, r#""text":"B""#);
    let done = r#"{"_type":"upsert-personal-todo-item","id":"1","status":"done"}"#;
    let whole = format!(r#"{{"actions":[{second},{done},{{"_type":"message","text":"Both."}}]}}"#);
    let cuts = [
        1,
        whole.find("900").unwrap(),
        whole.find(done).unwrap(),
        whole.len() - 4,
    ];
    for cut in cuts {
        let stage = Stage::set().await;
        let run = stage.prompt("two boxes").await;
        let todo = r#"{"_type":"upsert-personal-todo-item","id":"1","status":"todo","text":"B"}"#;
        let said = r#"{"_type":"message","text":"First the one."}"#;
        stage.model.answer(&format!("{said},{ONE_BOX},{todo}"));
        stage.asked(2).await;
        stage.model.say(&whole[..cut]);
        if cut > whole.find("\"text\":\"B\"").unwrap() {
            stage.wait_for_live(4).await;
        }
        let again = stage.crash().await;
        again.asked(1).await;
        let first = named(&[("rectangle", ""), ("text", "A")]);
        assert_eq!(
            again.live().await,
            first,
            "cut at {cut}: the first step stays"
        );
        let prompt = again.model.prompt();
        let told = prompt
            .messages
            .iter()
            .map(|m| m.content.as_str())
            .collect::<String>();
        assert!(
            told.contains("First the one."),
            "the chat is remembered: {told}"
        );
        assert!(told.contains("open are: 1"), "and why it goes on: {told}");
        let fairy = again.deps.workspace.fairy(&again.fairy).unwrap();
        assert_eq!(
            fairy.todos,
            [json!({"id": "1", "status": "todo", "text": "B"})]
        );
        assert_eq!(fairy.mode, "one-shotting");

        again.model.say(&whole);
        again.model.end();
        again.wait_for_end(&run).await;
        let both = named(&[
            ("rectangle", ""),
            ("rectangle", ""),
            ("text", "A"),
            ("text", "B"),
        ]);
        assert_eq!(
            again.live().await,
            both,
            "cut at {cut}: the second is done once"
        );
        let row = again.deps.workspace.run(&run).unwrap();
        assert_eq!(row.status, RunStatus::Pending);
        let errors: Vec<bool> = row.steps.iter().map(|step| step.error.is_some()).collect();
        assert_eq!(errors, [false, true, false]);
        let chat = again.deps.store.messages(&again.fairy).unwrap();
        let message: Value = serde_json::from_str(&chat.last().unwrap().body_json).unwrap();
        let texts: Vec<&str> = message["parts"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|part| part["text"].as_str())
            .collect();
        assert_eq!(texts, ["First the one.", "Both."], "one message, whole");

        let room = again.deps.rooms.room(&again.page).await.unwrap();
        let report = room.undo_run(run.as_str().into(), None).await.unwrap();
        assert_eq!(report.undone.len(), 4, "one run to undo");
        assert_eq!(again.live().await, named(&[]));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crash_after_a_crash_changes_nothing() {
    let stage = Stage::set().await;
    let run = stage.prompt("draw it").await;
    stage.model.say(r#"{"actions":["#);
    let again = stage.crash().await;
    again.asked(1).await;
    let third = again.crash().await;
    third.asked(1).await;
    third.model.answer(ONE_BOX);
    third.wait_for_end(&run).await;
    assert_eq!(third.live().await.len(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_waits_for_its_turn_survives_a_crash() {
    let stage = Stage::set().await;
    let run = stage.prompt("one").await;
    let asker = glade_access::Capability::local("main", "person:ann").unwrap();
    let later = crate::fairies::Asked {
        input: glade_agent::Input::message("two"),
        message: None,
        asker: Some(asker),
    };
    stage.host.schedule(&stage.fairy, later).await.unwrap();
    let again = stage.crash().await;
    again.asked(1).await;
    again.model.answer(ONE_BOX);
    again.wait_for_end(&run).await;
    again.asked(2).await;
    let prompt = again.model.prompt();
    assert!(prompt.messages.last().unwrap().content.ends_with("two"));
}
