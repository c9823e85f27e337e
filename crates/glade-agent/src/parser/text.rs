//! Strings: runs of plain text taken as they are, escapes decoded, surrogate halves kept until their
//! other half comes.

use serde_json::Value;

use super::{Bad, Frame, Parser, Role, Root, State, follow};

impl Parser {
    /// Moves decoded text into the open string.
    pub(super) fn flush_text(&mut self) {
        if !self.placed {
            self.placed = true;
            let text = std::mem::take(&mut self.scratch);
            return self.place(Value::String(text));
        }
        if self.scratch.is_empty() {
            return;
        }
        self.dirty = true;
        let path = self.frames.get(self.base..).unwrap_or_default();
        if let Some(Value::String(open)) = follow(&mut self.tree, path) {
            open.push_str(&self.scratch);
        }
        self.scratch.clear();
    }

    pub(super) fn text(&mut self, text: &str, at: usize, role: Role) -> Result<usize, Bad> {
        let rest = &text.as_bytes()[at..];
        let run = rest
            .iter()
            .position(|b| matches!(b, b'"' | b'\\'))
            .unwrap_or(rest.len());
        if run > 0 {
            self.end_surrogate();
            self.scratch.push_str(&text[at..at + run]);
        }
        match rest.get(run) {
            Some(b'\\') => self.state = State::Escape(role),
            Some(_) => self.end_text(role)?,
            None => return Ok(at + run),
        }
        Ok(at + run + 1)
    }

    pub(super) fn end_text(&mut self, role: Role) -> Result<(), Bad> {
        self.end_surrogate();
        if role == Role::Key {
            if self.root == Root::Wrapper && self.frames.len() == 1 {
                self.base = 1; // a neighbour of `actions`: read, and dropped
                self.tree = Value::Null;
            }
            if let Some(Frame::Object(slot)) = self.frames.last_mut() {
                std::mem::swap(slot, &mut self.scratch);
            }
            self.scratch.clear();
            self.state = State::Colon;
            return Ok(());
        }
        self.flush_text();
        self.state = State::AfterValue;
        if self.root == Root::Undecided
            && matches!(self.frames.as_slice(), [Frame::Object(key)] if key == "_type")
        {
            self.root = Root::Single;
            self.begin_action()?;
            self.dirty = true;
        }
        Ok(())
    }

    pub(super) fn escape(&mut self, byte: u8, at: usize, role: Role) -> Result<usize, Bad> {
        if byte == b'u' {
            self.state = State::Unicode {
                role,
                digits: 0,
                code: 0,
            };
            return Ok(at + 1);
        }
        self.end_surrogate();
        self.state = State::Text(role);
        let decoded = match byte {
            b'n' => '\n',
            b't' => '\t',
            b'r' => '\r',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'"' | b'\\' | b'/' => byte as char,
            // An escape that JSON does not have: the character itself is surely meant.
            _ => return Ok(at),
        };
        self.scratch.push(decoded);
        Ok(at + 1)
    }

    /// One `\uXXXX`; the two halves of a pair may come in different pushes.
    pub(super) fn code_unit(&mut self, unit: u16) {
        match (self.high_surrogate.take(), unit) {
            (Some(high), 0xDC00..=0xDFFF) => {
                let code =
                    0x10000 + ((u32::from(high) - 0xD800) << 10) + (u32::from(unit) - 0xDC00);
                self.scratch
                    .push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            (lone, _) => {
                if lone.is_some() {
                    self.scratch.push(char::REPLACEMENT_CHARACTER);
                }
                if (0xD800..0xDC00).contains(&unit) {
                    self.high_surrogate = Some(unit);
                } else {
                    self.scratch.push(
                        char::from_u32(u32::from(unit)).unwrap_or(char::REPLACEMENT_CHARACTER),
                    );
                }
            }
        }
    }

    pub(super) fn end_surrogate(&mut self) {
        if self.high_surrogate.take().is_some() {
            self.scratch.push(char::REPLACEMENT_CHARACTER);
        }
    }
}
