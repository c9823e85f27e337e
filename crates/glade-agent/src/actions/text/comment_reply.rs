//! An answer to what somebody said about the page.

use serde_json::{Value, json};

use super::comment;
use super::comment_add::said;
use crate::Remark;
use crate::action::{Action, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::partial_object::PartialObject;
use crate::request::FairyCommand;

pub struct CommentReply;

impl Action for CommentReply {
    type Clean = (Remark, String);

    fn name(&self) -> &'static str {
        "comment-reply"
    }

    fn icon(&self) -> &'static str {
        "↩️"
    }

    fn about(&self) -> &'static str {
        "answer a comment, in its thread"
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("commentId", json!({"type": "string"})),
            ("text", json!({"type": "string"})),
        ]
    }

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
