//! The arguments of one call, as they arrive: one JSON object, and nothing else.
//!
//! What is passed on begins when the object has a first field. An empty one may be a placeholder that
//! converters send before the real arguments, so it is passed on only when nothing else has come and
//! the answer ended well ([`Arguments::finish`]). What follows the object is left out: servers exist
//! that say all of it again at the end.

/// What becomes of the arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// They stay as they are.
    Input,
    /// They are a line of the answer's text …
    Line,
    /// … and begin with the tool's name, as an action does.
    Action(String),
}

#[derive(Debug)]
pub struct Arguments {
    form: Form,
    state: State,
    depth: usize,
    in_string: bool,
    escaped: bool,
    /// All that was told.
    raw: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Before,
    /// The brace is read; whether fields follow is not known yet.
    Opened,
    /// `{}`, so far.
    Empty,
    Inside,
    Closed,
    /// No object, or not the one that was told before.
    Broken,
}

impl Arguments {
    pub fn new(form: Form) -> Self {
        Self {
            form,
            state: State::Before,
            depth: 0,
            in_string: false,
            escaped: false,
            raw: String::new(),
        }
    }

    /// The object is whole, and has fields.
    pub fn closed(&self) -> bool {
        self.state == State::Closed
    }

    /// Nothing has come of them, or nothing but a placeholder.
    pub fn empty(&self) -> bool {
        matches!(self.state, State::Before | State::Empty)
    }

    /// Whether exactly this was told.
    pub fn are(&self, whole: &str) -> bool {
        self.raw.trim() == whole.trim()
    }

    /// A piece; what can be passed on now is written to `out`.
    pub fn push(&mut self, piece: &str, out: &mut String) {
        if self.closed() {
            return;
        }
        self.raw.push_str(piece);
        for letter in piece.chars() {
            self.letter(letter, out);
        }
    }

    /// All of them at once, after whatever came in pieces.
    pub fn tell_whole(&mut self, whole: &str, out: &mut String) {
        let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).ok();
        if whole.trim().is_empty() || self.are(whole) {
            return;
        }
        if let Some(rest) = whole.strip_prefix(self.raw.as_str()) {
            self.push(rest, out);
        } else if self.empty() {
            self.state = State::Before;
            self.raw.clear();
            self.push(whole, out);
        } else if !self.closed() || read(whole) != read(&self.raw) {
            self.state = State::Broken;
        }
    }

    /// No more will come. Whether they are whole: `trusted` says that the answer went well, so that a
    /// call without any has none.
    pub fn finish(&mut self, trusted: bool, out: &mut String) -> bool {
        let none = self.empty() || self.raw.trim() == "null";
        if trusted && none && !self.closed() {
            self.state = State::Closed;
            self.begin(out);
            out.push('}');
            self.end_line(out);
        }
        self.closed()
    }

    fn letter(&mut self, letter: char, out: &mut String) {
        match self.state {
            State::Closed | State::Broken => {}
            State::Before | State::Empty | State::Opened if letter.is_whitespace() => {}
            State::Before | State::Empty if letter == '{' => {
                self.depth = 1;
                self.state = State::Opened;
            }
            State::Before | State::Empty => self.state = State::Broken,
            State::Opened if letter == '}' => self.state = State::Empty,
            State::Opened => {
                self.begin(out);
                if matches!(self.form, Form::Action(_)) {
                    out.push(',');
                }
                self.state = State::Inside;
                self.inside(letter, out);
            }
            State::Inside => self.inside(letter, out),
        }
    }

    fn begin(&self, out: &mut String) {
        out.push('{');
        if let Form::Action(tool) = &self.form {
            out.push_str("\"_type\":");
            out.push_str(&serde_json::Value::from(tool.as_str()).to_string());
        }
    }

    fn inside(&mut self, letter: char, out: &mut String) {
        out.push(letter);
        if self.in_string {
            match letter {
                _ if self.escaped => self.escaped = false,
                '\\' => self.escaped = true,
                '"' => self.in_string = false,
                _ => {}
            }
            return;
        }
        match letter {
            '"' => self.in_string = true,
            '{' | '[' => self.depth += 1,
            '}' | ']' => self.depth -= 1,
            _ => {}
        }
        if self.depth == 0 {
            self.state = State::Closed;
            self.end_line(out);
        }
    }

    fn end_line(&self, out: &mut String) {
        if self.form != Form::Input {
            out.push('\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is passed on, and whether it is whole.
    fn told(pieces: &[&str], at_the_end: Option<&str>, trusted: bool) -> (String, bool) {
        let mut arguments = Arguments::new(Form::Input);
        let mut out = String::new();
        for piece in pieces {
            arguments.push(piece, &mut out);
        }
        if let Some(whole) = at_the_end {
            arguments.tell_whole(whole, &mut out);
        }
        let whole = arguments.finish(trusted, &mut out);
        (out, whole)
    }

    fn whole(text: &str) -> (String, bool) {
        (text.to_owned(), true)
    }

    #[test]
    fn arguments_that_are_told_again_at_the_end_are_told_once() {
        let object = "{\"a\": \"}{\"}";
        assert_eq!(
            told(&["{\"a\": ", "\"}{\"}"], Some(object), true),
            whole(object)
        );
        assert_eq!(told(&["{\"a\": "], Some(object), true), whole(object));
        assert_eq!(told(&[], Some(object), true), whole(object));
        assert_eq!(told(&[object, object], None, true), whole(object));
        let other_spaces = "{\"a\":\"}{\"}";
        assert_eq!(told(&[object], Some(other_spaces), true), whole(object));
    }

    #[test]
    fn an_empty_object_gives_way_to_real_arguments() {
        assert_eq!(
            told(&["{}", "{\"a\"", ":1}"], None, true),
            whole("{\"a\":1}")
        );
        assert_eq!(told(&["{}"], Some("{\"a\":1}"), true), whole("{\"a\":1}"));
    }

    #[test]
    fn no_arguments_are_an_empty_object_only_where_the_answer_ended_well() {
        for none in [&[][..], &[""], &["{", " }"], &["null"]] {
            assert_eq!(told(none, None, true), whole("{}"), "{none:?}");
            assert_eq!(told(none, None, false), (String::new(), false), "{none:?}");
        }
    }

    #[test]
    fn what_is_cut_contradicts_itself_or_is_no_object_is_never_whole() {
        let cut = [
            &["{"][..],
            &["{\"a\":"],
            &["{\"a\":\"}"],
            &["[1]"],
            &["\"{}\""],
            &["a{}"],
        ];
        for pieces in cut {
            assert!(!told(pieces, None, true).1, "{pieces:?}");
        }
        assert!(!told(&["{\"a\":1"], Some("{\"b\":2}"), true).1);
        assert!(!told(&["{\"a\":1}"], Some("{\"a\":2}"), true).1);
    }
}
