//! A row that cannot be read: it is named, set aside and left as it is. Nothing takes its place.

use rusqlite::Row;
use rusqlite::types::ValueRef;
use serde::Serialize;
use serde::de::DeserializeOwned;
use utoipa::ToSchema;

use crate::error::StoreError;

/// Which cell cannot be read, and why.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema, thiserror::Error)]
#[error(
    "the {table} {key} cannot be read, for its {column} {reason}: it is set aside and left as it is"
)]
pub struct Unreadable {
    pub table: String,
    pub key: String,
    pub column: String,
    pub reason: String,
}

impl Unreadable {
    pub fn new(table: &str, key: &str, column: &str, reason: impl Into<String>) -> Self {
        Self {
            table: table.to_owned(),
            key: key.to_owned(),
            column: column.to_owned(),
            reason: reason.into(),
        }
    }

    /// Reads a column of JSON.
    pub fn json<T: DeserializeOwned>(
        table: &str,
        key: &str,
        column: &str,
        text: &str,
    ) -> Result<T, Self> {
        serde_json::from_str(text).map_err(|error| {
            Self::new(
                table,
                key,
                column,
                format!("is not as it was written ({error})"),
            )
        })
    }

    /// As [`Self::json`], for what decides rights: a body with more, less or other than is written
    /// today is refused, so that nothing left out becomes a default.
    pub fn exact_json<T: DeserializeOwned + Serialize>(
        table: &str,
        key: &str,
        column: &str,
        text: &str,
    ) -> Result<T, Self> {
        let stored: serde_json::Value = Self::json(table, key, column, text)?;
        exact(&stored).map_err(|reason| {
            Self::new(
                table,
                key,
                column,
                format!("is not as it was written ({reason})"),
            )
        })
    }
}

/// Reads a value that would be written again exactly as it is.
pub fn exact<T: DeserializeOwned + Serialize>(stored: &serde_json::Value) -> Result<T, String> {
    let read = T::deserialize(stored).map_err(|error| error.to_string())?;
    match serde_json::to_value(&read) {
        Ok(again) if again == *stored => Ok(read),
        _ => Err("something in it is missing, unknown or of another kind".to_owned()),
    }
}

/// Rows of a table: those that can be read, and the others by name.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed<T> {
    pub rows: Vec<T>,
    pub unreadable: Vec<Unreadable>,
}

impl<T> Listed<T> {
    /// All of them; an error if there is one that cannot be read.
    pub fn whole(self) -> Result<Vec<T>, StoreError> {
        match self.unreadable.into_iter().next() {
            Some(unreadable) => Err(unreadable.into()),
            None => Ok(self.rows),
        }
    }
}

/// Where rows come from, for naming one.
#[derive(Clone, Copy)]
pub(crate) struct Source {
    pub(crate) table: &'static str,
    /// The columns of its key.
    pub(crate) key: &'static [&'static str],
    /// What reading it is called in an error of the database.
    pub(crate) doing: &'static str,
}

impl Source {
    /// Names the row at hand; gives the error back if it is not about what lies in a column.
    pub(crate) fn unreadable(
        self,
        row: &Row<'_>,
        error: rusqlite::Error,
    ) -> Result<Unreadable, StoreError> {
        use rusqlite::Error::{
            FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType, Utf8Error,
        };
        let (at, reason) = match &error {
            FromSqlConversionFailure(at, _, reason) => (*at, reason.to_string()),
            IntegralValueOutOfRange(at, number) => (*at, format!("is {number}")),
            InvalidColumnType(at, _, kind) => (*at, format!("is of the type {kind}")),
            Utf8Error(at, reason) => (*at, reason.to_string()),
            _ => return Err(StoreError::database(self.doing, error)),
        };
        let column = row.as_ref().column_name(at).unwrap_or("row");
        let key: Vec<String> = self.key.iter().map(|name| shown(row, name)).collect();
        Ok(Unreadable::new(self.table, &key.join(" "), column, reason))
    }
}

/// A key's value, whatever lies there.
fn shown(row: &Row<'_>, column: &str) -> String {
    match row.get_ref(column) {
        Ok(ValueRef::Text(bytes) | ValueRef::Blob(bytes)) => {
            String::from_utf8_lossy(bytes).chars().take(200).collect()
        }
        Ok(ValueRef::Integer(number)) => number.to_string(),
        Ok(ValueRef::Real(number)) => number.to_string(),
        Ok(ValueRef::Null) | Err(_) => "without a key".to_owned(),
    }
}
