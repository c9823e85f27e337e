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
    pub(super) marks: Vec<Mark>,
    pub(super) worn: Vec<(usize, &'static str, Value)>,
    pub(super) range: Range<usize>,
    pub(super) images: Vec<Picture>,
    /// Something besides pictures was in it.
    pub(super) words: bool,
    /// Where its lines ended, as spaces in its text.
    pub(super) wraps: Vec<usize>,
    /// It stands by itself, between empty lines.
    pub(super) apart: bool,
}

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
            marks: Vec::new(),
            worn: Vec::new(),
            range,
            images: Vec::new(),
            words: false,
            wraps: Vec::new(),
            apart: false,
        }
    }

    /// From here on words no longer wear this mark.
    pub(super) fn shed(&mut self, name: &str) {
        let Some(at) = self.worn.iter().rposition(|(_, worn, _)| *worn == name) else {
            return;
        };
        let (from, name, value) = self.worn.remove(at);
        let is_inside = |(_, worn, _): &(usize, &str, Value)| *worn == "link";
        // No link is inside of another.
        if name != "link" || !self.worn.iter().any(is_inside) {
            self.mark(from, name, value);
        }
    }

    fn mark(&mut self, from: usize, name: &str, value: Value) {
        let to = self.text.chars().count();
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
        let Some(at) = self.worn.iter().rposition(|(_, name, _)| *name == "image") else {
            return;
        };
        let (from, _, picture) = self.worn.remove(at);
        // A picture in the words for another is a part of them.
        if self.worn.iter().any(|(_, name, _)| *name == "image") {
            return;
        }
        let alt: String = self.text.chars().skip(from).collect();
        let alone = self.text.chars().take(from).all(char::is_whitespace);
        if alone && self.images.is_empty() && Link::read(&picture).is_some() {
            // Perhaps a picture and nothing else; `words` decides at the end.
            self.words = false;
        }
        let leads = self.worn.iter().find(|(_, name, _)| *name == "link");
        let href = leads.map(|(_, _, link)| link.clone());
        if href.is_none() {
            self.mark(from, "link", picture.clone());
        }
        self.images.push(Picture { picture, alt, href });
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
            let marks = tidy(std::mem::take(&mut self.marks), text.chars().count());
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
    for (from, to) in code {
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
pub(super) fn tidy(marks: Vec<Mark>, length: usize) -> Vec<Mark> {
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
