//! An answer to what somebody said about the page.

use serde_json::{Value, json};

use super::comment;
use super::comment_add::said;
use crate::Remark;
use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::plugins;
use crate::request::FairyCommand;

pub struct CommentReply;

static FACTS: Facts = Facts::new(
    "comment-reply",
    "↩️",
    "answer a comment, in its thread",
    On::Text,
    Work::Edit,
    Impact::Comments,
)
.plugin(&plugins::COMMENTS);

impl Described for CommentReply {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("commentId", json!({"type": "string"})),
            ("text", json!({"type": "string"})),
        ]
    }
}

impl Action for CommentReply {
    type Clean = (Remark, String);

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Self::Clean>, Refusal> {
        let comment = comment(ctx, given.id("commentId"))?;
        // A thread is one level deep, whichever of its comments is answered.
        let to = comment.parent.unwrap_or(comment.id);
        Ok(said(given).map(|text| (Remark::Reply { to, text }, comment.by)))
    }

    fn apply(
        &self,
        clean: &Self::Clean,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Shown, Refusal> {
        let (remark, by) = clean;
        ctx.command(FairyCommand::Comment(remark.clone()));
        Ok(Shown {
            doing: format!("answering {by}"),
            done: format!("answered {by}"),
            ..Shown::default()
        })
    }
}
