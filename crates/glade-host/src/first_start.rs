//! What a new data folder begins with: one canvas page and one fairy.

use glade_store::{Change, FairyRow, PageRow, Store, StoreError};

use crate::clock::now_ms;
use crate::fairies::Saved;
use crate::ids;
use crate::workspace::FairySettings;

pub const DONE: &str = "first-start";

pub fn furnish(store: &Store, model: &str) -> Result<(), StoreError> {
    if store.setting(DONE)?.is_some() {
        return Ok(());
    }
    let now = now_ms();
    let page = PageRow {
        id: ids::page(),
        name: "First page".to_owned(),
        kind: "canvas".to_owned(),
        tier: "internal".to_owned(),
        position: 1.0,
        created_ms: now,
    };
    let fairy = FairyRow {
        id: ids::fairy(),
        name: "Wisp".to_owned(),
        page: page.id.clone(),
        model: model.to_owned(),
        sign: "curious, brief, and fond of tidy drawings".to_owned(),
        hat: "pointy".to_owned(),
        hat_color: "#7048e8".to_owned(),
        color: "#2f9e44".to_owned(),
        settings_json: FairySettings::default().written(),
        state_json: Saved::NONE_YET.to_owned(),
        position_json: r#"{"x":120,"y":120}"#.to_owned(),
        created_ms: now,
    };
    store.write_blocking(vec![
        Change::PutPage(page),
        Change::PutFairy(fairy),
        Change::PutSetting {
            key: DONE.to_owned(),
            value: "1".to_owned(),
        },
    ])
}
