//! Reading Markdown into blocks. Blocks are flat: what stands in a list item is indented, a quote of
//! several paragraphs is several quotes, and whatever else stands in a quote says in how many (`quote`).
//! Lists and quotes that follow upon their like say that they begin `anew`.

mod depth;
mod front;
mod nesting;
mod open;

use std::ops::Range;

use glade_doc::text::{HTML, Link, TEX};
use pulldown_cmark::{
    Alignment, BlockQuoteKind, CodeBlockKind, Event, LinkType, Parser, Tag, TagEnd,
};
use serde_json::{Value, json};

use super::OPTIONS;
use crate::table::Side;
use crate::write::{NewBlock, Rows};
use nesting::{Item, List, Quote};
use open::Open;

/// A block with the part of the source that it was read from.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    pub block: NewBlock,
    pub range: Range<usize>,
}

pub fn from_markdown(source: &str) -> Vec<NewBlock> {
    let source = depth::limited(source);
    read(&source).into_iter().map(|read| read.block).collect()
}

/// The same of what a model writes, where every end of a line is one: nobody wraps lines in a field.
pub fn from_lines(source: &str) -> Vec<NewBlock> {
    let source = depth::limited(source);
    let reader = Reader {
        keeps_lines: true,
        ..Reader::default()
    };
    let read = reader.all(&source, 0).into_iter();
    read.map(|read| read.block).collect()
}

pub fn read(source: &str) -> Vec<Read> {
    let front = front::length(source);
    let mut reader = Reader::default();
    if front > 0 {
        reader.blocks.push(Read {
            block: front::block(&source[..front]),
            range: 0..front,
        });
    }
    reader.all(source, front)
}

#[derive(Default)]
struct Reader {
    blocks: Vec<Read>,
    lists: Vec<List>,
    quotes: Vec<Quote>,
    /// How many quotes have begun.
    begun: usize,
    /// The quotes that the last block is in.
    around: Vec<usize>,
    /// The last block, the last before it that stands further to the left, and so on: the innermost last.
    left_edge: Vec<usize>,
    /// The item that has begun and has no block yet.
    item: Option<Item>,
    open: Option<Open>,
    table: Option<(Rows, Vec<Side>, Range<usize>)>,
    /// Ends of lines among words are line breaks.
    keeps_lines: bool,
}

impl Reader {
    /// The blocks of a source, from a place in it on.
    fn all(mut self, source: &str, from: usize) -> Vec<Read> {
        for (event, range) in Parser::new_ext(&source[from..], OPTIONS).into_offset_iter() {
            self.take(event, range.start + from..range.end + from);
        }
        self.flush();
        self.blocks
    }

    fn begin(&mut self, kind: &'static str, range: Range<usize>) {
        self.flush();
        self.open = Some(Open::new(kind, range));
    }

    fn open(&mut self, range: &Range<usize>) -> &mut Open {
        let begun = || Open::new("paragraph", range.clone());
        let open = self.open.get_or_insert_with(begun);
        open.range.end = open.range.end.max(range.end);
        open
    }

    fn words(&mut self, text: &str, range: &Range<usize>) {
        let open = self.open(range);
        open.add(text);
        open.words |= !text.trim().is_empty();
    }

    /// Words of the file; a line's end among them, `&#10;`, is a space to who reads them, but in code.
    fn said(&mut self, text: &str, range: &Range<usize>) {
        match self.open(range).kind {
            "codeBlock" => self.words(text, range),
            _ => self.words(&text.replace('\n', " "), range),
        }
    }

    fn wear(&mut self, name: &'static str, value: Value, range: &Range<usize>) {
        self.open(range).wear(name, value);
    }

    /// Words that wear one mark.
    fn marked(&mut self, text: &str, name: &'static str, range: &Range<usize>) {
        self.wear(name, Value::Bool(true), range);
        self.words(text, range);
        self.shed(name);
    }

    fn shed(&mut self, name: &str) {
        if let Some(open) = &mut self.open {
            open.shed(name);
        }
    }

    fn take(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.end(tag, range),
            Event::Text(text) => self.said(&text, &range),
            Event::Code(text) => self.marked(&text, "code", &range),
            Event::InlineMath(text) => self.marked(&text, TEX, &range),
            Event::DisplayMath(text) => {
                let alone = self
                    .open
                    .as_ref()
                    .is_some_and(|open| !open.words && open.images.is_empty());
                if alone {
                    let open = self.open(&range);
                    open.kind = "formula";
                    open.set(text.trim());
                    open.words = true;
                } else {
                    self.words(&format!("$${text}$$"), &range);
                }
            }
            Event::InlineHtml(tag) => match tag.as_ref() {
                "<u>" => self.wear("underline", Value::Bool(true), &range),
                "</u>" => self.shed("underline"),
                "<mark>" => self.wear("highlight", Value::Bool(true), &range),
                "</mark>" => self.shed("highlight"),
                "<br>" | "<br/>" | "<br />" => self.words("\n", &range),
                other => self.marked(other, HTML, &range),
            },
            Event::Html(text) => self.words(&text, &range),
            Event::SoftBreak if self.keeps_lines => self.words("\n", &range),
            Event::SoftBreak => {
                let open = self.open(&range);
                open.wraps.push(open.text.len());
                self.words(" ", &range);
            }
            Event::HardBreak => self.words("\n", &range),
            Event::Rule => {
                self.begin("divider", range);
                self.flush();
            }
            Event::TaskListMarker(checked) => {
                if let Some(item) = &mut self.item {
                    item.checked = Some(checked);
                }
            }
            Event::FootnoteReference(name) => self.words(&format!("[^{name}]"), &range),
        }
    }

    fn start(&mut self, tag: Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::Paragraph => {
                self.begin("paragraph", range);
                if let Some(open) = &mut self.open {
                    open.apart = true;
                }
            }
            Tag::Heading { level, .. } => {
                self.begin("heading", range);
                if let Some(open) = &mut self.open {
                    open.props.push(("level", json!(level as usize)));
                }
            }
            Tag::CodeBlock(kind) => {
                self.begin("codeBlock", range);
                if let (Some(open), CodeBlockKind::Fenced(lang)) = (&mut self.open, kind)
                    && !lang.is_empty()
                {
                    open.props.push(("lang", json!(lang.as_ref())));
                }
            }
            Tag::HtmlBlock => {
                self.begin("codeBlock", range);
                if let Some(open) = &mut self.open {
                    open.props.push(("lang", json!("html")));
                    open.props.push(("raw", json!(true)));
                }
            }
            Tag::BlockQuote(kind) => {
                self.wordless(&range);
                let tone = kind.map(|kind| match kind {
                    BlockQuoteKind::Note => "note",
                    BlockQuoteKind::Tip => "tip",
                    BlockQuoteKind::Important => "important",
                    BlockQuoteKind::Warning => "warning",
                    BlockQuoteKind::Caution => "caution",
                });
                self.begun += 1;
                self.quotes.push(Quote {
                    number: self.begun,
                    tone,
                    after: self.blocks.len(),
                    start: range.start,
                });
            }
            Tag::List(start) => {
                self.wordless(&range);
                self.lists.push(List {
                    start,
                    fresh: true,
                    quotes: self.quotes.len(),
                });
            }
            Tag::Item => {
                self.flush();
                self.item = Some(Item {
                    checked: None,
                    start: range.start,
                });
            }
            Tag::Table(sides) => {
                self.flush();
                let sides = sides.into_iter().map(|side| match side {
                    Alignment::None => Side::Own,
                    Alignment::Left => Side::Left,
                    Alignment::Center => Side::Center,
                    Alignment::Right => Side::Right,
                });
                self.table = Some((Vec::new(), sides.collect(), range));
            }
            Tag::TableHead | Tag::TableRow => {
                if let Some((rows, ..)) = &mut self.table {
                    rows.push(Vec::new());
                }
            }
            Tag::TableCell => self.begin("paragraph", range),
            Tag::Emphasis => self.wear("italic", Value::Bool(true), &range),
            Tag::Strong => self.wear("bold", Value::Bool(true), &range),
            Tag::Strikethrough => self.wear("strike", Value::Bool(true), &range),
            Tag::Link {
                dest_url,
                link_type,
                title,
                ..
            } => {
                let href = match link_type {
                    LinkType::Email => format!("mailto:{dest_url}"),
                    _ => dest_url.to_string(),
                };
                self.wear("link", Link::new(&href, &title).value(), &range);
            }
            Tag::Image {
                dest_url, title, ..
            } => {
                let picture = Link::new(&dest_url, &title).value();
                self.wear("image", picture, &range);
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd, range: Range<usize>) {
        match tag {
            TagEnd::Paragraph | TagEnd::Heading(_) => self.flush(),
            TagEnd::CodeBlock | TagEnd::HtmlBlock => {
                if let Some(open) = &mut self.open {
                    open.trim_end();
                }
                self.flush();
            }
            TagEnd::BlockQuote(_) => {
                self.flush();
                // A quote without words is one all the same.
                let empty = |quote: &Quote| quote.after == self.blocks.len();
                if self.quotes.last().is_some_and(empty) {
                    self.begin("paragraph", range);
                    self.flush();
                }
                self.quotes.pop();
            }
            TagEnd::List(_) => {
                self.flush();
                self.lists.pop();
                self.item = None;
            }
            TagEnd::Item => {
                if self.item.is_some() {
                    self.open(&range);
                }
                self.flush();
                self.item = None;
            }
            TagEnd::TableCell => {
                let cell = self.open.take().map(Open::cell);
                if let (Some((rows, ..)), Some(cell)) = (&mut self.table, cell)
                    && let Some(row) = rows.last_mut()
                {
                    row.push(cell);
                }
            }
            TagEnd::Table => {
                if let Some((rows, sides, range)) = self.table.take() {
                    let mut block = NewBlock {
                        rows,
                        sides,
                        ..NewBlock::new("table", "")
                    }
                    .or_source();
                    if self.outside() > 0 {
                        block = block.with("quote", self.outside());
                    }
                    self.push(block, range, None);
                }
            }
            TagEnd::Emphasis => self.shed("italic"),
            TagEnd::Strong => self.shed("bold"),
            TagEnd::Strikethrough => self.shed("strike"),
            TagEnd::Link => self.shed("link"),
            TagEnd::Image => {
                if let Some(open) = &mut self.open {
                    open.end_picture();
                }
            }
            _ => {}
        }
    }
}
