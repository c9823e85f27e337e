//! Servers that hold Yjs documents. Updates are written by hand in Yjs' first format: elements
//! are maps below the root map `elements`, and a property that is set again replaces the one
//! before it, which the update also says is deleted: what Yjs itself would send.

use anyhow::Result;
use serde_json::Value;

use super::{Joining, Wire, Writer, properties};
use crate::sync::websocket::Kind;

/// Elements in one update.
const AT_ONCE: usize = 1000;

const SYNC: u64 = 0;
const STEP1: u64 = 0;
const STEP2: u64 = 1;
pub(super) const UPDATE: u64 = 2;
const AUTH: u64 = 2;

/// The messages begin with their kind.
pub struct YWebsocket;
/// The messages begin with the document's name, then their kind.
pub struct Hocuspocus;

impl Wire for YWebsocket {
    fn kind(&self) -> Kind {
        Kind::Binary
    }

    fn path(&self, room: &str) -> String {
        format!("/{room}")
    }

    fn greeting(&self, _room: &str) -> Result<Vec<Vec<u8>>> {
        Ok(vec![sync(&[], STEP1, &[0])])
    }

    fn joining(&self) -> Box<dyn Joining> {
        Box::new(YjsJoining { prefix: 0 })
    }

    fn writer(&self, _room: &str, who: usize) -> Result<Box<dyn Writer>> {
        Ok(Box::new(YjsWriter::new(Vec::new(), who)))
    }
}

impl Wire for Hocuspocus {
    fn kind(&self) -> Kind {
        Kind::Binary
    }

    fn path(&self, _room: &str) -> String {
        "/".to_owned()
    }

    fn greeting(&self, room: &str) -> Result<Vec<Vec<u8>>> {
        let mut auth = name(room);
        number(&mut auth, AUTH);
        number(&mut auth, 0);
        string(&mut auth, "token");
        Ok(vec![auth, sync(&name(room), STEP1, &[0])])
    }

    fn joining(&self) -> Box<dyn Joining> {
        Box::new(YjsJoining { prefix: 1 })
    }

    fn writer(&self, room: &str, who: usize) -> Result<Box<dyn Writer>> {
        Ok(Box::new(YjsWriter::new(name(room), who)))
    }
}

/// How many strings come before the kind.
pub(super) struct YjsJoining {
    pub(super) prefix: usize,
}

impl Joining for YjsJoining {
    fn takes(&mut self, frame: &[u8]) -> Result<bool> {
        // Names are short: their length is one byte.
        let name = frame.first().map_or(0, |length| usize::from(*length) + 1);
        let at = self.prefix * name;
        Ok(frame.get(at..at + 2) == Some(&[SYNC as u8, STEP2 as u8]))
    }
}

pub(super) fn name(room: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    string(&mut bytes, room);
    bytes
}

pub(super) fn sync(prefix: &[u8], step: u64, body: &[u8]) -> Vec<u8> {
    let mut bytes = prefix.to_vec();
    number(&mut bytes, SYNC);
    number(&mut bytes, step);
    number(&mut bytes, body.len() as u64);
    bytes.extend(body);
    bytes
}

struct YjsWriter {
    prefix: Vec<u8>,
    client: u64,
    clock: u64,
    /// Where the first element's `x` and `link` stand.
    moved: Option<(u64, u64)>,
}

impl YjsWriter {
    fn new(prefix: Vec<u8>, who: usize) -> Self {
        Self {
            prefix,
            client: 1_000_000 + who as u64,
            clock: 0,
            moved: None,
        }
    }

    fn update(&self, from: u64, structs: u64, items: &[u8], deleted: &[(u64, u64)]) -> Vec<u8> {
        let mut bytes = Vec::new();
        number(&mut bytes, 1);
        number(&mut bytes, structs);
        number(&mut bytes, self.client);
        number(&mut bytes, from);
        bytes.extend(items);
        number(&mut bytes, u64::from(!deleted.is_empty()));
        if !deleted.is_empty() {
            number(&mut bytes, self.client);
            number(&mut bytes, deleted.len() as u64);
            for &(clock, length) in deleted {
                number(&mut bytes, clock);
                number(&mut bytes, length);
            }
        }
        sync(&self.prefix, UPDATE, &bytes)
    }

    /// A value under `key` of the map made at `parent`.
    fn set(&mut self, items: &mut Vec<u8>, parent: u64, key: &str, value: &Value) -> u64 {
        items.push(0x28);
        number(items, 0);
        number(items, self.client);
        number(items, parent);
        string(items, key);
        number(items, 1);
        any(items, value);
        self.clock += 1;
        self.clock - 1
    }

    /// A value that takes the place of the one at `left`.
    fn replace(&mut self, items: &mut Vec<u8>, left: u64, value: &Value) -> u64 {
        items.push(0xa8);
        number(items, self.client);
        number(items, left);
        number(items, 1);
        any(items, value);
        self.clock += 1;
        self.clock - 1
    }
}

impl Writer for YjsWriter {
    fn put(&mut self, from: usize, to: usize) -> Result<Vec<Vec<u8>>> {
        let ids: Vec<usize> = (from..to).collect();
        let mut updates = Vec::new();
        for some in ids.chunks(AT_ONCE) {
            let begin = self.clock;
            let mut items = Vec::new();
            for &at in some {
                // A map under its id in the root map `elements`.
                let element = self.clock;
                items.push(0x27);
                number(&mut items, 1);
                string(&mut items, "elements");
                string(&mut items, &format!("box-{at}"));
                number(&mut items, 1);
                self.clock += 1;
                let (mut x, mut link) = (0, 0);
                for (key, value) in properties(at) {
                    let clock = self.set(&mut items, element, &key, &value);
                    match key.as_str() {
                        "x" => x = clock,
                        "link" => link = clock,
                        _ => {}
                    }
                }
                self.moved.get_or_insert((x, link));
            }
            updates.push(self.update(begin, self.clock - begin, &items, &[]));
        }
        Ok(updates)
    }

    fn edit(&mut self, x: usize, marker: &str) -> Result<Vec<u8>> {
        let (old_x, old_link) = self.moved.unwrap_or_default();
        let begin = self.clock;
        let mut items = Vec::new();
        let x = self.replace(&mut items, old_x, &Value::from(x));
        let link = self.replace(&mut items, old_link, &Value::from(marker));
        self.moved = Some((x, link));
        let deleted = match old_link - old_x {
            1 => vec![(old_x, 2)],
            _ => vec![(old_x, 1), (old_link, 1)],
        };
        Ok(self.update(begin, 2, &items, &deleted))
    }
}

/// lib0's writeVarUint.
pub(super) fn number(to: &mut Vec<u8>, mut value: u64) {
    while value > 0x7f {
        to.push(value as u8 | 0x80);
        value >>= 7;
    }
    to.push(value as u8);
}

/// lib0's writeVarString.
pub(super) fn string(to: &mut Vec<u8>, text: &str) {
    number(to, text.len() as u64);
    to.extend(text.bytes());
}

/// lib0's writeAny, for what our properties hold.
fn any(to: &mut Vec<u8>, value: &Value) {
    match value {
        Value::String(text) => {
            to.push(119);
            string(to, text);
        }
        Value::Bool(true) => to.push(120),
        Value::Bool(false) => to.push(121),
        Value::Number(given) => {
            // Whole and not below zero: six bits first, then seven at a time.
            let mut rest = given.as_u64().unwrap_or(0);
            to.push(125);
            to.push(if rest > 0x3f { 0x80 } else { 0 } | (rest & 0x3f) as u8);
            rest >>= 6;
            while rest > 0 {
                to.push(if rest > 0x7f { 0x80 } else { 0 } | (rest & 0x7f) as u8);
                rest >>= 7;
            }
        }
        _ => to.push(126),
    }
}
