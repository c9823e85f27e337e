//! Between the values of the other crates and the store's rows.

use glade_doc::{PageId, Touch, TouchKey};
use glade_store as store;

pub fn touch_row(page: &PageId, touch: &Touch) -> store::TouchRow {
    store::TouchRow {
        run: touch.run.to_string(),
        page: page.to_string(),
        action: i64::from(touch.action),
        element: touch.element.to_string(),
        property: touch.property.clone(),
        // A touch is made of strings, numbers and JSON values: it always serialises.
        body_json: serde_json::to_string(touch).unwrap_or_default(),
    }
}

pub fn touch_key(page: &PageId, key: &TouchKey) -> store::TouchKey {
    store::TouchKey {
        run: key.run.to_string(),
        page: page.to_string(),
        action: i64::from(key.action),
        element: key.element.to_string(),
        property: key.property.clone(),
    }
}
