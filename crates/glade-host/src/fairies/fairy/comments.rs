//! A fairy's comments on a page, and its searches on all pages.

use std::sync::Arc;

use futures_util::FutureExt as _;
use glade_agent::{Comment, Event, Outside, Remark};
use glade_doc::CommentId;
use glade_doc::schema::comment::{
    AUTHOR, AUTHOR_NAME, CREATED_AT, ELEMENT, IS_DELETED, PARENT, RESOLVED, TEXT,
};
use serde_json::{Value, json};

use super::FairyTask;
use crate::fairies::card::host_of;
use crate::ids;
use crate::rooms::{CommitRefused, FairyComment, RoomHandle};
use crate::search;
use crate::workspace::Workspace;

impl FairyTask {
    pub(super) async fn comment(
        &mut self,
        action: u32,
        tool: &'static str,
        remark: Remark,
    ) -> Option<Event> {
        let seat = self.seat.as_mut().filter(|seat| !seat.fenced)?;
        let said = FairyComment {
            remark,
            id: CommentId::from(ids::comment()),
            name: self.identity.shown.name.clone(),
        };
        match seat.room.fairy_comment(&seat.session, tool, said).await {
            Ok(()) => None,
            Err(CommitRefused::Fenced) => {
                seat.fenced = true;
                None
            }
            Err(CommitRefused::Refused(reason) | CommitRefused::Broken(reason)) => {
                Some(Event::Refused { action, reason })
            }
        }
    }

    /// Why something is not fetched, although the network is switched on.
    pub(super) fn fetch_barred(&self, what: &Outside) -> Option<String> {
        let Outside::Page { address } = what else {
            return None;
        };
        let settings = self.deps.workspace.plugins();
        match host_of(address) {
            Some(host) => settings.bars_host(&host),
            None => Some(format!("{address} is no address of a web page")),
        }
    }

    /// Looks for words on the pages that it sees, which are no more than the asker may read.
    pub(super) fn search(&mut self, action: u32, query: String) {
        let mut pages = self.deps.workspace.snapshot().pages;
        pages.retain(|page| self.may_see(&page.id, &page.tier));
        let rooms = Arc::clone(&self.deps.rooms);
        let stream = self.phase.run().map(|run| Arc::clone(run.stream()));
        let looking = async move {
            let found = search::find(&rooms, &pages, &query).await;
            if let (Ok(found), Some(stream)) = (&found, stream) {
                found.iter().for_each(|place| stream.tells_of(&place.page));
            }
            let found = found
                .map(|places| json!({"search": query, "places": places}))
                .map_err(|error| error.to_string());
            (action, found)
        };
        self.phase.fetch(looking.boxed());
    }
}

/// What was said about a page and stands, oldest first. Who said it is the server's word: anybody can
/// write any name into a comment.
pub(super) async fn comments_of(room: &RoomHandle, workspace: &Workspace) -> Vec<Comment> {
    let all = match room.comments().await {
        Ok(all) => all,
        Err(error) => {
            tracing::debug!(%error, "the comments of a page could not be read");
            return Vec::new();
        }
    };
    let mut standing: Vec<_> = all
        .into_iter()
        .filter(|(_, props)| props.get(IS_DELETED) != Some(&Value::Bool(true)))
        .collect();
    standing.sort_by_key(|(_, props)| props.get(CREATED_AT).and_then(Value::as_i64));
    let comments = standing.into_iter().map(|(id, props)| {
        let word = |name: &str| props.get(name).and_then(Value::as_str).map(str::to_owned);
        Comment {
            id: id.to_string(),
            element: word(ELEMENT).map(Into::into),
            by: match word(AUTHOR) {
                Some(subject) if !subject.starts_with("fairy:") => workspace.name_of(&subject),
                // The server wrote it, and the fairy may be gone.
                _ => word(AUTHOR_NAME).unwrap_or_default(),
            },
            text: word(TEXT).unwrap_or_default(),
            parent: word(PARENT),
            resolved: props.get(RESOLVED) == Some(&Value::Bool(true)),
        }
    });
    comments.collect()
}
