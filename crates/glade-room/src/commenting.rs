//! What fairies say about a page: comments of their own, in no run, through the same door as a person's.

use glade_doc::schema::comment::{
    AUTHOR, AUTHOR_NAME, CREATED_AT, ELEMENT, IS_DELETED, PARENT, RESOLVED, TEXT, X, Y,
};
use glade_doc::text::{ANCHOR, MARKS, Mark, from_value, to_value};
use glade_doc::{CommentId, Commit, DocError, Edit, ElementId, PeerId, Props, Remark};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::merging::Author;
use crate::room::Room;
use crate::seats::{CommitRefused, FairySession};

/// A remark and what its maker cannot know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FairyComment {
    pub remark: Remark,
    /// For a comment yet to be.
    pub id: CommentId,
    /// What the fairy is called now.
    pub name: String,
}

impl Room {
    /// Makes a comment, answers one or resolves one, under the fairy's name.
    pub(crate) fn fairy_comment(
        &mut self,
        session: &FairySession,
        tool: &str,
        said: &FairyComment,
    ) -> Result<(), CommitRefused> {
        let seat = self.seats.valid(session)?;
        let (peer, capability) = (seat.peer, seat.capability.clone());
        let (asker, bounds) = (seat.asker.clone(), seat.bounds.clone());
        let allowed = match &asker {
            Some(asker) => capability.intersect(asker),
            None => capability.clone(),
        };
        let admitted = self
            .admit_tool(&capability, asker.as_ref(), &bounds, tool)
            .and_then(|()| match &said.remark {
                Remark::Reply { to, .. } | Remark::Resolve { id: to } => self.said(to).map(drop),
                Remark::Add { .. } => Ok(()),
            });
        if let Err(reason) = admitted {
            self.record_refusal(&capability.subject, "comment", &reason);
            return Err(CommitRefused::Refused(reason));
        }
        let author = Author {
            subject: &capability.subject,
            capability: Some(&allowed),
            run: None,
            conn: None,
        };
        let (id, props) = self.props_of(said, &capability.subject);
        let commit = self.document.whole_replica().comment(peer, &id, &props);
        self.submit_said(&author, commit)?;
        if let Remark::Add {
            block,
            words: Some(words),
            which,
            ..
        } = &said.remark
        {
            let commit = self.anchor(peer, block, (words, *which), &id);
            self.submit_said(&author, commit)?;
        }
        Ok(())
    }

    /// A comment that stands.
    fn said(&self, id: &str) -> Result<Props, String> {
        let comment = self.document.doc().comment_of(&CommentId::from(id));
        comment
            .filter(|props| props.get(IS_DELETED) != Some(&Value::Bool(true)))
            .ok_or_else(|| format!("the comment {id} is gone"))
    }

    /// What to write, and to which comment.
    fn props_of(&self, said: &FairyComment, subject: &str) -> (CommentId, Props) {
        let new = |element: Value, parent: Value, text: &str| {
            json!({
                AUTHOR: subject, AUTHOR_NAME: said.name, CREATED_AT: self.now_ms,
                ELEMENT: element, X: 0, Y: 0, PARENT: parent,
                RESOLVED: false, IS_DELETED: false, TEXT: text,
            })
        };
        let (id, props) = match &said.remark {
            Remark::Add { block, text, .. } => {
                (said.id.clone(), new(json!(block), Value::Null, text))
            }
            Remark::Reply { to, text } => {
                let thread = self.said(to).unwrap_or_default();
                let element = thread.get(ELEMENT).cloned().unwrap_or_default();
                (said.id.clone(), new(element, json!(to), text))
            }
            Remark::Resolve { id } => (CommentId::from(id.as_str()), json!({ RESOLVED: true })),
        };
        (id, props.as_object().cloned().unwrap_or_default())
    }

    /// The words of the block that the comment is about wear its anchor; if they are gone by now,
    /// the comment is about the block.
    fn anchor(
        &mut self,
        peer: PeerId,
        block: &ElementId,
        (words, which): (&str, usize),
        comment: &CommentId,
    ) -> Result<Option<Commit>, DocError> {
        let props = self.document.doc().element(block).unwrap_or_default();
        let text = props.get("originalText").and_then(Value::as_str);
        let text = text.unwrap_or_default().to_owned();
        let mut places = text.match_indices(words);
        let Some((at, _)) = places
            .nth(which)
            .or_else(|| text.match_indices(words).next())
        else {
            return Ok(None);
        };
        let from = text[..at].chars().count();
        let to = from + words.chars().count();
        let mut marks = props.get(MARKS).map(from_value).unwrap_or_default();
        marks.push(Mark {
            from,
            to,
            name: ANCHOR.to_owned(),
            value: json!(comment),
        });
        let edit = Edit::Rewrite {
            id: block.clone(),
            base: text.clone(),
            text,
            marks: Some(to_value(&marks)),
        };
        self.document.whole_replica().commit(peer, None, &[edit])
    }

    fn submit_said(
        &mut self,
        author: &Author<'_>,
        commit: Result<Option<Commit>, DocError>,
    ) -> Result<(), CommitRefused> {
        let commit = match commit {
            Ok(Some(commit)) => commit,
            Ok(None) => return Ok(()),
            Err(error) => {
                self.document.replica.forget();
                return Err(CommitRefused::Broken(error.to_string()));
            }
        };
        match self.submit(author, &commit.update) {
            Ok(_) => Ok(()),
            Err(refusal) => {
                self.document.replica.forget();
                self.record_refusal(author.subject, refusal.code(), &refusal.to_string());
                Err(CommitRefused::Refused(refusal.to_string()))
            }
        }
    }
}
