//! tldraw sync: JSON, records of tldraw's own schema.

use anyhow::{Result, bail};
use serde_json::{Value, json};

use super::{Joining, Wire, Writer};
use crate::sync::websocket::Kind;

/// Its protocol's version.
const PROTOCOL: u32 = 8;
/// Elements in one push.
const AT_ONCE: usize = 1000;

pub struct Tldraw {
    /// What the server says its records look like.
    pub schema: Value,
}

impl Wire for Tldraw {
    fn kind(&self) -> Kind {
        Kind::Text
    }

    fn path(&self, room: &str) -> String {
        format!("/{room}")
    }

    fn greeting(&self, _room: &str) -> Result<Vec<Vec<u8>>> {
        let connect = json!({
            "type": "connect", "connectRequestId": "bench", "lastServerClock": 0,
            "protocolVersion": PROTOCOL, "schema": self.schema,
        });
        Ok(vec![connect.to_string().into_bytes()])
    }

    fn joining(&self) -> Box<dyn Joining> {
        Box::new(TldrawJoining)
    }

    fn writer(&self, _room: &str, who: usize) -> Result<Box<dyn Writer>> {
        Ok(Box::new(TldrawWriter {
            who,
            clock: 0,
            first: None,
        }))
    }

    fn acknowledging(&self) -> fn(&[u8]) -> Result<Option<u64>> {
        // Its results come bundled with others' changes and are no promise of anything on disk:
        // only a refusal matters.
        |frame| refused(frame).map(|()| None)
    }
}

fn refused(frame: &[u8]) -> Result<()> {
    if frame.starts_with(b"{\"type\":\"incompatibility_error\"") {
        bail!("tldraw refused: {}", String::from_utf8_lossy(frame));
    }
    Ok(())
}

struct TldrawJoining;

impl Joining for TldrawJoining {
    fn takes(&mut self, frame: &[u8]) -> Result<bool> {
        refused(frame)?;
        Ok(frame.starts_with(b"{\"type\":\"connect\""))
    }
}

struct TldrawWriter {
    who: usize,
    clock: u64,
    first: Option<String>,
}

impl TldrawWriter {
    fn push(&mut self, diff: &Value) -> Vec<u8> {
        let message = json!({ "type": "push", "clientClock": self.clock, "diff": diff });
        self.clock += 1;
        message.to_string().into_bytes()
    }
}

impl Writer for TldrawWriter {
    fn put(&mut self, from: usize, to: usize) -> Result<Vec<Vec<u8>>> {
        let ids: Vec<usize> = (from..to).collect();
        let mut pushes = Vec::new();
        for some in ids.chunks(AT_ONCE) {
            let mut diff = serde_json::Map::new();
            for &at in some {
                let id = format!("shape:{}-{at}", self.who);
                self.first.get_or_insert_with(|| id.clone());
                diff.insert(id.clone(), json!(["put", shape(&id, at)]));
            }
            pushes.push(self.push(&Value::Object(diff)));
        }
        Ok(pushes)
    }

    fn edit(&mut self, x: usize, marker: &str) -> Result<Vec<u8>> {
        let id = self.first.clone().unwrap_or_default();
        let patch = json!({ "x": ["put", x], "meta": ["put", { "link": marker }] });
        Ok(self.push(&json!({ id: ["patch", patch] })))
    }
}

fn shape(id: &str, at: usize) -> Value {
    json!({
        "id": id, "typeName": "shape", "type": "geo", "parentId": "page:page",
        "index": "a1", "x": (at % 100) * 120, "y": (at / 100) * 80, "rotation": 0,
        "isLocked": false, "opacity": 1, "meta": {},
        "props": {
            "geo": "rectangle", "w": 100, "h": 60, "growY": 0, "scale": 1, "dash": "draw",
            "size": "m", "color": "black", "labelColor": "black", "fill": "none", "font": "draw",
            "align": "middle", "verticalAlign": "middle", "url": "", "flipX": false, "flipY": false,
            "richText": { "type": "doc", "content": [{ "type": "paragraph" }] },
        },
    })
}
