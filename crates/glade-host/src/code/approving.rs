//! A person's answer to a question about a write, and what it allows from then on.

use std::sync::Arc;

use glade_access::{Capability, Op};
use glade_code::{ChangeKind, Grant, Reach, ToolError};
use glade_store::Change;
use serde::Deserialize;
use utoipa::ToSchema;

use super::asking::{Answer, Waiting};
use super::{Chat, CodeError, CodeHost};

/// A person's answer.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Decision {
    #[serde(rename = "approvalId")]
    pub approval: String,
    pub allow: bool,
    /// How far a yes reaches: `{"scope": "once" | "run" | "chat"}` or `{"scope": "paths", "paths": […]}`.
    /// It is a yes to changes of this kind only: creating, editing, deleting or moving files.
    #[serde(default)]
    pub reach: Option<Reach>,
    /// Why not: the model is told, and goes on.
    #[serde(default)]
    pub reason: Option<String>,
}

/// What is allowed no more.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct TakenBack {
    #[serde(flatten)]
    pub reach: Reach,
    /// `create`, `edit`, `delete` or `move`; all of them when absent.
    pub kind: Option<ChangeKind>,
}

impl CodeHost {
    /// Answers a question about a write. Only a yes to a question that waits in this very chat allows
    /// anything, and nothing that whoever says it may not write.
    pub async fn decide(
        &self,
        id: &str,
        decision: Decision,
        by: &Capability,
    ) -> Result<(), CodeError> {
        let over = || CodeError::Wrong("This was answered already, or is not asked here.".into());
        let (run, questions) = {
            let chats = self.chats();
            let ctx = chats
                .get(id)
                .ok_or_else(|| CodeError::NoChat(id.to_owned()))?;
            let running = ctx.running.as_ref().ok_or_else(over)?;
            (running.run.clone(), Arc::clone(&running.questions))
        };
        let waiting = questions.take(&decision.approval).ok_or_else(over)?;
        let put_back = |waiting: Waiting, error: CodeError| {
            questions.put_back(&decision.approval, waiting);
            Err(error)
        };
        let within = waiting.paths.iter().all(|path| by.allows_path(path));
        if !(by.allows_project(Op::Edit) && within) {
            let why = "This token may not change this file, so it may not say yes or no to it.";
            return put_back(waiting, CodeError::Forbidden(why.to_owned()));
        }
        let grant = decision
            .reach
            .filter(|_| decision.allow)
            .map(|reach| Grant {
                kind: waiting.kind,
                reach,
                run,
                within: by.paths().cloned(),
            });
        let Some(grant) = grant else {
            let answer = if decision.allow {
                Answer::Yes
            } else {
                Answer::No(decision.reason)
            };
            return waiting.answer(answer).then_some(()).ok_or_else(over);
        };
        let row = self.with_ctx(id, |ctx| {
            let mut allowed = ctx.allowed.clone();
            allowed.grant(grant.clone())?;
            Ok::<_, ToolError>(ctx.row_allowing(id, &allowed))
        });
        let row = match row? {
            Ok(row) => row,
            Err(error) => return put_back(waiting, CodeError::Wrong(error.words)),
        };
        // Durable before it is acted on: what was allowed for good is remembered.
        if let Err(error) = self.store.write(vec![Change::PutCodeChat(row)]).await {
            return put_back(waiting, error.into());
        }
        if !waiting.answer(Answer::Yes) {
            // Nobody waits for it any more: it was said to no question.
            self.keep_settings(id).await?;
            return Err(over());
        }
        let granted = self.with_ctx(id, |ctx| ctx.allowed.grant(grant))?;
        granted.map_err(|error| CodeError::Wrong(error.words))
    }

    /// From now on the chat asks again, its run under way too.
    pub async fn take_back(&self, id: &str, what: &TakenBack) -> Result<Chat, CodeError> {
        self.change(id, |ctx| ctx.allowed.take_back(&what.reach, what.kind))
            .await?;
        self.chat(id)
    }
}
