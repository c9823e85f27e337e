//! A text page as y-prosemirror keeps it in a Yjs document: elements called `paragraph` below the root
//! `prosemirror`, each with one text. Updates are written by hand, as Yjs itself would send them.

use std::sync::atomic::{AtomicU64, Ordering};

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

/// The next client: Yjs passes over what comes from a client and clock that it has, so whoever fills a page and
/// whoever types on it later must not be the same.
static CLIENT: AtomicU64 = AtomicU64::new(2_000_000);

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

    fn writer(&self, room: &str, _who: usize) -> Result<Box<dyn Writer>> {
        let client = CLIENT.fetch_add(1, Ordering::Relaxed);
        Ok(Box::new(TextWriter::new(room, client)))
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
    fn new(room: &str, client: u64) -> Self {
        Self {
            prefix: name(room),
            client,
            clock: 0,
            block: None,
            typed: None,
        }
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    /// What Yjs 13.6.33 sends for the same two paragraphs and keystrokes, its client being 2,000,000.
    const BY_YJS: [&str; 3] = [
        "010680897a0007010b70726f73656d6972726f720309706172616772617068070080897a0006040080897a01\
             3b5061726167726170682030207361797320776861742069742068617320746f2073617920696e2061626f75\
             74206120646f7a656e20776f7264732e8780897a000309706172616772617068070080897a3d06040080897a\
             3e3b5061726167726170682031207361797320776861742069742068617320746f2073617920696e2061626f\
             7574206120646f7a656e20776f7264732e00",
        "010180897a7a8480897a3c0c7e303030303030303030317e00",
        "010180897a86018480897a85010c7e303030303030303030327e00",
    ];

    #[test]
    fn updates_are_what_yjs_itself_sends() -> Result<()> {
        let mut writer = TextWriter::new("room", 2_000_000);
        let mut sent = writer.put(0, 2)?;
        sent.push(writer.edit(0, "~0000000001~")?);
        sent.push(writer.edit(0, "~0000000002~")?);
        let expected = BY_YJS.map(|hex| {
            let byte = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).unwrap_or_default();
            let bytes: Vec<u8> = (0..hex.len()).step_by(2).map(byte).collect();
            sync(&name("room"), UPDATE, &bytes)
        });
        assert_eq!(sent, expected);
        Ok(())
    }

    #[test]
    fn nobody_writes_as_a_client_that_wrote_before() -> Result<()> {
        let update =
            |who| -> Result<Vec<Vec<u8>>> { HocuspocusText.writer("room", who)?.put(0, 1) };
        assert_ne!(update(0)?, update(0)?);
        Ok(())
    }
}
