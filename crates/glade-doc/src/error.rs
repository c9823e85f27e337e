use thiserror::Error;

use crate::{ElementId, PeerId};

/// What can go wrong with a document of our own (bad input from outside is a [`crate::Refusal`]).
#[derive(Debug, Error)]
pub enum DocError {
    #[error("the stored bytes could not be read: {0}; restore the page from an earlier snapshot")]
    Unreadable(String),
    #[error(
        "the update depends on changes that this document does not have; import those first, or send everything since the document's version"
    )]
    MissingHistory,
    #[error("{0:?} is not an encoded version vector; send the version that the document gave")]
    BadVersion(Vec<u8>),
    #[error(
        "element {element} cannot be written: {reason}; correct the edit, nothing of it was applied"
    )]
    BadEdit { element: ElementId, reason: String },
    #[error("peer id {0} cannot write; use any other id below 2^64-1")]
    BadPeer(PeerId),
    #[error("the document refused the operation: {0}")]
    Loro(String),
}

impl From<loro::LoroError> for DocError {
    fn from(error: loro::LoroError) -> Self {
        Self::Loro(error.to_string())
    }
}

impl From<loro::LoroEncodeError> for DocError {
    fn from(error: loro::LoroEncodeError) -> Self {
        Self::Loro(error.to_string())
    }
}
