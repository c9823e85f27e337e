//! Bodies of JSON in the store, with the number of their format.
//!
//! A body without a number, or with one that this version does not write, is not read: it is not taken
//! for an older one whose missing parts are filled in.

use glade_store::{Unreadable, exact};
use serde::de::{DeserializeOwned, Deserializer, Error as _};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What is written today.
const WHOLE: u64 = 1;
/// What was written before there were numbers: parts may be left out.
pub const BEFORE: u64 = 0;

/// A column of one row.
#[derive(Clone, Copy)]
pub struct Cell<'a> {
    pub table: &'static str,
    pub key: &'a str,
    pub column: &'static str,
}

impl Cell<'_> {
    pub fn unreadable(self, reason: impl Into<String>) -> Unreadable {
        Unreadable::new(self.table, self.key, self.column, reason)
    }

    /// A body and its format.
    pub fn body(self, text: &str) -> Result<(u64, Value), Unreadable> {
        let mut body: Value = Unreadable::json(self.table, self.key, self.column, text)?;
        let format = body.as_object_mut().and_then(|body| body.remove("v"));
        match format.as_ref().and_then(Value::as_u64) {
            Some(format @ (BEFORE | WHOLE)) => Ok((format, body)),
            Some(other) => Err(self.unreadable(format!(
                "is of format {other}, and this version reads up to {WHOLE}"
            ))),
            None => Err(self.unreadable("does not say its format")),
        }
    }

    pub fn value<T: DeserializeOwned>(self, body: Value) -> Result<T, Unreadable> {
        serde_json::from_value(body)
            .map_err(|error| self.unreadable(format!("is not as it was written ({error})")))
    }

    /// A whole body, for what decides rights: nothing missing in it becomes a default.
    pub fn exact<T: DeserializeOwned + Serialize>(self, text: &str) -> Result<T, Unreadable> {
        match self.body(text)? {
            (WHOLE, body) => exact(&body)
                .map_err(|reason| self.unreadable(format!("is not as it was written ({reason})"))),
            _ => Err(self.unreadable("is of a format that is no longer read")),
        }
    }
}

#[derive(Serialize)]
struct Numbered<'a, T> {
    v: u64,
    #[serde(flatten)]
    body: &'a T,
}

/// The text of a body in today's format.
pub fn written<T: Serialize>(body: &T) -> String {
    // Bodies are maps of plain values: they always serialise.
    serde_json::to_string(&Numbered { v: WHOLE, body }).unwrap_or_default()
}

/// For a part of a body that decides rights: it must be there, and whole.
pub fn whole<'de, D: Deserializer<'de>, T: DeserializeOwned + Serialize>(
    from: D,
) -> Result<T, D::Error> {
    exact(&Value::deserialize(from)?).map_err(D::Error::custom)
}
