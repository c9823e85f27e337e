//! What a Markdown parser reads, as HTML. HTML in the source is words like others, except for the
//! few signs that our own Markdown has.

use pulldown_cmark::{Alignment, BlockQuoteKind, CodeBlockKind, Event, HeadingLevel, Tag, TagEnd};

use super::address;
use super::writer::Writer;

pub fn write<'a>(events: impl Iterator<Item = Event<'a>>, out: &mut Writer) {
    let mut state = State {
        out,
        links: Vec::new(),
        pictures: Vec::new(),
        sides: Vec::new(),
        column: 0,
        in_head: false,
    };
    events.for_each(|event| state.event(event));
}

/// A picture whose words are still being read.
struct Picture {
    address: String,
    title: String,
    words: String,
}

struct State<'w> {
    out: &'w mut Writer,
    /// Whether each open link was written, the innermost last.
    links: Vec<bool>,
    pictures: Vec<Picture>,
    /// The sides of the table's columns.
    sides: Vec<Alignment>,
    column: usize,
    in_head: bool,
}

impl State<'_> {
    fn event(&mut self, event: Event<'_>) {
        if let Some(picture) = self.pictures.last_mut() {
            match event {
                Event::Text(words)
                | Event::Code(words)
                | Event::Html(words)
                | Event::InlineHtml(words)
                | Event::InlineMath(words)
                | Event::DisplayMath(words) => return picture.words.push_str(&words),
                Event::SoftBreak | Event::HardBreak => return picture.words.push(' '),
                Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => {}
                _ => return,
            }
        }
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(words) => self.out.text(&words),
            Event::Code(words) => self.wrapped("code", &[], &words),
            Event::InlineMath(words) => {
                self.wrapped("span", &[("class", "math math-inline")], &words);
            }
            Event::DisplayMath(words) => {
                self.wrapped("span", &[("class", "math math-display")], &words);
            }
            Event::Html(words) | Event::InlineHtml(words) => self.sign(&words),
            Event::FootnoteReference(name) => self.wrapped("sup", &[], &name),
            Event::SoftBreak => self.out.line(),
            Event::HardBreak => {
                self.out.open("br", &[]);
                self.out.line();
            }
            Event::Rule => {
                self.out.open("hr", &[]);
                self.out.line();
            }
            Event::TaskListMarker(done) => {
                let mut attributes = vec![("disabled", ""), ("type", "checkbox")];
                if done {
                    attributes.push(("checked", ""));
                }
                self.out.open("input", &attributes);
            }
        }
    }

    fn wrapped(&mut self, tag: &'static str, attributes: &[(&'static str, &str)], words: &str) {
        self.out.open(tag, attributes);
        self.out.text(words);
        self.out.close(tag);
    }

    /// Our Markdown has no other signs for these.
    fn sign(&mut self, html: &str) {
        match html {
            "<u>" => self.out.open("u", &[]),
            "</u>" => self.out.close("u"),
            "<mark>" => self.out.open("mark", &[]),
            "</mark>" => self.out.close("mark"),
            "<br>" => self.out.open("br", &[]),
            words => self.out.text(words),
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { level, .. } => self.out.open(heading(level), &[]),
            Tag::BlockQuote(Some(kind)) => {
                self.out.open("blockquote", &[("class", alert(kind))]);
                self.out.line();
            }
            Tag::CodeBlock(kind) => {
                self.out.open("pre", &[]);
                let language = match &kind {
                    CodeBlockKind::Fenced(info) => info.split(' ').next().unwrap_or_default(),
                    CodeBlockKind::Indented => "",
                };
                match language {
                    "" => self.out.open("code", &[]),
                    language => {
                        let class = format!("language-{language}");
                        self.out.open("code", &[("class", &class)]);
                    }
                }
            }
            Tag::List(Some(start)) if start != 1 => {
                self.out.open("ol", &[("start", &start.to_string())]);
                self.out.line();
            }
            Tag::List(start) => {
                self.out
                    .open(if start.is_some() { "ol" } else { "ul" }, &[]);
                self.out.line();
            }
            Tag::Table(sides) => {
                self.sides = sides;
                self.out.open("table", &[]);
            }
            Tag::TableHead => {
                (self.in_head, self.column) = (true, 0);
                self.out.open("thead", &[]);
                self.out.open("tr", &[]);
            }
            Tag::TableRow => {
                self.column = 0;
                self.out.open("tr", &[]);
            }
            Tag::TableCell => {
                let cell = if self.in_head { "th" } else { "td" };
                match self.sides.get(self.column) {
                    Some(Alignment::Left) => self.out.open(cell, &[("style", "text-align: left")]),
                    Some(Alignment::Center) => {
                        self.out.open(cell, &[("style", "text-align: center")]);
                    }
                    Some(Alignment::Right) => {
                        self.out.open(cell, &[("style", "text-align: right")]);
                    }
                    Some(Alignment::None) | None => self.out.open(cell, &[]),
                }
            }
            Tag::Link {
                dest_url, title, ..
            } => {
                let address = address::of_link(&dest_url);
                self.links.push(address.is_some());
                let Some(address) = address else { return };
                let mut attributes = vec![("href", address)];
                if !title.is_empty() {
                    attributes.push(("title", &title));
                }
                self.out.open("a", &attributes);
            }
            Tag::Image {
                dest_url, title, ..
            } => self.pictures.push(Picture {
                address: dest_url.into_string(),
                title: title.into_string(),
                words: String::new(),
            }),
            other => {
                if let Some(tag) = plain(&other.to_end()) {
                    self.out.open(tag, &[]);
                }
            }
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(level) => self.close(heading(level)),
            TagEnd::CodeBlock => {
                self.out.close("code");
                self.close("pre");
            }
            TagEnd::List(ordered) => self.close(if ordered { "ol" } else { "ul" }),
            TagEnd::TableHead => {
                self.in_head = false;
                self.out.close("tr");
                self.out.close("thead");
                self.out.open("tbody", &[]);
                self.out.line();
            }
            TagEnd::TableRow => self.close("tr"),
            TagEnd::TableCell => {
                self.out.close(if self.in_head { "th" } else { "td" });
                self.column += 1;
            }
            TagEnd::Table => {
                self.out.close("tbody");
                self.close("table");
            }
            TagEnd::Link => {
                if self.links.pop() == Some(true) {
                    self.out.close("a");
                }
            }
            TagEnd::Image => self.picture(),
            other => match plain(&other) {
                Some(tag @ ("p" | "blockquote" | "li")) => self.close(tag),
                Some(tag) => self.out.close(tag),
                None => {}
            },
        }
    }

    /// Ends something that has a line of its own.
    fn close(&mut self, tag: &'static str) {
        self.out.close(tag);
        self.out.line();
    }

    fn picture(&mut self) {
        let Some(picture) = self.pictures.pop() else {
            return;
        };
        // A picture in the words of another is a part of them.
        if let Some(around) = self.pictures.last_mut() {
            return around.words.push_str(&picture.words);
        }
        let (address, words) = (picture.address.as_str(), picture.words.as_str());
        let title = Some(("title", picture.title.as_str())).filter(|(_, title)| !title.is_empty());
        if let Some(address) = address::of_picture(address) {
            let attributes = [("src", address), ("alt", words)].into_iter().chain(title);
            return self.out.open("img", &attributes.collect::<Vec<_>>());
        }
        // What is elsewhere is not loaded: it is a link, unless it is the words of one.
        let inside = self.links.contains(&true);
        let Some(address) = address::of_link(address).filter(|_| !inside) else {
            return self.out.text(words);
        };
        let attributes = [("href", address)].into_iter().chain(title);
        self.out.open("a", &attributes.collect::<Vec<_>>());
        self.out
            .text(if words.is_empty() { address } else { words });
        self.out.close("a");
    }
}

/// What has a tag and nothing more.
fn plain(tag: &TagEnd) -> Option<&'static str> {
    Some(match tag {
        TagEnd::Paragraph => "p",
        TagEnd::BlockQuote(_) => "blockquote",
        TagEnd::Item => "li",
        TagEnd::Emphasis => "em",
        TagEnd::Strong => "strong",
        TagEnd::Strikethrough => "del",
        TagEnd::Superscript => "sup",
        TagEnd::Subscript => "sub",
        _ => return None,
    })
}

fn heading(level: HeadingLevel) -> &'static str {
    match level {
        HeadingLevel::H1 => "h1",
        HeadingLevel::H2 => "h2",
        HeadingLevel::H3 => "h3",
        HeadingLevel::H4 => "h4",
        HeadingLevel::H5 => "h5",
        HeadingLevel::H6 => "h6",
    }
}

fn alert(kind: BlockQuoteKind) -> &'static str {
    match kind {
        BlockQuoteKind::Note => "markdown-alert-note",
        BlockQuoteKind::Tip => "markdown-alert-tip",
        BlockQuoteKind::Important => "markdown-alert-important",
        BlockQuoteKind::Warning => "markdown-alert-warning",
        BlockQuoteKind::Caution => "markdown-alert-caution",
    }
}
