//! Stop, a new message, a reset: what was half done is gone.

use std::time::Duration;

use glade_store::RunStatus;

use super::stage::{Stage, answer, named, whole_pages};

/// Stop at every byte: whatever had been said so far, the page holds whole actions only, and
/// nothing moves after the answer to Stop.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stop_at_any_byte_leaves_whole_actions_only() {
    let stage = Stage::set().await;
    let answer = answer();
    let pages = whole_pages();
    let mut reached = 0;
    // Every byte is cut in the pure core's own test; through store and room every third, and every
    // one in a soak.
    let stride = match std::env::var_os("GLADE_SOAK") {
        Some(_) => 1,
        None => 3,
    };
    for cut in (0..=answer.len())
        .filter(|cut| answer.is_char_boundary(*cut))
        .step_by(stride)
    {
        let run = stage.prompt("go").await;
        let (said, _) = answer.split_at(cut);
        let half = said.len() / 2;
        stage.model.say(&said[..half]);
        if cut % 2 == 0 {
            tokio::time::sleep(Duration::from_millis(u64::from(cut % 4 == 0) * 4)).await;
        }
        stage.model.say(&said[half..]);
        if cut % 5 == 0 {
            tokio::time::sleep(Duration::from_millis(30)).await;
        }
        // However busy the machine is, the last cuts come when much has been drawn.
        for _ in 0..500 {
            if cut * 10 < answer.len() * 9 || stage.live().await.len() >= pages[3].len() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        stage.host.stop(&stage.fairy).await.unwrap();
        let after = stage.live().await;
        let found = pages.iter().position(|page| *page == after);
        assert!(found.is_some(), "cut at {cut}: {after:?}");
        reached = reached.max(found.unwrap());
        // Late words of the old request go nowhere.
        stage.model.say("{\"actions\":[{\"_type\":\"create\"");
        let version = stage.elements().await;
        tokio::time::sleep(Duration::from_millis(2)).await;
        assert_eq!(stage.elements().await, version, "cut at {cut}");
        assert_eq!(
            stage.deps.workspace.run(&run).unwrap().status,
            RunStatus::Cancelled
        );

        let room = stage.deps.rooms.room(&stage.page).await.unwrap();
        room.undo_run(run.as_str().into(), None).await.unwrap();
        assert_eq!(stage.live().await, named(&[]), "undo after a cut at {cut}");
    }
    assert!(reached >= 3, "the cuts reached into the answer");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_message_takes_over_and_the_old_run_keeps_only_whole_actions() {
    let stage = Stage::set().await;
    let answer = answer();
    let old = stage.prompt("go").await;
    let cut = answer.find("Other wo").unwrap() + 8;
    stage.model.say(&answer[..cut]);
    stage.wait_for_live(4).await;
    let new = stage.prompt("something else").await;
    assert_eq!(stage.live().await, whole_pages()[1]);
    stage
        .model
        .say(r#"{"actions":[{"_type":"message","text":"Fine."}]}"#);
    stage.model.end();
    stage.wait_for_end(&new).await;
    assert_eq!(
        stage.deps.workspace.run(&old).unwrap().status,
        RunStatus::Cancelled
    );
    assert_eq!(stage.live().await, whole_pages()[1]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reset_stops_and_survives_a_restart() {
    let stage = Stage::set().await;
    let run = stage.prompt("a secret").await;
    stage.host.reset(&stage.fairy).await.unwrap();
    assert_eq!(
        stage.deps.workspace.run(&run).unwrap().status,
        RunStatus::Cancelled
    );
    let row = stage.deps.store.fairies().unwrap().rows.remove(0);
    assert!(!row.state_json.contains("a secret"), "{}", row.state_json);
}
