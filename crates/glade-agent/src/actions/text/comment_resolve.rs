//! A thread that is done with.

use serde_json::{Value, json};

use super::comment;
use crate::Remark;
use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::plugins;
use crate::request::FairyCommand;
use crate::shapes::short;

pub struct CommentResolve;

static FACTS: Facts = Facts::new(
    "comment-resolve",
    "✅",
    "mark a comment's thread as resolved, once you have done what it asks for",
    On::Text,
    Work::Edit,
    Impact::Comments,
)
.plugin(&plugins::COMMENTS);

impl Described for CommentResolve {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![("commentId", json!({"type": "string"}))]
    }
}

impl Action for CommentResolve {
    type Clean = (Remark, String);

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Self::Clean>, Refusal> {
        let comment = comment(ctx, given.id("commentId"))?;
        let id = comment.parent.unwrap_or(comment.id);
        Ok(Some((Remark::Resolve { id }, comment.text)))
    }

    fn apply(
        &self,
        clean: &Self::Clean,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Shown, Refusal> {
        let (remark, text) = clean;
        ctx.command(FairyCommand::Comment(remark.clone()));
        Ok(Shown {
            doing: "resolving a comment".to_owned(),
            done: format!("resolved “{}”", short(text)),
            ..Shown::default()
        })
    }
}
