//! Reading Markdown into blocks. Blocks are flat: what stands in a list item is indented, a quote of
//! several paragraphs is several quotes.

use std::ops::Range;

use glade_doc::text::{Mark, is_safe_link};
use pulldown_cmark::{CodeBlockKind, Event, LinkType, Parser, Tag, TagEnd};
use serde_json::{Value, json};

use super::OPTIONS;
use crate::write::{NewBlock, Rows};

/// A block with the part of the source that it was read from.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    pub block: NewBlock,
    pub range: Range<usize>,
}

pub fn from_markdown(source: &str) -> Vec<NewBlock> {
    read(source).into_iter().map(|read| read.block).collect()
}

pub fn read(source: &str) -> Vec<Read> {
    let mut reader = Reader::default();
    for (event, range) in Parser::new_ext(source, OPTIONS).into_offset_iter() {
        reader.take(event, range);
    }
    reader.flush();
    reader.blocks
}

#[derive(Default)]
struct Reader {
    blocks: Vec<Read>,
    /// The lists that are open; of a numbered one its first number, and whether nothing is in it yet.
    lists: Vec<Option<(u64, bool)>>,
    quotes: Vec<Option<&'static str>>,
    /// The item that has begun and has no block yet.
    item: Option<Item>,
    open: Option<Open>,
    table: Option<(Rows, Range<usize>)>,
}

struct Item {
    checked: Option<bool>,
    start: usize,
}

/// A block whose words are being read.
struct Open {
    kind: &'static str,
    props: Vec<(&'static str, Value)>,
    text: String,
    marks: Vec<Mark>,
    worn: Vec<(usize, &'static str, Value)>,
    range: Range<usize>,
    images: Vec<(String, String)>,
    /// Something besides pictures was in it.
    words: bool,
    /// It stands by itself, between empty lines.
    apart: bool,
}

impl Reader {
    fn begin(&mut self, kind: &'static str, range: Range<usize>) {
        self.flush();
        self.open = Some(Open {
            kind,
            props: Vec::new(),
            text: String::new(),
            marks: Vec::new(),
            worn: Vec::new(),
            range,
            images: Vec::new(),
            words: false,
            apart: false,
        });
    }

    fn open(&mut self, range: &Range<usize>) -> &mut Open {
        if self.open.is_none() {
            self.begin("paragraph", range.clone());
        }
        let open = self.open.get_or_insert_with(|| Open {
            kind: "paragraph",
            props: Vec::new(),
            text: String::new(),
            marks: Vec::new(),
            worn: Vec::new(),
            range: range.clone(),
            images: Vec::new(),
            words: false,
            apart: false,
        });
        open.range.end = open.range.end.max(range.end);
        open
    }

    fn words(&mut self, text: &str, range: &Range<usize>) {
        let open = self.open(range);
        open.text.push_str(text);
        open.words |= !text.trim().is_empty();
    }

    fn wear(&mut self, name: &'static str, value: Value, range: &Range<usize>) {
        let open = self.open(range);
        open.worn.push((open.text.chars().count(), name, value));
    }

    fn shed(&mut self, name: &str) {
        let Some(open) = &mut self.open else { return };
        let Some(at) = open.worn.iter().rposition(|(_, worn, _)| *worn == name) else {
            return;
        };
        let (from, name, value) = open.worn.remove(at);
        let to = open.text.chars().count();
        if from < to {
            open.marks.push(Mark {
                from,
                to,
                name: name.to_owned(),
                value,
            });
        }
    }

    fn flush(&mut self) {
        let Some(mut open) = self.open.take() else {
            return;
        };
        let mut block = match open.images.as_slice() {
            [(src, alt)] if !open.words && open.kind == "paragraph" => NewBlock::new("image", "")
                .with("src", src.as_str())
                .with("alt", alt.as_str()),
            _ => NewBlock::new(open.kind, std::mem::take(&mut open.text)),
        };
        block.props.extend(
            open.props
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value)),
        );
        if block.kind != "image" {
            block.marks = tidy(open.marks, block.text.chars().count());
        }
        let mut indent = self.lists.len();
        if let Some(item) = self.item.take() {
            let own = self.item_block(&item, open.apart);
            if block.kind == "paragraph" {
                open.range.start = open.range.start.min(item.start);
                indent = indent.saturating_sub(1);
                block.kind = own.kind;
                block.props.extend(own.props);
            } else {
                // An item that begins with something else has no words of its own.
                let range = item.start..open.range.start.max(item.start);
                self.blocks.push(Read { block: own, range });
            }
        } else if block.kind == "paragraph"
            && let Some(tone) = self.quotes.last()
        {
            match tone {
                Some(tone) => {
                    block.kind = "callout".to_owned();
                    block.props.insert("tone".to_owned(), json!(tone));
                }
                None => block.kind = "blockquote".to_owned(),
            }
        }
        if indent > 0 && block.kind != "divider" {
            block.props.insert("indent".to_owned(), json!(indent));
        }
        self.blocks.push(Read {
            block,
            range: open.range,
        });
    }

    /// The item of a list, without its words.
    fn item_block(&mut self, item: &Item, apart: bool) -> NewBlock {
        let depth = self.lists.len().saturating_sub(1);
        // The first item has the number that the list begins with.
        let number = self.lists.last_mut().and_then(|list| match list {
            Some((number, first)) => {
                let first = std::mem::take(first);
                Some((*number, first))
            }
            None => None,
        });
        let list = match (item.checked, number) {
            (Some(_), _) => "task",
            (None, Some(_)) => "ordered",
            (None, None) => "bullet",
        };
        let mut block = NewBlock::new("listItem", "").with("list", list);
        if item.checked == Some(true) {
            block = block.with("checked", true);
        }
        if let ("ordered", Some((start, true))) = (list, number)
            && start != 1
        {
            block = block.with("start", start);
        }
        if apart {
            block = block.with("loose", true);
        }
        if depth > 0 {
            block = block.with("indent", depth);
        }
        block
    }

    fn take(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.end(tag, range),
            Event::Text(text) => self.words(&text, &range),
            Event::Code(text) => {
                self.wear("code", Value::Bool(true), &range);
                self.words(&text, &range);
                self.shed("code");
            }
            Event::InlineMath(text) => {
                self.wear("code", Value::Bool(true), &range);
                self.words(&format!("${text}$"), &range);
                self.shed("code");
            }
            Event::DisplayMath(text) => {
                let alone = self
                    .open
                    .as_ref()
                    .is_some_and(|open| !open.words && open.images.is_empty());
                if alone {
                    let open = self.open(&range);
                    open.kind = "formula";
                    open.text = text.trim().to_owned();
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
                other => self.words(other, &range),
            },
            Event::Html(text) => self.words(&text, &range),
            Event::SoftBreak => self.words(" ", &range),
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
                self.flush();
                self.quotes.push(kind.map(|kind| match kind {
                    pulldown_cmark::BlockQuoteKind::Note => "note",
                    pulldown_cmark::BlockQuoteKind::Tip => "tip",
                    pulldown_cmark::BlockQuoteKind::Important => "important",
                    pulldown_cmark::BlockQuoteKind::Warning => "warning",
                    pulldown_cmark::BlockQuoteKind::Caution => "caution",
                }));
            }
            Tag::List(start) => {
                self.flush();
                if let Some(item) = self.item.take() {
                    // An item that begins with a list has no words of its own.
                    self.item = Some(item);
                    self.open(&range);
                    self.flush();
                }
                self.lists.push(start.map(|start| (start, true)));
            }
            Tag::Item => {
                self.flush();
                self.item = Some(Item {
                    checked: None,
                    start: range.start,
                });
            }
            Tag::Table(_) => {
                self.flush();
                self.table = Some((Vec::new(), range));
            }
            Tag::TableHead | Tag::TableRow => {
                if let Some((rows, _)) = &mut self.table {
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
                ..
            } => {
                let href = match link_type {
                    LinkType::Email => format!("mailto:{dest_url}"),
                    _ => dest_url.to_string(),
                };
                self.wear("link", json!(href), &range);
            }
            Tag::Image { dest_url, .. } => {
                let src = dest_url.to_string();
                let at = self.open(&range).text.chars().count();
                let open = self.open(&range);
                open.worn.push((at, "image", json!(src)));
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd, range: Range<usize>) {
        match tag {
            TagEnd::Paragraph | TagEnd::Heading(_) => self.flush(),
            TagEnd::CodeBlock | TagEnd::HtmlBlock => {
                if let Some(open) = &mut self.open {
                    let end = open.text.trim_end_matches('\n').len();
                    open.text.truncate(end);
                }
                self.flush();
            }
            TagEnd::BlockQuote(_) => {
                self.flush();
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
                let cell = self.open.take().map(|open| {
                    let length = open.text.chars().count();
                    (open.text, tidy(open.marks, length))
                });
                if let (Some((rows, _)), Some(cell)) = (&mut self.table, cell)
                    && let Some(row) = rows.last_mut()
                {
                    row.push(cell);
                }
            }
            TagEnd::Table => {
                if let Some((rows, range)) = self.table.take() {
                    let block = NewBlock {
                        rows,
                        ..NewBlock::new("table", "")
                    };
                    self.blocks.push(Read { block, range });
                }
            }
            TagEnd::Emphasis => self.shed("italic"),
            TagEnd::Strong => self.shed("bold"),
            TagEnd::Strikethrough => self.shed("strike"),
            TagEnd::Link => self.shed("link"),
            TagEnd::Image => {
                let Some(open) = &mut self.open else { return };
                let Some(at) = open.worn.iter().rposition(|(_, name, _)| *name == "image") else {
                    return;
                };
                let (from, _, src) = open.worn.remove(at);
                let src = src.as_str().unwrap_or("").to_owned();
                let alt: String = open.text.chars().skip(from).collect();
                let alone = open.text.chars().take(from).all(char::is_whitespace);
                open.images.push((src.clone(), alt.clone()));
                if alone && open.images.len() == 1 && is_safe_link(&src) {
                    // Perhaps a picture and nothing else; `words` decides at the end.
                    open.words = false;
                }
                let to = from + alt.chars().count();
                if from < to {
                    open.marks.push(Mark {
                        from,
                        to,
                        name: "link".to_owned(),
                        value: json!(src),
                    });
                }
            }
            _ => {}
        }
    }
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
        let unsafe_link = mark.name == "link" && !mark.value.as_str().is_some_and(is_safe_link);
        // A link with code in it keeps what is not code.
        let clash = mark.name == "link"
            && code
                .iter()
                .any(|(from, to)| *from < mark.to && mark.from < *to);
        if mark.from >= mark.to
            || unsafe_link
            || (clash
                && code
                    .iter()
                    .any(|(from, to)| *from <= mark.from && mark.to <= *to))
        {
            continue;
        }
        kept.push(mark);
    }
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
