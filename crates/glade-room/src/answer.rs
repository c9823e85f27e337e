//! What a room answers to a call.

use std::collections::{BTreeMap, BTreeSet};

use glade_doc::{CommentId, DocError, ElementId, Props, Touch};
use serde::Serialize;

use crate::epoch::Epoch;
use crate::output::UndoReport;
use crate::range::TextRange;
use crate::seats::{CommitRefused, FairySession};
use crate::user_changes::UserChange;

/// Reads an answer as what the call promises.
pub trait FromAnswer: Sized {
    /// `None` if the answer is to some other call.
    fn from_answer(answer: Answer) -> Option<Self>;
}

macro_rules! answers {
    ($($name:ident($value:ty),)*) => {
        #[derive(Debug, Clone, PartialEq, Serialize)]
        pub enum Answer {
            Done,
            /// A range that was tied to its characters, or why it is none.
            Pinned(Result<TextRange, String>),
            $($name($value),)*
            /// A fairy's or a person's edit was not taken.
            Refused(CommitRefused),
            /// The document could not be read or written.
            Failed(String),
        }
        $(
            impl From<$value> for Answer {
                fn from(value: $value) -> Self {
                    Self::$name(value)
                }
            }
            impl FromAnswer for $value {
                fn from_answer(answer: Answer) -> Option<Self> {
                    match answer {
                        Answer::$name(value) => Some(value),
                        _ => None,
                    }
                }
            }
        )*
    };
}

answers! {
    Session(FairySession),
    Fenced(Option<FairySession>),
    Part(Option<(ElementId, ElementId)>),
    UserChanges(Vec<UserChange>),
    Undone(UndoReport),
    Touched(BTreeSet<ElementId>),
    Touches(Vec<Touch>),
    LiesIn(bool),
    Elements(BTreeMap<ElementId, Props>),
    Comments(BTreeMap<CommentId, Props>),
    Snapshot(Vec<u8>),
    Epoch(Option<Epoch>),
}

impl From<()> for Answer {
    fn from((): ()) -> Self {
        Self::Done
    }
}

impl FromAnswer for () {
    fn from_answer(answer: Answer) -> Option<Self> {
        (answer == Answer::Done).then_some(())
    }
}

impl FromAnswer for Result<TextRange, String> {
    fn from_answer(answer: Answer) -> Option<Self> {
        match answer {
            Answer::Pinned(range) => Some(range),
            _ => None,
        }
    }
}

impl<T: Into<Answer>> From<Result<T, CommitRefused>> for Answer {
    fn from(result: Result<T, CommitRefused>) -> Self {
        result.map_or_else(Self::Refused, Into::into)
    }
}

impl<T: Into<Answer>> From<Result<T, DocError>> for Answer {
    fn from(result: Result<T, DocError>) -> Self {
        result.map_or_else(|error| Self::Failed(error.to_string()), Into::into)
    }
}
