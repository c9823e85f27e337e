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

hostile![
    a_file_cut_off,
    json_that_is_no_scene,
    elements_of_the_wrong_types,
    a_number_that_is_none,
    numbers_beyond_all_measure,
    bindings_in_circles,
    containers_in_circles,
    frames_and_groups_in_circles,
    a_million_points,
    too_many_elements,
    a_book_of_words_in_a_narrow_box,
    json_without_a_floor,
    a_property_nested_deeper_than_a_document_holds,
    a_bomb_in_a_png,
    a_bomb_in_an_svg,
    packed_text_in_a_png,
    an_svg_with_entities_and_scripts,
    a_hostile_svg_as_a_picture,
    a_picture_that_unpacks_to_gigabytes,
    a_gif_that_claims_too_much,
];
