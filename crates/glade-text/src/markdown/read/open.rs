//! A block while its words are read.

use std::ops::Range;

use glade_doc::text::{Link, Mark};
use serde_json::Value;

use crate::values;
use crate::write::NewBlock;

/// A block whose words are being read.
pub(super) struct Open {
    pub(super) kind: &'static str,
    pub(super) props: Vec<(&'static str, Value)>,
    pub(super) text: String,
    /// How many characters the text has: counting them for each mark would take the square of its length.
    chars: usize,
    marks: Vec<Mark>,
    worn: Vec<Worn>,
    /// Marks that were left out inside of those that are worn.
    left_out: usize,
    pub(super) range: Range<usize>,
    pub(super) images: Vec<Picture>,
    /// Something besides pictures was in it.
    pub(super) words: bool,
    /// Where its lines ended, as spaces in its text.
    pub(super) wraps: Vec<usize>,
    /// It stands by itself, between empty lines.
    pub(super) apart: bool,
}

/// A mark that has begun.
struct Worn {
    /// Where, in characters and in bytes.
    from: usize,
    byte: usize,
    name: &'static str,
    value: Value,
}

/// More marks inside of each other are not told apart: every end of one looks at those around it.
const DEEPEST: usize = 64;

/// A picture among words: where it is (as a link says it), the words for it, where pressing it leads.
pub(super) struct Picture {
    picture: Value,
    alt: String,
    href: Option<Value>,
}

impl Picture {
    /// Alone in its paragraph it is a block.
    fn block(&self) -> Option<NewBlock> {
        let Link { href: src, title } = Link::read(&self.picture)?;
        let mut block = NewBlock::new("image", "")
            .with("src", src)
            .with("alt", self.alt.as_str());
        if let Some(title) = title {
            block = block.with("title", title);
        }
        if let Some(link) = &self.href {
            // The title of what it leads to has no place on it.
            block = block.with(
                "href",
                Link::read(link).filter(|link| link.title.is_none())?.href,
            );
        }
        Some(block)
    }
}

impl Open {
    pub(super) fn new(kind: &'static str, range: Range<usize>) -> Self {
        Self {
            kind,
            props: Vec::new(),
            text: String::new(),
            chars: 0,
            marks: Vec::new(),
            worn: Vec::new(),
            left_out: 0,
            range,
            images: Vec::new(),
            words: false,
            wraps: Vec::new(),
            apart: false,
        }
    }

    pub(super) fn add(&mut self, text: &str) {
        self.text.push_str(text);
        self.chars += text.chars().count();
    }

    /// Other words than those read so far.
    pub(super) fn set(&mut self, text: &str) {
        self.text.clear();
        self.chars = 0;
        self.add(text);
    }

    /// From here on words wear this mark.
    pub(super) fn wear(&mut self, name: &'static str, value: Value) {
        if self.worn.len() >= DEEPEST {
            self.left_out += 1;
            return;
        }
        self.worn.push(Worn {
            from: self.chars,
            byte: self.text.len(),
            name,
            value,
        });
    }

    /// The innermost mark of a name, which ends here.
    fn take_off(&mut self, name: &str) -> Option<Worn> {
        if self.left_out > 0 {
            self.left_out -= 1;
            return None;
        }
        let at = self.worn.iter().rposition(|worn| worn.name == name)?;
        Some(self.worn.remove(at))
    }

    fn wears(&self, name: &str) -> Option<&Worn> {
        self.worn.iter().find(|worn| worn.name == name)
    }

    /// From here on words no longer wear this mark.
    pub(super) fn shed(&mut self, name: &str) {
        let Some(worn) = self.take_off(name) else {
            return;
        };
        // No link is inside of another.
        if worn.name != "link" || self.wears("link").is_none() {
            self.mark(worn.from, worn.name, worn.value);
        }
    }

    fn mark(&mut self, from: usize, name: &str, value: Value) {
        let to = self.chars;
        if from < to {
            self.marks.push(Mark {
                from,
                to,
                name: name.to_owned(),
                value,
            });
        }
    }

    /// The words for a picture have been read.
    pub(super) fn end_picture(&mut self) {
        let Some(worn) = self.take_off("image") else {
            return;
        };
        // A picture in the words for another is a part of them.
        if self.wears("image").is_some() {
            return;
        }
        let Worn {
            from,
            byte,
            value: picture,
            ..
        } = worn;
        let alt = self.text.get(byte..).unwrap_or_default().to_owned();
        let blank = |text: &str| text.trim().is_empty();
        let first = self.images.is_empty() && Link::read(&picture).is_some();
        if first && self.text.get(..byte).is_some_and(blank) {
            // Perhaps a picture and nothing else; `words` decides at the end.
            self.words = false;
        }
        let href = self.wears("link").map(|link| link.value.clone());
        if href.is_none() {
            self.mark(from, "link", picture.clone());
        }
        self.images.push(Picture { picture, alt, href });
    }

    /// The words and marks of a table's cell.
    pub(super) fn cell(self) -> (String, Vec<Mark>) {
        (self.text, tidy(self.marks, self.chars))
    }

    /// Without the ends of lines at its end.
    pub(super) fn trim_end(&mut self) {
        let end = self.text.trim_end_matches('\n').len();
        self.chars -= self.text.len() - end;
        self.text.truncate(end);
    }

    /// Lines of values stay lines: run together they would say nothing.
    fn keep_rows(&mut self) {
        let mut lines = Vec::new();
        let mut from = 0;
        for end in &self.wraps {
            lines.push(&self.text[from..*end]);
            from = end + 1;
        }
        lines.push(&self.text[from..]);
        if self.kind == "paragraph" && values::are_rows(&lines) {
            self.text = lines.join("\n");
        }
    }

    /// What it is, wherever it stands.
    pub(super) fn block(&mut self) -> NewBlock {
        let picture = match self.images.as_slice() {
            [picture] if !self.words && self.kind == "paragraph" => picture.block(),
            _ => None,
        };
        let mut block = picture.unwrap_or_else(|| {
            self.keep_rows();
            let text = std::mem::take(&mut self.text);
            let marks = tidy(std::mem::take(&mut self.marks), self.chars);
            NewBlock {
                marks,
                ..NewBlock::new(self.kind, text)
            }
        });
        let props = std::mem::take(&mut self.props).into_iter();
        let named = props.map(|(name, value)| (name.to_owned(), value));
        block.props.extend(named);
        block
    }
}

/// A link with code in it keeps what is not code. The code stands in the order of the words.
fn beside(link: &Mark, code: &[(usize, usize)]) -> Vec<Mark> {
    let mut parts = Vec::new();
    let mut rest = link.clone();
    let first = code.partition_point(|(_, to)| *to <= link.from);
    let within = code[first..].iter().take_while(|(from, _)| *from < link.to);
    for (from, to) in within {
        parts.push(Mark {
            to: rest.to.min(*from),
            ..rest.clone()
        });
        rest.from = rest.from.max(*to);
    }
    parts.push(rest);
    parts
}

/// Marks that a page may hold, in order, neighbours of one kind joined.
fn tidy(marks: Vec<Mark>, length: usize) -> Vec<Mark> {
    let code: Vec<(usize, usize)> = marks
        .iter()
        .filter(|mark| mark.name == "code")
        .map(|mark| (mark.from, mark.to))
        .collect();
    let mut kept: Vec<Mark> = Vec::new();
    for mut mark in marks {
        mark.to = mark.to.min(length);
        match mark.name.as_str() {
            "link" if Link::read(&mark.value).is_none() => {}
            "link" => kept.extend(beside(&mark, &code)),
            _ => kept.push(mark),
        }
    }
    kept.retain(|mark| mark.from < mark.to);
    kept.sort_by(|a, b| (&a.name, a.from, a.to).cmp(&(&b.name, b.from, b.to)));
    let mut joined: Vec<Mark> = Vec::new();
    for mark in kept {
        match joined.last_mut() {
            Some(last)
                if last.name == mark.name && last.value == mark.value && mark.from <= last.to =>
            {
                last.to = last.to.max(mark.to)
            }
            _ => joined.push(mark),
        }
    }
    joined.sort_by(|a, b| (a.from, a.to, &a.name).cmp(&(b.from, b.to, &b.name)));
    joined
}
