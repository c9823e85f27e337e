//! The stream parser: model text in, actions out, while they are still being written.
//!
//! One push state machine that looks at each byte once and grows the rightmost path of the current
//! action in place, so a stream costs O(n) however it is cut. It finds the JSON by itself: prose
//! before, between and after, code fences, `{"actions":[…]}`, a bare array, or actions one after the
//! other are all understood.
//!
//! What a reader of partial values may rely on:
//! - an atom (number, `true`, `false`, `null`) appears only when it is complete;
//! - a string only grows, and never shows half an escape;
//! - a key appears once the type of its value is known;
//! - only a closing brace makes an action complete: a cut stream never does.
//!
//! No value is cloned: complete ones are moved out, the open one is lent by [`Parser::current`].

mod text;

use serde_json::{Map, Number, Value};

use crate::budget::{MAX_ACTION_BYTES, MAX_ACTIONS};

/// Deeper nesting than any action has; beyond it an answer is broken.
const MAX_DEPTH: usize = 64;

/// Something the text so far has shown.
#[derive(Debug, Clone, PartialEq)]
pub enum Parsed {
    /// The action is whole.
    Complete { index: usize, value: Value },
    /// The open action changed; read it with [`Parser::current`]. At most once a push, and last.
    Partial { index: usize },
    /// The JSON broke after actions had begun; nothing that follows is read. `index` is the action
    /// that was open.
    Broken {
        index: Option<usize>,
        reason: String,
    },
}

/// See the [module](self).
#[derive(Debug, Clone, Default)]
pub struct Parser {
    state: State,
    /// Open containers, outermost first.
    frames: Vec<Frame>,
    /// `frames[base..]` lie inside `tree`; those before are the wrapper around the actions.
    base: usize,
    root: Root,
    tree: Value,
    open: Option<usize>,
    /// Bytes read of the open root, or of the open action once it has begun.
    read: usize,
    next: usize,
    /// A whole list of actions was read, though there may be none in it.
    listed: bool,
    /// An action of the current root has begun: from here on bad syntax is an error, not prose.
    begun: bool,
    dirty: bool,
    /// Decoded text of the open string that is not in the tree yet; also the open key, number or word.
    scratch: String,
    /// The open string is in the tree, if only its beginning: one that ends in the piece that it began in is put
    /// there once and whole.
    placed: bool,
    high_surrogate: Option<u16>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
enum State {
    /// Outside any JSON: prose.
    #[default]
    Scan,
    Value,
    /// A value or the end of the array.
    Item,
    /// A key or the end of the object.
    Key,
    Colon,
    AfterValue,
    Text(Role),
    Escape(Role),
    Unicode {
        role: Role,
        digits: u8,
        code: u16,
    },
    Number,
    Word,
    Dead,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Role {
    Key,
    Value,
}

#[derive(Debug, Clone, PartialEq)]
enum Frame {
    /// An object and the key whose value is being read.
    Object(String),
    Array,
}

/// What the outermost value is.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
enum Root {
    /// An object of which neither `actions` nor `_type` has been seen.
    #[default]
    Undecided,
    Wrapper,
    Array,
    Single,
}

/// The syntax does not allow this here.
struct Bad(&'static str);

impl Parser {
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads the next piece of text.
    pub fn push(&mut self, text: &str) -> Vec<Parsed> {
        let mut out = Vec::new();
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let inside = !matches!(self.state, State::Dead | State::Scan);
            match self.advance(text, at, &mut out) {
                Ok(next) => {
                    self.read += if inside { next - at } else { 0 };
                    at = next;
                }
                Err(bad) if self.begun => {
                    let index = self.open.take();
                    out.push(Parsed::Broken {
                        index,
                        reason: bad.0.to_owned(),
                    });
                    self.reset(State::Dead);
                }
                // Not our JSON after all: this was prose, look on from the same byte.
                Err(_) => self.reset(State::Scan),
            }
        }
        if let State::Text(role) | State::Escape(role) | State::Unicode { role, .. } = self.state
            && role == Role::Value
        {
            self.flush_text();
        }
        if let (true, Some(index)) = (self.dirty, self.open) {
            out.push(Parsed::Partial { index });
        }
        self.dirty = false;
        out
    }

    /// The open action as far as it is known.
    pub fn current(&self) -> Option<(usize, &Value)> {
        self.open.map(|index| (index, &self.tree))
    }

    /// How many bytes of the open action were read.
    pub fn open_bytes(&self) -> usize {
        self.read
    }

    /// How many actions have begun so far.
    pub fn actions(&self) -> usize {
        self.next
    }

    /// Whether a whole list of actions was read, an empty one included.
    pub fn has_listed(&self) -> bool {
        self.listed
    }

    fn reset(&mut self, state: State) {
        *self = Self {
            state,
            next: self.next,
            listed: self.listed,
            ..Self::default()
        };
    }

    /// Reads from `at` on and says where to go on; always moves, or changes the state.
    fn advance(&mut self, text: &str, at: usize, out: &mut Vec<Parsed>) -> Result<usize, Bad> {
        let bytes = text.as_bytes();
        let byte = bytes[at];
        if self.read > MAX_ACTION_BYTES && !matches!(self.state, State::Dead | State::Scan) {
            return Err(Bad("an action of more than 256 KB"));
        }
        match self.state {
            State::Dead => return Ok(bytes.len()),
            State::Scan => {
                let Some(skip) = bytes[at..].iter().position(|b| matches!(b, b'{' | b'[')) else {
                    return Ok(bytes.len());
                };
                self.begin_root(bytes[at + skip]);
                return Ok(at + skip + 1);
            }
            State::Text(role) => return self.text(text, at, role),
            State::Escape(role) => return self.escape(byte, at, role),
            State::Unicode { role, digits, code } => {
                let digit = (byte as char)
                    .to_digit(16)
                    .ok_or(Bad("a \\u escape without four hex digits"))?;
                let code = (code << 4) | digit as u16;
                if digits == 3 {
                    self.code_unit(code);
                    self.state = State::Text(role);
                } else {
                    self.state = State::Unicode {
                        role,
                        digits: digits + 1,
                        code,
                    };
                }
            }
            State::Number if is_numeral(byte) => {
                let run = bytes[at..].iter().position(|byte| !is_numeral(*byte));
                let end = run.map_or(bytes.len(), |run| at + run);
                self.scratch.push_str(&text[at..end]);
                return Ok(end);
            }
            State::Word if byte.is_ascii_alphabetic() => self.scratch.push(byte as char),
            State::Number | State::Word => {
                let value = self.atom()?;
                self.scratch.clear();
                self.place(value);
                self.state = State::AfterValue;
                return Ok(at); // the byte that ended it is read again
            }
            _ if matches!(byte, b' ' | b'\n' | b'\r' | b'\t') => {}
            State::Colon if byte == b':' => self.state = State::Value,
            State::Colon => return Err(Bad("a key without a colon")),
            State::Key if byte == b'"' => self.state = State::Text(Role::Key),
            State::Key if byte == b'}' => self.close(out),
            State::Key => return Err(Bad("an object whose next thing is not a key")),
            State::Item if byte == b']' => self.close(out),
            State::Value | State::Item => self.begin_value(byte)?,
            State::AfterValue => match (byte, self.frames.last()) {
                (b',', Some(Frame::Object(_))) => self.state = State::Key,
                (b',', Some(Frame::Array)) => self.state = State::Item,
                (b'}', Some(Frame::Object(_))) | (b']', Some(Frame::Array)) => self.close(out),
                _ => {
                    return Err(Bad(
                        "a value that is followed by neither a comma nor an end",
                    ));
                }
            },
        }
        Ok(at + 1)
    }

    fn begin_root(&mut self, byte: u8) {
        self.reset(State::Scan);
        if byte == b'{' {
            self.tree = Value::Object(Map::new());
            self.frames.push(Frame::Object(String::new()));
            self.state = State::Key;
        } else {
            self.root = Root::Array;
            self.frames.push(Frame::Array);
            self.base = 1;
            self.state = State::Item;
        }
    }

    fn begin_value(&mut self, byte: u8) -> Result<(), Bad> {
        match byte {
            b'{' => {
                if self.frames.len() == self.base && self.in_actions() {
                    self.begin_action()?;
                }
                self.nest(
                    Value::Object(Map::new()),
                    Frame::Object(String::new()),
                    State::Key,
                )
            }
            b'[' if self.at_actions_key() => {
                self.root = Root::Wrapper;
                self.tree = Value::Null;
                self.frames.push(Frame::Array);
                self.base = 2;
                self.state = State::Item;
                Ok(())
            }
            b'[' => self.nest(Value::Array(Vec::new()), Frame::Array, State::Item),
            b'"' => {
                self.placed = false;
                self.state = State::Text(Role::Value);
                Ok(())
            }
            b'-' | b'+' | b'.' | b'0'..=b'9' => {
                self.scratch.push(byte as char);
                self.state = State::Number;
                Ok(())
            }
            _ if byte.is_ascii_alphabetic() => {
                self.scratch.push(byte as char);
                self.state = State::Word;
                Ok(())
            }
            _ => Err(Bad("something that is not a JSON value")),
        }
    }

    fn in_actions(&self) -> bool {
        self.root == Root::Array || (self.root == Root::Wrapper && self.base == 2)
    }

    fn at_actions_key(&self) -> bool {
        matches!(self.root, Root::Undecided | Root::Wrapper)
            && matches!(self.frames.as_slice(), [Frame::Object(key)] if key == "actions")
    }

    fn begin_action(&mut self) -> Result<(), Bad> {
        self.begun = true;
        self.read = 0;
        if self.next >= MAX_ACTIONS {
            return Err(Bad("more than 1,000 actions in one answer"));
        }
        self.open = Some(self.next);
        self.next += 1;
        Ok(())
    }

    fn nest(&mut self, empty: Value, frame: Frame, state: State) -> Result<(), Bad> {
        if self.frames.len() >= MAX_DEPTH {
            return Err(Bad("values nested too deeply"));
        }
        self.place(empty);
        self.frames.push(frame);
        self.state = state;
        Ok(())
    }

    fn close(&mut self, out: &mut Vec<Parsed>) {
        self.frames.pop();
        if self.frames.len() == self.base
            && let Some(index) = self.open.take()
        {
            out.push(Parsed::Complete {
                index,
                value: self.tree.take(),
            });
            self.dirty = false;
            self.read = 0;
        }
        self.base = self.base.min(self.frames.len());
        if self.frames.is_empty() {
            self.listed |= self.root == Root::Wrapper;
            self.reset(State::Scan);
        } else {
            self.state = State::AfterValue;
        }
    }

    /// Puts a value where the next one belongs.
    fn place(&mut self, new: Value) {
        self.dirty = true;
        let Some((last, path)) = self.frames.get(self.base..).and_then(<[Frame]>::split_last)
        else {
            self.tree = new;
            return;
        };
        match (follow(&mut self.tree, path), last) {
            (Some(Value::Object(map)), Frame::Object(key)) => {
                map.insert(key.clone(), new);
            }
            (Some(Value::Array(items)), Frame::Array) => items.push(new),
            _ => {}
        }
    }

    fn atom(&self) -> Result<Value, Bad> {
        let word = self.scratch.as_str();
        match word {
            "true" => return Ok(Value::Bool(true)),
            "false" => return Ok(Value::Bool(false)),
            "null" => return Ok(Value::Null),
            _ => {}
        }
        if let Some(whole) = plain_integer(word) {
            return Ok(Value::from(whole));
        }
        if let Ok(number) = serde_json::from_str::<Number>(word) {
            return Ok(Value::Number(number));
        }
        // `+1`, `.5` and `007` are not JSON, but what they mean is plain.
        match word.parse::<f64>() {
            Ok(number) if self.state == State::Number => Ok(Value::from(number)),
            _ => Err(Bad(
                "a word that is neither a number nor true, false or null",
            )),
        }
    }
}

/// The value that the path of frames leads to.
fn follow<'a>(tree: &'a mut Value, path: &[Frame]) -> Option<&'a mut Value> {
    path.iter().try_fold(tree, |value, frame| match frame {
        Frame::Object(key) => open_in(value.as_object_mut()?, key),
        Frame::Array => value.as_array_mut()?.last_mut(),
    })
}

/// The value of a key that is being read: the last one of its object, unless the key came twice.
fn open_in<'a>(object: &'a mut Map<String, Value>, key: &str) -> Option<&'a mut Value> {
    let newest = object.keys().next_back();
    if newest.is_some_and(|newest| newest == key) {
        return object.values_mut().next_back();
    }
    object.get_mut(key)
}

/// A whole number as almost all are written, which takes no general reader.
fn plain_integer(word: &str) -> Option<i64> {
    let plain = word == "0" || !word.starts_with(['0', '+']) && !word.starts_with("-0");
    word.parse().ok().filter(|_| plain)
}

fn is_numeral(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E')
}
