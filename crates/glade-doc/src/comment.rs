//! Comments on a canvas: what they are made of, and whose they are.
//!
//! A comment is a mergeable map below the root `comments`, its registers named in
//! [`schema::comment`], its words mergeable text. [`read_op`] and [`check_shape`] are the gate's
//! part: an update can only leave comments of that shape. [`Commenter::check`] is the judge's part:
//! a comment is its author's, except that anyone who may comment resolves it, and the owner deletes
//! any. Whose a comment is was decided by the first update that the room took: later ones are held
//! against the document, so nobody can claim or reword what another said, however they time it.

use std::collections::{BTreeMap, BTreeSet};

use loro::{
    Container, ContainerType, JsonMapOp, JsonOp, JsonOpContent, JsonTextOp, LoroMap, LoroValue,
    ValueOrContainer,
};
use loro_internal::loro_common::parse_mergeable_marker;
use serde_json::Value;

use crate::edit::{write_register, write_text};
use crate::page::{props, register_of};
use crate::rules;
use crate::schema::comment::{
    AUTHOR, AUTHOR_NAME, CREATED_AT, ELEMENT, IS_DELETED, PARENT, RESOLVED, TEXT, X, Y,
};
use crate::schema::{self, COMMENTS, ContainerPath, is_comment_id, is_sane_name};
use crate::value::{is_plain, to_json};
use crate::{Change, CommentId, Commit, Counter, DocError, PageDoc, PeerId, Props, Refusal};

/// Most characters of one comment.
const MAX_TEXT: usize = 20_000;

/// The latest time of a comment, in milliseconds.
const LATEST: f64 = 9e15;

/// One write of a change to a comment.
#[derive(Debug, Clone, PartialEq)]
pub struct CommentWrite {
    pub comment: CommentId,
    /// Empty when the write makes the comment.
    pub property: String,
    /// What a register was set to.
    pub value: Option<Value>,
    pub counter: Counter,
}

impl PageDoc {
    /// All comments, deleted ones too (`isDeleted`); `text` is a string.
    pub fn comments(&self) -> BTreeMap<CommentId, Props> {
        match self.loro().get_map(COMMENTS).get_deep_value() {
            LoroValue::Map(entries) => entries
                .iter()
                .filter(|(_, value)| value.is_map())
                .map(|(id, value)| (CommentId(id.clone()), props(value.clone())))
                .collect(),
            _ => BTreeMap::new(),
        }
    }

    /// How many comments there are, deleted ones included.
    pub fn comment_count(&self) -> usize {
        self.loro().get_map(COMMENTS).len()
    }

    /// Whether there is such a comment, deleted or not.
    pub fn has_comment(&self, id: &CommentId) -> bool {
        self.loro().get_map(COMMENTS).get(id.as_str()).is_some()
    }

    /// One comment, deleted or not.
    pub fn comment_of(&self, id: &CommentId) -> Option<Props> {
        Some(props(self.comment_map(id)?.get_deep_value()))
    }

    /// Make a comment or change one: those of `props` that differ from what there is. Whether it
    /// is this author's to change is for the gate to say.
    pub fn comment(
        &self,
        author: PeerId,
        id: &CommentId,
        props: &Props,
    ) -> Result<Option<Commit>, DocError> {
        self.write(author, None, COMMENTS, |root| {
            let map = root.ensure_mergeable_map(id.as_str())?;
            for (name, value) in props {
                match value {
                    Value::String(words) if name == TEXT => {
                        write_text(&map.ensure_mergeable_text(TEXT)?, words)?;
                    }
                    value => write_register(&map, name, value)?,
                }
            }
            Ok(())
        })
    }

    fn comment_map(&self, id: &CommentId) -> Option<LoroMap> {
        match self.loro().get_map(COMMENTS).get(id.as_str())? {
            ValueOrContainer::Container(Container::Map(map)) => Some(map),
            _ => None,
        }
    }

    fn comment_register(&self, id: &CommentId, property: &str) -> Option<Value> {
        register_of(&self.comment_map(id)?, property)
    }
}

/// Reads an operation on comments.
pub(crate) fn read_op(
    peer: PeerId,
    place: &ContainerPath,
    op: &JsonOp,
) -> Result<CommentWrite, Refusal> {
    let (comment, property, value) = match (place, &op.content) {
        (ContainerPath::Comments, JsonOpContent::Map(map)) => {
            (read_root(map)?, String::new(), None)
        }
        (ContainerPath::Comment(id), JsonOpContent::Map(map)) => {
            let id = comment_id(id)?;
            let (property, value) = read_register(&op.container, &id, map)?;
            (id, property, value)
        }
        (ContainerPath::CommentText(id), JsonOpContent::Text(text)) => {
            let id = comment_id(id)?;
            if matches!(text, JsonTextOp::Mark { .. } | JsonTextOp::MarkEnd) {
                return Err(bad(&id, "its words are plain characters"));
            }
            (id, TEXT.to_owned(), None)
        }
        _ => {
            return Err(Refusal::UnknownOperation {
                peer,
                counter: op.counter,
            });
        }
    };
    Ok(CommentWrite {
        comment,
        property,
        value,
        counter: op.counter,
    })
}

fn read_root(map: &JsonMapOp) -> Result<CommentId, Refusal> {
    match map {
        JsonMapOp::Delete { key } => Err(bad(
            &CommentId::from(key.as_str()),
            "nothing is ever removed: set isDeleted",
        )),
        JsonMapOp::Insert { key, value } => {
            let id = comment_id(key)?;
            match parse_mergeable_marker(&schema::comments_root(), key, value) {
                Some(ContainerType::Map) => Ok(id),
                _ => Err(bad(
                    &id,
                    "it is not a mergeable map; use ensureMergeableMap",
                )),
            }
        }
    }
}

fn read_register(
    container: &loro::ContainerID,
    id: &CommentId,
    map: &JsonMapOp,
) -> Result<(String, Option<Value>), Refusal> {
    let (property, value) = match map {
        JsonMapOp::Insert { key, value } => (key, value),
        JsonMapOp::Delete { .. } => return Err(bad(id, "nothing is ever removed; write null")),
    };
    if property == TEXT {
        return match parse_mergeable_marker(container, TEXT, value) {
            Some(ContainerType::Text) => Ok((TEXT.to_owned(), None)),
            _ => Err(bad(id, "text is not mergeable; use ensureMergeableText")),
        };
    }
    if !is_plain(value, 0) {
        return Err(bad(id, &format!("{property} is not a plain JSON value")));
    }
    let value = to_json(value);
    let fits = match property.as_str() {
        AUTHOR | AUTHOR_NAME => value.as_str().is_some_and(is_sane_name),
        CREATED_AT => value.as_f64().is_some_and(|at| (0.0..LATEST).contains(&at)),
        X | Y => rules::check(property, &value).is_ok(),
        ELEMENT => value.is_null() || value.as_str().is_some_and(is_sane_name),
        PARENT => value.is_null() || value.as_str().is_some_and(is_comment_id),
        RESOLVED | IS_DELETED => value.is_boolean(),
        _ => return Err(bad(id, &format!("it has no property {property:?}"))),
    };
    if !fits {
        return Err(bad(id, &format!("{property} cannot be {value}")));
    }
    Ok((property.clone(), Some(value)))
}

/// What the comments of `changes` have come to in `replica`, which has merged them.
pub(crate) fn check_shape(replica: &PageDoc, changes: &[Change]) -> Result<(), Refusal> {
    let written: BTreeSet<&CommentId> = changes
        .iter()
        .flat_map(|change| change.comments.iter().map(|write| &write.comment))
        .collect();
    for id in written {
        let Some(map) = replica.comment_map(id) else {
            return Err(bad(id, "it is not in the map `comments`"));
        };
        for needed in [AUTHOR, CREATED_AT, X, Y] {
            if register_of(&map, needed).is_none() {
                return Err(bad(id, &format!("{needed} is missing")));
            }
        }
        if let Some(ValueOrContainer::Container(Container::Text(text))) = map.get(TEXT)
            && text.len_unicode() > MAX_TEXT
        {
            return Err(bad(id, &format!("it has more than {MAX_TEXT} characters")));
        }
        let mut seen = BTreeSet::from([id.clone()]);
        let mut at = map;
        while let Some(Value::String(parent)) = register_of(&at, PARENT) {
            let parent = CommentId(parent);
            at = match replica.comment_map(&parent) {
                Some(map) if !seen.contains(&parent) => map,
                Some(_) => return Err(bad(id, "it answers itself")),
                None => return Err(bad(id, &format!("it answers {parent}, which is not there"))),
            };
            seen.insert(parent);
        }
    }
    Ok(())
}

/// Somebody who writes comments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Commenter<'a> {
    pub subject: &'a str,
    /// May delete what others said.
    pub moderates: bool,
}

impl Commenter<'_> {
    /// Whether what `changes` do to comments is this person's to do; `before` has not merged them.
    pub fn check(&self, changes: &[Change], before: &PageDoc) -> Result<(), Refusal> {
        for change in changes {
            if change.tag.is_some() && !change.comments.is_empty() {
                return Err(denied(
                    "comment-in-run",
                    "a comment is nobody's work to undo: commit it without a run",
                ));
            }
            for write in &change.comments {
                self.check_write(write, before)?;
            }
        }
        Ok(())
    }

    fn check_write(&self, write: &CommentWrite, before: &PageDoc) -> Result<(), Refusal> {
        if write.property == AUTHOR && write.value.as_ref() != Some(&Value::from(self.subject)) {
            return Err(denied(
                "comment-author",
                "a comment's author is whoever sends it",
            ));
        }
        // One that is not there yet will be this person's: the shape asks for an author, and the
        // lines above for this one.
        let Some(author) = before.comment_register(&write.comment, AUTHOR) else {
            return Ok(());
        };
        let theirs = author == self.subject;
        let anyone = write.property.is_empty() || write.property == RESOLVED;
        let moderated = self.moderates && write.property == IS_DELETED;
        if theirs || anyone || moderated {
            return Ok(());
        }
        Err(denied(
            "foreign-comment",
            "only its author changes what a comment says and where; others may resolve it",
        ))
    }
}

fn comment_id(id: &str) -> Result<CommentId, Refusal> {
    let comment = CommentId::from(id);
    if is_comment_id(id) {
        Ok(comment)
    } else {
        Err(bad(&comment, "its id is not cm_ and 12 of a-z0-9"))
    }
}

fn bad(comment: &CommentId, reason: &str) -> Refusal {
    Refusal::BadComment {
        comment: CommentId(comment.0.chars().take(schema::MAX_NAME_BYTES).collect()),
        reason: reason.to_owned(),
    }
}

fn denied(code: &'static str, reason: &str) -> Refusal {
    Refusal::Denied {
        code,
        reason: reason.to_owned(),
    }
}
