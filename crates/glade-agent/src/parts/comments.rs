//! What was said about a text page and is not resolved, thread by thread, with the words that each is
//! about.

use glade_doc::ElementId;
use glade_text::Page;
use serde::{Deserialize, Serialize};

use crate::event::Comment;
use crate::facts::On;
use crate::ids::IdMap;
use crate::part::{Part, PartFacts, Topic, View, fenced, told};
use crate::prompt::PromptMessage;

/// The newest threads that are shown.
const MOST: usize = 40;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comments {
    pub threads: Vec<Thread>,
    /// Open threads that are older than those.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub older: usize,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Thread {
    pub comment_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_id: Option<String>,
    /// The words that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
    pub by: String,
    pub text: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replies: Vec<Reply>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reply {
    pub by: String,
    pub text: String,
}

pub struct CommentsPart;

static FACTS: PartFacts = PartFacts::new("comments", Topic::InView, On::Text);

impl Part for CommentsPart {
    type Data = Comments;

    fn facts(&self) -> &PartFacts {
        &FACTS
    }

    fn gather(&self, view: &mut View<'_, '_>) -> Option<Comments> {
        let live = view.world.scene.live();
        let page = Page::read(live.map(|element| (&element.id, &element.props)));
        let mut threads = threads(&page, view.world.comments, view.ids);
        let older = threads.len().saturating_sub(MOST);
        threads.drain(..older);
        let some = !threads.is_empty();
        some.then_some(Comments { threads, older })
    }

    fn print(&self, data: &Comments) -> Vec<PromptMessage> {
        let older = match data.older {
            0 => String::new(),
            older => format!(" ({older} older ones are not shown)"),
        };
        told(format!(
            "Comments on the page that nobody has resolved{older}:\n{}",
            fenced(&data.threads)
        ))
    }
}

fn threads(page: &Page, comments: &[Comment], ids: &mut IdMap) -> Vec<Thread> {
    let replies = |to: &Comment| -> Vec<Reply> {
        let to = Some(&to.id);
        let answers = comments.iter().filter(|one| one.parent.as_ref() == to);
        let reply = |one: &Comment| Reply {
            by: one.by.clone(),
            text: one.text.clone(),
        };
        answers.map(reply).collect()
    };
    let open = comments
        .iter()
        .filter(|one| one.parent.is_none() && !one.resolved);
    let mut block = |id: &ElementId| {
        let place = page.position(id)?;
        Some(ids.block_id(id, place + 1))
    };
    let thread = |one: &Comment| Thread {
        comment_id: one.id.clone(),
        block_id: one.element.as_ref().and_then(&mut block),
        words: anchored(page, &one.id),
        by: one.by.clone(),
        text: one.text.clone(),
        replies: replies(one),
    };
    open.map(thread).collect()
}

/// The words that wear the comment's anchor.
fn anchored(page: &Page, comment: &str) -> Option<String> {
    page.blocks.iter().find_map(|block| {
        let own = |mark: &&glade_doc::text::Mark| {
            mark.name == glade_doc::text::ANCHOR && mark.value.as_str() == Some(comment)
        };
        let marks = block.marks.iter().filter(own);
        let (from, to) = marks.fold((usize::MAX, 0), |(from, to), mark| {
            (from.min(mark.from), to.max(mark.to))
        });
        let words = || block.text.chars().skip(from).take(to - from).collect();
        (from < to).then(words)
    })
}
