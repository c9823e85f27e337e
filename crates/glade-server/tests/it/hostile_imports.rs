//! Files made to do harm, brought onto a page: refused with a reason, or taken for what is left of them; and the page
//! goes on as before.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::hostile_files::{self as files, Fate, Hostile};
use crate::stage::Stage;

/// On a busy machine, without optimisation.
const PATIENCE: Duration = Duration::from_secs(60);

async fn check(hostile: Hostile) {
    let stage = Stage::open().await;
    let page = stage.page().await;
    let owner = stage.owner.clone();
    let started = Instant::now();
    let (status, answer) = stage
        .bring(&owner, &page, "append", "", hostile.bytes)
        .await;
    let there = stage.exported(&page).await;
    match hostile.fate {
        Fate::Refused(why) => {
            assert!(status == 400 || status == 413, "{status}: {answer}");
            let detail = answer["detail"].as_str().unwrap_or_default();
            assert!(detail.contains(why), "{answer}");
            assert_eq!(there, Vec::<Value>::new(), "nothing of it came");
        }
        Fate::Taken => assert_eq!(status, 200, "{answer}"),
        Fate::TakenSaying(what) => {
            assert_eq!(status, 200, "{answer}");
            assert!(answer["notes"].to_string().contains(what), "{answer}");
        }
    }
    for format in ["svg", "png"] {
        let path = format!("/api/pages/{page}/export?format={format}");
        let picture = stage.get(&owner, &path).await;
        assert_eq!(picture.status().as_u16(), 200, "{format}");
    }
    assert!(started.elapsed() < PATIENCE, "{:?}", started.elapsed());
}

macro_rules! hostile {
    ($($name:ident),* $(,)?) => {$(
        #[tokio::test(flavor = "multi_thread")]
        async fn $name() {
            check(files::$name()).await;
        }
    )*};
}

files::every_file!(hostile);
