//! Where a block stands: in which lists and quotes.

use std::ops::Range;

use serde_json::{Value, json};

use super::{Read, Reader};
use crate::write::NewBlock;

/// A list that is open.
pub(super) struct List {
    /// Of a numbered one its first number.
    pub(super) start: Option<u64>,
    /// Nothing is in it yet.
    pub(super) fresh: bool,
    /// How many quotes it is in.
    pub(super) quotes: usize,
}

/// A quote that is open.
pub(super) struct Quote {
    pub(super) number: usize,
    /// Of a callout.
    pub(super) tone: Option<&'static str>,
    /// How many blocks there were before it.
    pub(super) after: usize,
    /// Where its sign is.
    pub(super) start: usize,
}

/// An item that has begun.
pub(super) struct Item {
    pub(super) checked: Option<bool>,
    pub(super) start: usize,
}

impl Reader {
    pub(super) fn flush(&mut self) {
        let Some(mut open) = self.open.take() else {
            return;
        };
        let mut block = open.block();
        let mut indent = self.lists.len();
        let mut outside = self.outside();
        let mut inner = None;
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
                self.push(own, range, None);
            }
        } else if block.kind == "paragraph"
            && let Some(around) = self.quotes.last()
            && (self.lists.is_empty() || outside < self.quotes.len())
        {
            if self.lists.is_empty() {
                outside -= 1
            } else {
                inner = Some(around.number)
            }
            match around.tone {
                Some(tone) => {
                    if around.after == self.blocks.len() {
                        open.range.start = open.range.start.min(around.start);
                    }
                    block.kind = "callout".to_owned();
                    block.props.insert("tone".to_owned(), json!(tone));
                }
                None => block.kind = "blockquote".to_owned(),
            }
        }
        if indent > 0 {
            block = block.with("indent", indent);
            let below = self.blocks.last().map(|read| read.block.kind.as_str());
            if block.kind == "paragraph" && !open.apart && below == Some("heading") {
                block = block.with("tight", true);
            }
        }
        if outside > 0 {
            block = block.with("quote", outside);
        }
        self.push(block, open.range, inner);
    }

    /// `inner` is the quote in a list that the block is in.
    pub(super) fn push(&mut self, mut block: NewBlock, range: Range<usize>, inner: Option<usize>) {
        let outer = self.quotes.iter().take(self.outside());
        let around: Vec<usize> = outer.map(|quote| quote.number).chain(inner).collect();
        let last = self.blocks.last().map(|read| number(&read.block, "indent"));
        let beside = last == Some(number(&block, "indent"));
        let both = around.iter().zip(&self.around).next_back();
        if beside && both.is_some_and(|(one, other)| one != other) {
            block = block.with("anew", true);
        }
        self.around = around;
        let indent = number(&block, "indent");
        let right = |at: &usize| number(&self.blocks[*at].block, "indent") >= indent;
        while self.left_edge.last().is_some_and(right) {
            self.left_edge.pop();
        }
        self.left_edge.push(self.blocks.len());
        self.blocks.push(Read { block, range });
    }

    /// How many quotes there are around everything, lists too.
    pub(super) fn outside(&self) -> usize {
        self.lists
            .first()
            .map_or(self.quotes.len(), |list| list.quotes)
    }

    /// The item of a list, without its words.
    fn item_block(&mut self, item: &Item, apart: bool) -> NewBlock {
        let depth = self.lists.len().saturating_sub(1);
        let outside = self.outside();
        let (start, fresh) = match self.lists.last_mut() {
            Some(list) => (list.start, std::mem::take(&mut list.fresh)),
            None => (None, false),
        };
        let list = match (item.checked, start) {
            (Some(_), _) => "task",
            (None, Some(_)) => "ordered",
            (None, None) => "bullet",
        };
        let mut block = NewBlock::new("listItem", "").with("list", list);
        if item.checked == Some(true) {
            block = block.with("checked", true);
        }
        if let ("ordered", Some(start), true) = (list, start, fresh)
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
        if outside > 0 {
            block = block.with("quote", outside);
        }
        let mut edge = self.left_edge.iter().rev();
        let beside = edge.find_map(|at| {
            let block = &self.blocks[*at].block;
            (number(block, "indent") <= depth).then_some(block)
        });
        let like = beside.is_some_and(|other| {
            let numbered = |block: &NewBlock| block.props.get("list") == Some(&json!("ordered"));
            other.kind == "listItem"
                && number(other, "indent") == depth
                && number(other, "quote") == outside
                && numbered(other) == numbered(&block)
        });
        if fresh && like {
            block = block.with("anew", true);
        }
        block
    }

    /// An item that begins with a list or a quote has no words of its own.
    pub(super) fn wordless(&mut self, range: &Range<usize>) {
        self.flush();
        if self.item.is_some() {
            self.open(&(range.start..range.start));
            self.flush();
        }
    }
}

fn number(block: &NewBlock, name: &str) -> usize {
    let value = block.props.get(name).and_then(Value::as_u64);
    value.and_then(|n| usize::try_from(n).ok()).unwrap_or(0)
}
