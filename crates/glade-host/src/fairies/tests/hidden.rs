//! What a fairy tells a guest comes from pages that the guest may read, wherever else the fairy was.

use std::sync::Arc;

use futures_util::StreamExt as _;
use glade_access::{Capability, Narrower, Op, WORKSPACE};
use glade_agent::{Input, Mode};
use glade_doc::{Edit, PageId};
use glade_store::PageRow;
use serde_json::json;

use super::stage::Stage;
use crate::fairies::{Asked, HostError};
use crate::ids;
use crate::runs::Runs;

const DONE: &str = r#"{"_type":"message","text":"Done."}"#;
const GO: &str = r#"{"_type":"change-page","intent":"","pageName":"Plans"}"#;
const SECRET: &str = "The merger is on Monday";

fn owner() -> Capability {
    Capability::local(WORKSPACE, "person:owner").unwrap()
}

/// Somebody who may read what is internal.
fn guest() -> Capability {
    let narrower = Narrower {
        tiers: Some(["internal".to_owned()].into()),
        ..Default::default()
    };
    let guest = Capability::local(WORKSPACE, "person:guest").unwrap();
    guest.narrow(&narrower).unwrap()
}

impl Stage {
    async fn hidden_page(&self) -> PageId {
        let row = PageRow {
            id: ids::page(),
            name: "Plans".to_owned(),
            kind: "canvas".to_owned(),
            tier: "secret".to_owned(),
            position: 9.0,
            created_ms: 0,
        };
        let id = PageId::from(row.id.as_str());
        let made = self.deps.workspace.put_page_with(row, Vec::new());
        made.await.unwrap();
        self.write_on(&id, "note", SECRET).await;
        id
    }

    /// A person writes words on a page.
    async fn write_on(&self, page: &PageId, id: &str, words: &str) {
        let props = json!({
            "type": "text", "x": 10, "y": 10, "width": 100, "height": 20, "originalText": words,
        });
        let props = props.as_object().unwrap().clone();
        let put = Edit::Put {
            id: id.into(),
            props,
        };
        let room = self.room_of(page).await;
        room.edit_as(owner(), ids::peer(), vec![put]).await.unwrap();
    }

    fn told(&self) -> String {
        json!(self.model.prompt()).to_string()
    }

    fn runs(&self) -> Runs {
        Runs {
            store: self.deps.store.clone(),
            workspace: Arc::clone(&self.deps.workspace),
            rooms: Arc::clone(&self.deps.rooms),
            fairies: Arc::clone(&self.host),
            code: None,
        }
    }

    /// What the guest hears of the run under way, until its end or theirs.
    fn overheard(&self) -> impl Future<Output = String> + use<> {
        let stream = self.host.current_stream(&self.fairy).unwrap().unwrap();
        let workspace = Arc::clone(&self.deps.workspace);
        let heard = stream.read(move |page| workspace.may(&guest(), page, Op::Read));
        let heard = heard.collect::<Vec<_>>();
        async move { String::from_utf8(heard.await.concat()).unwrap() }
    }

    /// Nothing of the run is told to the guest, by its row, the chat, or what the fairy remembers.
    async fn keeps_from_the_guest(&self, run: &str) {
        self.wait_for_end(run).await;
        let runs = self.runs();
        let chat = |who: Capability| json!(runs.chat(&who, &self.fairy).unwrap()).to_string();
        assert!(chat(owner()).contains(SECRET));
        assert!(!chat(guest()).contains(SECRET), "{}", chat(guest()));
        assert!(runs.get(&owner(), run, Op::Read).is_ok());
        assert!(runs.get(&guest(), run, Op::Read).is_err());
        let before = self.model.requests();
        let again = asked(Some(&self.page), guest());
        self.host.prompt(&self.fairy, again).await.unwrap();
        self.asked(before + 1).await;
        assert!(!self.told().contains(SECRET), "{}", last_words(self));
    }
}

/// As if the model said what it read.
fn tells() -> String {
    format!(r#"{{"_type":"message","text":"{SECRET}."}}"#)
}

fn last_words(stage: &Stage) -> String {
    json!(stage.model.prompt().messages).to_string()
}

fn asked(page: Option<&PageId>, asker: Capability) -> Asked {
    Asked {
        input: Input {
            page: page.cloned(),
            ..Input::message("what is there?")
        },
        message: None,
        asker: Some(asker),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_for_a_guest_goes_to_no_page_that_the_guest_may_not_read() {
    let stage = Stage::set().await;
    let plans = stage.hidden_page().await;
    let run = stage.prompt_on(&stage.page, Some(guest())).await;
    assert!(!stage.told().contains("Plans"));
    stage.model.answer(GO);
    stage.asked(2).await;
    let told = stage.told();
    assert!(told.contains("there is no page"), "{}", last_words(&stage));
    assert!(!told.contains(SECRET), "{}", last_words(&stage));
    stage.model.answer(DONE);
    stage.wait_for_end(&run).await;
    let refused = stage
        .host
        .prompt(&stage.fairy, asked(Some(&plans), guest()))
        .await;
    assert!(matches!(refused, Err(HostError::NoPage(_))), "by its id");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_guest_asks_for_later_is_done_where_they_asked_and_not_where_the_fairy_went() {
    let stage = Stage::set().await;
    let plans = stage.hidden_page().await;
    let first = stage.prompt_on(&stage.page, Some(owner())).await;
    let later = stage.host.schedule(&stage.fairy, asked(None, guest()));
    assert!(later.await.unwrap().is_none());
    stage.model.answer(GO);
    stage.asked(2).await;
    let fairy = stage.deps.workspace.fairy(&stage.fairy).unwrap();
    assert_eq!(fairy.page, plans.to_string());
    assert!(stage.told().contains(SECRET));
    stage.model.answer(DONE);
    stage.wait_for_end(&first).await;
    stage.asked(3).await;
    let told = stage.told();
    assert!(!told.contains(SECRET), "{}", last_words(&stage));
    let fairy = stage.deps.workspace.fairy(&stage.fairy).unwrap();
    assert_eq!(fairy.page, stage.page.to_string());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_people_did_on_the_page_that_it_left_is_not_told_on_the_next() {
    let stage = Stage::set().await;
    let plans = stage.hidden_page().await;
    let first = stage.prompt_on(&plans, Some(owner())).await;
    let news = "And the price is nine";
    stage.write_on(&plans, "note", news).await;
    // It looks around when it is given something for later, and is stopped before it asks.
    let more = stage
        .host
        .schedule(&stage.fairy, asked(Some(&plans), owner()));
    more.await.unwrap();
    stage.host.stop(&stage.fairy).await.unwrap();
    stage.wait_for_end(&first).await;
    let before = stage.model.requests();
    let mut again = asked(Some(&stage.page), guest());
    again.input.mode = Some(Mode::Soloing);
    stage.host.prompt(&stage.fairy, again).await.unwrap();
    stage.asked(before + 1).await;
    let told = stage.told();
    let hidden = [news, SECRET];
    assert!(
        !hidden.iter().any(|it| told.contains(it)),
        "{}",
        last_words(&stage)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_fairy_only_read_on_a_hidden_page_reaches_no_guest() {
    let stage = Stage::set().await;
    stage.hidden_page().await;
    let run = stage.prompt_on(&stage.page, Some(owner())).await;
    let overheard = stage.overheard();
    stage.model.answer(GO);
    stage.asked(2).await;
    stage.model.answer(&tells());
    stage.keeps_from_the_guest(&run).await;
    let overheard = overheard.await;
    assert!(overheard.contains(&run), "{overheard}");
    assert!(!overheard.contains(SECRET), "{overheard}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_fairy_found_by_a_search_on_a_hidden_page_reaches_no_guest() {
    let stage = Stage::set().await;
    stage.hidden_page().await;
    let run = stage.prompt_on(&stage.page, Some(owner())).await;
    let overheard = stage.overheard();
    let search = r#"{"_type":"search","intent":"","query":"merger"}"#;
    stage.model.answer(search);
    stage.asked(2).await;
    assert!(stage.told().contains(SECRET), "{}", last_words(&stage));
    stage.model.answer(&tells());
    stage.keeps_from_the_guest(&run).await;
    let overheard = overheard.await;
    assert!(!overheard.contains(SECRET), "{overheard}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_a_fairy_looked_is_known_after_a_crash() {
    let before = Stage::set().await;
    before.hidden_page().await;
    let run = before.prompt_on(&before.page, Some(owner())).await;
    before.model.answer(GO);
    before.asked(2).await;
    let stage = before.crash().await;
    stage.asked(1).await;
    let overheard = stage.overheard();
    stage.model.answer(&tells());
    stage.keeps_from_the_guest(&run).await;
    assert_eq!(overheard.await, "");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_listens_to_a_run_hears_no_more_when_its_page_is_hidden_from_them() {
    let stage = Stage::set().await;
    let run = stage.prompt_on(&stage.page, Some(owner())).await;
    let overheard = stage.overheard();
    let mut row = stage.deps.workspace.page(stage.page.as_str()).unwrap();
    row.tier = "secret".to_owned();
    let put = stage.deps.workspace.put_page_with(row, Vec::new());
    put.await.unwrap();
    stage.model.answer(&tells());
    stage.wait_for_end(&run).await;
    assert!(!overheard.await.contains(SECRET));
}
