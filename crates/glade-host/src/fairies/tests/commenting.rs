//! A fairy that comments on a text page, and looks for words on others: through the host.

use glade_access::Capability;
use glade_agent::Input;
use glade_doc::schema::comment;
use glade_doc::{Edit, PageId, Props};
use glade_store::PageRow;
use serde_json::{Value, json};

use super::stage::Stage;
use crate::fairies::Asked;
use crate::ids;
use crate::rooms::RoomHandle;

const DONE: &str = r#"{"_type":"message","text":"Done."}"#;

impl Stage {
    /// Makes a text page with these paragraphs, called `b0`, `b1` and so on.
    pub async fn text_page(&self, name: &str, tier: &str, texts: &[&str]) -> PageId {
        let row = PageRow {
            id: ids::page(),
            name: name.to_owned(),
            kind: "text".to_owned(),
            tier: tier.to_owned(),
            position: 9.0,
            created_ms: 0,
        };
        let id = PageId::from(row.id.as_str());
        let made = self.deps.workspace.put_page_with(row, Vec::new());
        made.await.unwrap();
        let block = |(at, text): (usize, &&str)| Edit::Put {
            id: format!("b{at}").into(),
            props: props(json!({
                "nodeName": "paragraph", "parent": null,
                "index": format!("{}", at + 1), "originalText": text,
            })),
        };
        let edits = texts.iter().enumerate().map(block).collect();
        let owner = Capability::local(glade_access::WORKSPACE, "person:owner").unwrap();
        let room = self.room_of(&id).await;
        room.edit_as(owner, ids::peer(), edits).await.unwrap();
        id
    }

    pub async fn room_of(&self, page: &PageId) -> RoomHandle {
        self.deps.rooms.room(page).await.unwrap()
    }

    pub async fn prompt_on(&self, page: &PageId, asker: Option<Capability>) -> String {
        let before = self.model.requests();
        let input = Input {
            page: Some(page.clone()),
            ..Input::message("go on")
        };
        let asked = Asked {
            input,
            message: None,
            asker,
        };
        let run = self.host.prompt(&self.fairy, asked).await.unwrap().run;
        self.asked(before + 1).await;
        run
    }
}

fn props(value: Value) -> Props {
    value.as_object().unwrap().clone()
}

async fn comments(room: &RoomHandle) -> Vec<Props> {
    let mut all: Vec<Props> = room.comments().await.unwrap().into_values().collect();
    all.sort_by_key(|props| props["text"].to_string());
    all
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn its_comments_are_its_own_and_stay_when_the_run_is_undone() {
    let stage = Stage::set().await;
    let page = stage
        .text_page("Notes", "internal", &["We meet soon."])
        .await;
    let room = stage.room_of(&page).await;
    let run = stage.prompt_on(&page, None).await;
    stage.model.answer(
        r#"{"_type":"comment-add","intent":"","blockId":"b0","words":"soon","text":"How soon?"},
           {"_type":"text-rewrite","intent":"","blockId":"b0","text":"We meet soon, all of us."}"#,
    );
    stage.wait_for_end(&run).await;
    let undone = room.undo_run(run.as_str().into(), None).await.unwrap();
    assert_eq!(undone.undone.len(), 1);
    let [said] = comments(&room).await.try_into().unwrap();
    let fairy = format!("fairy:{}", stage.fairy);
    let told = |name: &str| said[name].clone();
    assert_eq!(
        [
            told(comment::AUTHOR),
            told(comment::AUTHOR_NAME),
            told(comment::ELEMENT),
            told(comment::TEXT)
        ],
        [json!(fairy), json!("Wisp"), json!("b0"), json!("How soon?")]
    );
    let id = room.comments().await.unwrap().into_keys().next().unwrap();
    let block = room.elements().await.unwrap()[&"b0".into()].clone();
    assert_eq!(block["originalText"], "We meet soon.");
    assert_eq!(block["marks"], json!([[8, 12, "comment-anchor", id]]));

    // It sees its own thread, answers in it and resolves it.
    let again = stage.prompt_on(&page, None).await;
    let prompt = stage.model.prompt();
    let shown = prompt
        .messages
        .iter()
        .any(|one| one.content.contains("How soon?"));
    assert!(shown);
    stage.model.answer(&format!(
        r#"{{"_type":"comment-reply","commentId":"{id}","text":"Today"}},
           {{"_type":"comment-resolve","commentId":"{id}"}}"#
    ));
    stage.wait_for_end(&again).await;
    let [first, reply] = comments(&room).await.try_into().unwrap();
    assert_eq!(first["resolved"], json!(true));
    assert_eq!(
        (&reply["parent"], &reply["text"]),
        (&json!(id), &json!("Today"))
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_may_only_comment_has_the_fairy_comment_and_no_more() {
    let stage = Stage::set().await;
    let page = stage
        .text_page("Notes", "internal", &["We meet soon."])
        .await;
    let room = stage.room_of(&page).await;
    let narrower = glade_access::Narrower {
        ops: Some([glade_access::Op::Read, glade_access::Op::Comment].into()),
        ..Default::default()
    };
    let guest = Capability::local(glade_access::WORKSPACE, "person:guest").unwrap();
    let guest = guest.narrow(&narrower).unwrap();
    let run = stage.prompt_on(&page, Some(guest)).await;
    stage.model.answer(
        r#"{"_type":"comment-add","intent":"","blockId":"b0","words":"soon","text":"How soon?"},
           {"_type":"text-rewrite","intent":"","blockId":"b0","text":"Never."}"#,
    );
    stage.asked(2).await;
    stage.model.answer(DONE);
    stage.wait_for_end(&run).await;
    assert_eq!(comments(&room).await.len(), 1);
    let block = room.elements().await.unwrap()[&"b0".into()].clone();
    assert_eq!(block["originalText"], "We meet soon.");
    assert_eq!(block["marks"].as_array().map(Vec::len), Some(1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_finds_words_on_pages_that_the_asker_may_read_as_they_are_now() {
    let stage = Stage::set().await;
    let page = stage
        .text_page("Notes", "internal", &["Tea at four", "Coffee"])
        .await;
    stage.text_page("Plans", "secret", &["More tea"]).await;
    let narrower = glade_access::Narrower {
        tiers: Some(["internal".to_owned()].into()),
        ..Default::default()
    };
    let guest = Capability::local(glade_access::WORKSPACE, "person:guest").unwrap();
    let guest = guest.narrow(&narrower).unwrap();
    let places = |text: &str, block: &str| json!({"page": page, "pageName": "Notes", "element": block, "text": text});
    let search = r#"{"_type":"search","query":"TEA"}"#;
    let run = stage.prompt_on(&page, Some(guest.clone())).await;
    stage.model.answer(search);
    stage.asked(2).await;
    let data = |found: Value| json!({"search": "TEA", "places": found});
    let seen = || {
        let parts = stage.model.prompt().parts.into_iter();
        let mut data = parts.filter_map(|part| match part {
            glade_agent::PartData::Data(data) => Some(json!(data)["items"][0].clone()),
            _ => None,
        });
        data.next().unwrap()
    };
    assert_eq!(seen(), data(json!([places("Tea at four", "b1")])));
    // What was written since is found, and what was deleted is not.
    let owner = Capability::local(glade_access::WORKSPACE, "person:owner").unwrap();
    let edits = vec![
        Edit::Delete { id: "b0".into() },
        Edit::Put {
            id: "b1".into(),
            props: props(json!({"originalText": "Green tea"})),
        },
    ];
    let room = stage.room_of(&page).await;
    room.edit_as(owner, ids::peer(), edits).await.unwrap();
    stage.model.answer(search);
    stage.asked(3).await;
    assert_eq!(seen(), data(json!([places("Green tea", "b2")])));
    stage.model.answer(DONE);
    stage.wait_for_end(&run).await;
}
