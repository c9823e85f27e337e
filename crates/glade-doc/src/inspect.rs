//! Reading what an update does, operation by operation, and refusing what a page does not have.

use std::collections::BTreeSet;

use loro::{
    ContainerType, ID, IdSpan, JsonChange, JsonMapOp, JsonOp, JsonOpContent, JsonTextOp, LoroValue,
};
use loro_internal::loro_common::parse_mergeable_marker;
use serde_json::Value;

use crate::comment::{self, CommentWrite};
use crate::rules;
use crate::schema::{self, ContainerPath, TEXT};
use crate::surface::Surface;
use crate::text;
use crate::value::{is_plain, to_json};
use crate::{Counter, ElementId, PageDoc, PeerId, PeerSpan, Refusal, RunTag};
use crate::{formulas, lines};

/// The latest time of a change, in whatever unit its client counts. Loro writes down how much lies
/// between two changes: what it could not write must not come in.
const LATEST: i64 = 1 << 53;

/// One change of an update: what one peer did in one go, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    pub peer: PeerId,
    pub from: Counter,
    pub to: Counter,
    pub lamport: u32,
    pub message: Option<String>,
    /// The message, if it names a run. What a subject may claim is for the judge to say.
    pub tag: Option<RunTag>,
    pub writes: Vec<Write>,
    /// What it does to comments. They are nobody's touches: no run writes them, none undoes them.
    pub comments: Vec<CommentWrite>,
}

/// One write of a change.
#[derive(Debug, Clone, PartialEq)]
pub struct Write {
    pub element: ElementId,
    /// Empty when the write makes the element.
    pub property: String,
    pub kind: WriteKind,
    /// Follows from other properties; does not count as touching the element.
    pub derived: bool,
    pub counter: Counter,
    /// What a register or a mark was set to.
    pub value: Option<Value>,
    /// What happened to the characters of a text.
    pub text: Option<TextWrite>,
    /// Which mark was set or cleared.
    pub mark: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteKind {
    /// The element was put into the map `elements`, or was put there once more.
    Created,
    Register,
    Text,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextWrite {
    /// Characters with the ids `(change.peer, counter..counter + length)`; among them so many line
    /// breaks, and signs that may begin something nested in a formula.
    Inserted {
        length: Counter,
        breaks: usize,
        signs: usize,
    },
    /// Characters with the ids `(peer, from..to)`.
    Deleted {
        peer: PeerId,
        from: Counter,
        to: Counter,
    },
    /// The text was made, empty.
    Made,
    /// Characters were styled, on a text page: the write's `mark` says how.
    Marked,
    /// Where a style ends.
    MarkEnd,
}

impl Change {
    /// The logical time of a write: with the peer, the order in which registers are decided.
    pub(crate) fn lamport_of(&self, write: &Write) -> u32 {
        self.lamport
            .saturating_add_signed(write.counter - self.from)
    }
}

/// What an update holds.
pub(crate) struct Inspected {
    /// In order of their logical time.
    pub changes: Vec<Change>,
    /// See [`is_ordinary`].
    pub ordinary: bool,
}

/// The changes of `spans`, which `replica` has just imported. Reads its history, not its state.
pub(crate) fn inspect(replica: &PageDoc, spans: &[PeerSpan]) -> Result<Inspected, Refusal> {
    let mut changes = Vec::with_capacity(1);
    let mut ordinary = true;
    for span in spans {
        let mut next = span.from;
        for json in replica
            .loro()
            .export_json_in_id_span(IdSpan::new(span.peer, span.from, span.to))
        {
            check_clock(replica, &json)?;
            ordinary &= is_ordinary(&json);
            let change = read(replica.surface(), json)?;
            if change.from != next {
                return Err(Refusal::unsound("its operations have gaps"));
            }
            next = change.to;
            changes.push(change);
        }
        if next != span.to {
            return Err(Refusal::unsound("operations are missing"));
        }
    }
    changes.sort_by_key(|change| (change.lamport, change.peer));
    Ok(Inspected { changes, ordinary })
}

/// Whether a change is one that history can only hold as it would its own: nothing but keys that
/// are set, one operation a counter, without a message. Together with its clock, its time and its
/// values, which are looked at elsewhere, that is all there is to such a change.
fn is_ordinary(change: &JsonChange) -> bool {
    let sets = |(counter, op): (Counter, &JsonOp)| {
        op.counter == counter && matches!(op.content, JsonOpContent::Map(JsonMapOp::Insert { .. }))
    };
    change.msg.is_none() && (change.id.counter..).zip(&change.ops).all(sets)
}

/// Whether `changes` leave the page as a page may be. `replica` has merged them, state and all.
pub(crate) fn check_outcome(replica: &PageDoc, changes: &[Change]) -> Result<(), Refusal> {
    let written: BTreeSet<&ElementId> = changes
        .iter()
        .flat_map(|change| change.writes.iter().map(|write| &write.element))
        .collect();
    for element in written {
        // Writes below a key that was never made would lie in wait, unseen, for it to be made.
        if !replica.exists(element) {
            return Err(Refusal::HiddenElement {
                element: element.clone(),
            });
        }
    }
    check_words(replica, changes)?;
    comment::check_shape(replica, changes)
}

/// No editor of shapes copes with a book in one of them.
fn check_words(replica: &PageDoc, changes: &[Change]) -> Result<(), Refusal> {
    if !replica.surface().has_shapes() {
        return Ok(());
    }
    let writes = changes.iter().flat_map(|change| &change.writes);
    let typed = |write: &&Write| matches!(write.text, Some(TextWrite::Inserted { .. }));
    for write in writes.filter(typed) {
        let words = replica.words(&write.element);
        let most = rules::most_words();
        if words.is_some_and(|words| words.len_unicode() > most) {
            return Err(Refusal::BadElement {
                element: write.element.clone(),
                property: TEXT.to_owned(),
                reason: format!("it is not text of up to {most} characters"),
            });
        }
    }
    Ok(())
}

/// A change must not claim to be later than its own history makes it: the clock decides which
/// write of a register wins. Loro sets it right on import; this holds it to that.
fn check_clock(replica: &PageDoc, change: &JsonChange) -> Result<(), Refusal> {
    let mut expected = 0;
    for dep in &change.deps {
        let meta = replica
            .loro()
            .get_change(*dep)
            .ok_or_else(|| Refusal::unsound("a dependency is missing"))?;
        let at = meta
            .lamport
            .saturating_add_signed(dep.counter - meta.id.counter);
        expected = expected.max(at.saturating_add(1));
    }
    if change.lamport != expected {
        return Err(Refusal::ClockMismatch {
            peer: change.id.peer,
            counter: change.id.counter,
            found: change.lamport,
            expected,
        });
    }
    Ok(())
}

fn read(surface: Surface, json: JsonChange) -> Result<Change, Refusal> {
    let ID { peer, counter } = json.id;
    if !(0..=LATEST).contains(&json.timestamp) {
        return Err(Refusal::unsound("a change was made at an impossible time"));
    }
    let overlong = || Refusal::unsound("a change has an impossible length");
    let length = json.checked_op_len().ok_or_else(overlong)?;
    let to = Counter::try_from(length)
        .ok()
        .and_then(|length| counter.checked_add(length))
        .ok_or_else(overlong)?;
    let tag = json.msg.as_deref().and_then(RunTag::from_message);
    let (mut writes, mut comments) = (Vec::new(), Vec::new());
    for op in json.ops {
        match schema::place(surface, &op.container) {
            place @ (ContainerPath::Comments
            | ContainerPath::Comment(_)
            | ContainerPath::CommentText(_)) => {
                comments.push(comment::read_op(peer, &place, &op)?);
            }
            place => writes.push(read_op(surface, peer, place, op)?),
        }
    }
    Ok(Change {
        peer,
        from: counter,
        to,
        lamport: json.lamport,
        message: json.msg,
        tag,
        writes,
        comments,
    })
}

fn read_op(
    surface: Surface,
    peer: PeerId,
    place: ContainerPath,
    op: JsonOp,
) -> Result<Write, Refusal> {
    let unknown = Refusal::UnknownOperation {
        peer,
        counter: op.counter,
    };
    match (place, op.content) {
        (ContainerPath::Elements, JsonOpContent::Map(map)) => read_root(surface, op.counter, map),
        (ContainerPath::Element(id), JsonOpContent::Map(map)) => {
            let write = read_element(&op.container, op.counter, element_id(id)?, map)?;
            surface.check_register(&write)?;
            Ok(write)
        }
        (ContainerPath::Text(id), JsonOpContent::Text(text)) => {
            let element = element_id(id)?;
            let change = match text {
                JsonTextOp::Insert { text, .. } => TextWrite::Inserted {
                    length: Counter::try_from(text.chars().count()).map_err(|_| unknown)?,
                    breaks: lines::breaks(&text),
                    signs: formulas::signs(&text),
                },
                JsonTextOp::Delete { len, start_id, .. } => TextWrite::Deleted {
                    peer: start_id.peer,
                    from: start_id.counter,
                    to: start_id
                        .counter
                        .checked_add(len.checked_abs().ok_or_else(|| unknown.clone())?)
                        .ok_or(unknown)?,
                },
                JsonTextOp::Mark {
                    style_key,
                    style_value,
                    ..
                } if surface.has_styled_words() => {
                    let value = to_json(&style_value);
                    let fits = is_plain(&style_value, 0);
                    text::check_mark(&element, &style_key, fits.then_some(&value))?;
                    let mut write = write(element, TEXT, op.counter, Detail::Mark(style_key));
                    write.value = Some(value);
                    return Ok(write);
                }
                JsonTextOp::MarkEnd if surface.has_styled_words() => TextWrite::MarkEnd,
                JsonTextOp::Mark { .. } | JsonTextOp::MarkEnd => {
                    return Err(Refusal::StyledText { element });
                }
            };
            Ok(write(element, TEXT, op.counter, Detail::Text(change)))
        }
        (ContainerPath::Plain, _) => Err(Refusal::PlainContainer {
            container: op.container.to_string(),
        }),
        (ContainerPath::Unknown, _) => Err(Refusal::UnknownContainer {
            container: op.container.to_string(),
        }),
        _ => Err(unknown),
    }
}

fn read_root(surface: Surface, counter: Counter, map: JsonMapOp) -> Result<Write, Refusal> {
    let (key, value) = match map {
        JsonMapOp::Insert { key, value } => (key, value),
        JsonMapOp::Delete { key } => return Err(Refusal::KeyRemoved { element: None, key }),
    };
    let element = element_id(key)?;
    if let LoroValue::Container(container) = &value {
        return Err(Refusal::PlainContainer {
            container: container.to_string(),
        });
    }
    match parse_mergeable_marker(&surface.root_id(), element.as_str(), &value) {
        Some(ContainerType::Map) => Ok(write(element, "", counter, Detail::Created)),
        _ => Err(Refusal::NotAnElement { element }),
    }
}

fn read_element(
    container: &loro::ContainerID,
    counter: Counter,
    element: ElementId,
    map: JsonMapOp,
) -> Result<Write, Refusal> {
    let (property, value) = match map {
        JsonMapOp::Insert { key, value } => (key, value),
        JsonMapOp::Delete { key } => {
            return Err(Refusal::KeyRemoved {
                element: Some(element),
                key,
            });
        }
    };
    if !schema::is_sane_name(&property) {
        return Err(Refusal::BadProperty { element, property });
    }
    if let LoroValue::Container(child) = &value {
        return Err(Refusal::PlainContainer {
            container: child.to_string(),
        });
    }
    if property == TEXT {
        return match parse_mergeable_marker(container, TEXT, &value) {
            Some(ContainerType::Text) => {
                Ok(write(element, TEXT, counter, Detail::Text(TextWrite::Made)))
            }
            _ => Err(Refusal::NotText { element }),
        };
    }
    if !is_plain(&value, 0) {
        return Err(Refusal::NotPlain { element, property });
    }
    let value = to_json(&value);
    Ok(write(element, &property, counter, Detail::Register(value)))
}

fn element_id(id: String) -> Result<ElementId, Refusal> {
    if schema::is_sane_name(&id) && !rules::is_reserved(&id) {
        Ok(ElementId(id))
    } else {
        Err(Refusal::BadElementId { id })
    }
}

enum Detail {
    Created,
    Register(Value),
    Text(TextWrite),
    Mark(String),
}

fn write(element: ElementId, property: &str, counter: Counter, detail: Detail) -> Write {
    let (kind, value, text, mark) = match detail {
        Detail::Created => (WriteKind::Created, None, None, None),
        Detail::Register(value) => (WriteKind::Register, Some(value), None, None),
        Detail::Text(text) => (WriteKind::Text, None, Some(text), None),
        Detail::Mark(mark) => (WriteKind::Text, None, Some(TextWrite::Marked), Some(mark)),
    };
    Write {
        element,
        property: property.to_owned(),
        kind,
        derived: false,
        counter,
        value,
        text,
        mark,
    }
}
