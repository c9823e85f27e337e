//! How each server is spoken to.

mod glade;
mod tldraw;
mod yjs;
mod yjs_text;

pub use glade::Glade;
pub use tldraw::Tldraw;
pub use yjs::{Hocuspocus, YWebsocket};
pub use yjs_text::HocuspocusText;

use anyhow::Result;
use serde_json::{Map, Value, json};

use super::websocket::Kind;

/// What differs between servers.
pub trait Wire {
    fn kind(&self) -> Kind;
    fn path(&self, room: &str) -> String;
    /// What a client says to join.
    fn greeting(&self, room: &str) -> Result<Vec<Vec<u8>>>;
    /// Follows the frames of a join to its end.
    fn joining(&self) -> Box<dyn Joining>;
    /// Makes the messages of one client.
    fn writer(&self, room: &str, who: usize) -> Result<Box<dyn Writer>>;
    /// Reads acknowledgements: the client's own number of the message that a frame says is safe;
    /// an error if it says that one was refused.
    fn acknowledging(&self) -> fn(&[u8]) -> Result<Option<u64>> {
        |_| Ok(None)
    }
    /// For servers whose rooms have to be made first.
    fn token(&self) -> Option<&str> {
        None
    }
    /// What such a room is.
    fn page_kind(&self) -> &'static str {
        "canvas"
    }
}

/// Whether the whole state has come.
pub trait Joining {
    fn takes(&mut self, frame: &[u8]) -> Result<bool>;
}

/// One client's messages, in the order in which they must be sent.
pub trait Writer {
    /// Makes elements `from..to`.
    fn put(&mut self, from: usize, to: usize) -> Result<Vec<Vec<u8>>>;
    /// Moves the first element it made, and writes the marker into it.
    fn edit(&mut self, x: usize, marker: &str) -> Result<Vec<u8>>;
}

/// The words of a paragraph, the same everywhere.
fn paragraph(at: usize) -> String {
    format!("Paragraph {at} says what it has to say in about a dozen words.")
}

/// The twenty properties of a box, the same everywhere but for tldraw, which has its own.
fn properties(at: usize) -> Map<String, Value> {
    let value = json!({
        "type": "rectangle", "x": (at % 100) * 120, "y": (at / 100) * 80, "width": 100, "height": 60,
        "angle": 0, "strokeColor": "#1e1e1e", "backgroundColor": "transparent",
        "fillStyle": "solid", "strokeWidth": 2, "strokeStyle": "solid", "roughness": 1,
        "opacity": 100, "seed": at, "index": format!("a{at:06}"), "isDeleted": false,
        "frameId": null, "link": "", "locked": false, "fontFamily": 5,
    });
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}
