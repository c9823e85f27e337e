//! A text page as y-prosemirror keeps it in a Yjs document: elements called `paragraph` below the root
//! `prosemirror`, each with one text. Updates are written by hand, as Yjs itself would send them.

use anyhow::{Context, Result};

use super::yjs::{Hocuspocus, UPDATE, YjsJoining, name, number, string, sync};
use super::{Joining, Wire, Writer, paragraph};
use crate::sync::websocket::Kind;

/// Paragraphs in one update.
const AT_ONCE: usize = 1000;
const ROOT: &str = "prosemirror";
/// Kinds of content, and of types in it.
const STRING: u8 = 4;
const TYPE: u8 = 7;
const XML_ELEMENT: u64 = 3;
const XML_TEXT: u64 = 6;
/// The item says what it stands after.
const AFTER: u8 = 0x80;

/// Hocuspocus, with text in its documents.
pub struct HocuspocusText;

impl Wire for HocuspocusText {
    fn kind(&self) -> Kind {
        Hocuspocus.kind()
    }

    fn path(&self, room: &str) -> String {
        Hocuspocus.path(room)
    }

    fn greeting(&self, room: &str) -> Result<Vec<Vec<u8>>> {
        Hocuspocus.greeting(room)
    }

    fn joining(&self) -> Box<dyn Joining> {
        Box::new(YjsJoining { prefix: 1 })
    }

    fn writer(&self, room: &str, who: usize) -> Result<Box<dyn Writer>> {
        Ok(Box::new(TextWriter {
            prefix: name(room),
            client: 2_000_000 + who as u64,
            clock: 0,
            block: None,
            typed: None,
        }))
    }
}

struct TextWriter {
    prefix: Vec<u8>,
    client: u64,
    clock: u64,
    /// The last paragraph.
    block: Option<u64>,
    /// The last character of the first paragraph.
    typed: Option<u64>,
}

impl TextWriter {
    fn id(&self, items: &mut Vec<u8>, clock: u64) {
        number(items, self.client);
        number(items, clock);
    }

    fn update(&self, from: u64, structs: u64, items: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        number(&mut bytes, 1);
        number(&mut bytes, structs);
        number(&mut bytes, self.client);
        number(&mut bytes, from);
        bytes.extend(items);
        number(&mut bytes, 0); // nothing is deleted
        sync(&self.prefix, UPDATE, &bytes)
    }

    fn paragraph(&mut self, items: &mut Vec<u8>, at: usize) {
        let block = self.clock;
        match self.block {
            Some(before) => {
                items.push(TYPE | AFTER);
                self.id(items, before);
            }
            None => {
                items.push(TYPE);
                number(items, 1);
                string(items, ROOT);
            }
        }
        number(items, XML_ELEMENT);
        string(items, "paragraph");
        let text = block + 1;
        items.push(TYPE);
        number(items, 0);
        self.id(items, block);
        number(items, XML_TEXT);
        items.push(STRING);
        number(items, 0);
        self.id(items, text);
        let words = paragraph(at);
        string(items, &words);
        self.clock = text + 1 + words.len() as u64;
        self.block = Some(block);
        self.typed.get_or_insert(self.clock - 1);
    }
}

impl Writer for TextWriter {
    fn put(&mut self, from: usize, to: usize) -> Result<Vec<Vec<u8>>> {
        let all: Vec<usize> = (from..to).collect();
        let mut updates = Vec::new();
        for some in all.chunks(AT_ONCE) {
            let (begin, mut items) = (self.clock, Vec::new());
            for &at in some {
                self.paragraph(&mut items, at);
            }
            updates.push(self.update(begin, 3 * some.len() as u64, &items));
        }
        Ok(updates)
    }

    fn edit(&mut self, _x: usize, marker: &str) -> Result<Vec<u8>> {
        let typed = self.typed.context("nothing to write in")?;
        let (begin, mut items) = (self.clock, Vec::new());
        items.push(STRING | AFTER);
        self.id(&mut items, typed);
        string(&mut items, marker);
        self.clock += marker.len() as u64;
        self.typed = Some(self.clock - 1);
        Ok(self.update(begin, 1, &items))
    }
}
