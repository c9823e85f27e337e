//! The names of things: pages, elements, runs, peers.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A Loro peer id: one writer of one replica. A browser takes a fresh one per page load.
pub type PeerId = u64;
/// The position of an operation among all operations of its peer.
pub type Counter = i32;
/// The properties of one element, named as Excalidraw names them. `originalText` is a string.
pub type Props = Map<String, Value>;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub String);

        impl $name {
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl From<&str> for $name {
            fn from(id: &str) -> Self {
                Self(id.to_owned())
            }
        }

        impl From<String> for $name {
            fn from(id: String) -> Self {
                Self(id)
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }
    };
}

id!(
    /// One page: one Loro document, one room.
    PageId
);
id!(
    /// One element of a canvas: the key of its map in the document.
    ElementId
);
id!(
    /// One comment on a canvas: `cm_` and 12 of `a-z0-9`, made by the client.
    CommentId
);
id!(
    /// All that one input to a fairy sets off, until it is idle again.
    RunId
);

/// Why a change was made: the run, the step (one request to a model) and the action.
///
/// It travels as the JSON commit message of the change, so it reaches every replica and survives
/// every restart: `{"run":"run_x","step":1,"action":3}`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RunTag {
    pub run: RunId,
    pub step: u32,
    pub action: u32,
}

impl RunTag {
    /// The commit message that carries this tag.
    pub fn to_message(&self) -> String {
        serde_json::json!({ "run": self.run, "step": self.step, "action": self.action }).to_string()
    }

    /// The tag of a commit message, if it is one. People's commits carry none.
    pub fn from_message(message: &str) -> Option<Self> {
        serde_json::from_str(message).ok()
    }
}
