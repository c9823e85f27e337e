//! Subjects: who a token is for. `person:anna`, `fairy:fy_…`, `agent:ci`; `person:anna/phone` is
//! something that acts for Anna.

use serde::{Deserialize, Serialize};

use crate::error::AccessError;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SubjectKind {
    Person,
    Fairy,
    /// A program that connects from elsewhere.
    Agent,
}

/// Letters that a name in a token may have. None of them means anything in Datalog, so a name can
/// be put between quotes as it is.
pub(crate) fn is_name(text: &str) -> bool {
    (1..=128).contains(&text.len())
        && text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"._:@/-".contains(&b))
}

/// The kind of a subject, which is what stands before the colon. `server` is nobody's.
pub(crate) fn kind(subject: &str) -> Result<SubjectKind, AccessError> {
    let bad = || AccessError::BadSubject {
        subject: subject.chars().take(128).collect(),
    };
    let (kind, name) = subject.split_once(':').ok_or_else(bad)?;
    if !is_name(subject) || name.contains(':') || name.split('/').any(str::is_empty) {
        return Err(bad());
    }
    match kind {
        "person" => Ok(SubjectKind::Person),
        "fairy" => Ok(SubjectKind::Fairy),
        "agent" => Ok(SubjectKind::Agent),
        _ => Err(bad()),
    }
}
