//! What people and fairies do to a page, at random.

use std::collections::BTreeSet;

use glade_doc::{CommentId, Commit, Edit, ElementId, PageDoc, PeerId, Props, RunTag};
use rand::Rng;
use rand::rngs::StdRng;
use serde_json::{Value, json};

/// One thing done. It can be done again elsewhere, as a client does after a refusal.
#[derive(Debug, Clone)]
pub enum Act {
    Edit(Vec<Edit>),
    /// Types one character that is typed nowhere else, so that each can be counted.
    Type {
        id: ElementId,
        token: char,
        at: usize,
    },
    /// Says something about the page, or changes what was said.
    Comment {
        id: CommentId,
        props: Props,
    },
    /// What no page takes: the client must find back to the server's state by itself.
    RemoveKey(ElementId),
}

impl Act {
    /// As edits of that document.
    pub fn on(&self, doc: &PageDoc) -> Vec<Edit> {
        match self {
            Self::Edit(edits) => edits.clone(),
            Self::RemoveKey(_) | Self::Comment { .. } => Vec::new(),
            Self::Type { id, token, at } => {
                let mut words: Vec<char> = words(doc, id).chars().collect();
                words.insert((*at).min(words.len()), *token);
                let words: String = words.into_iter().collect();
                let mut props = json!({ "originalText": words });
                if doc.surface().has_shapes() {
                    props["type"] = "text".into();
                }
                vec![put(id.clone(), props)]
            }
        }
    }

    pub fn commit(&self, doc: &PageDoc, peer: PeerId, tag: Option<&RunTag>) -> Option<Commit> {
        match self {
            Self::RemoveKey(id) => Some(write(doc, peer, id, || {
                let elements = doc.loro().get_map(doc.surface().root());
                elements.delete(id.as_str()).unwrap();
            })),
            Self::Comment { id, props } => doc.comment(peer, id, props).unwrap(),
            // As edits, words change by whole words, and these are all one.
            Self::Type { id, token, at } if !doc.surface().has_shapes() => {
                let text = doc.words(id)?;
                let at = (*at).min(text.len_unicode());
                Some(write(doc, peer, id, || {
                    text.insert(at, &token.to_string()).unwrap();
                }))
            }
            Self::Edit(_) | Self::Type { .. } => doc.commit(peer, tag, &self.on(doc)).unwrap(),
        }
    }

    /// Every element that it writes, binds to or labels.
    pub fn targets(&self) -> BTreeSet<ElementId> {
        let mut targets = BTreeSet::new();
        match self {
            Self::Type { id, .. } | Self::RemoveKey(id) => {
                targets.insert(id.clone());
            }
            Self::Comment { .. } => {}
            Self::Edit(edits) => {
                for edit in edits {
                    targets.insert(edit.id().clone());
                    if let Edit::Put { props, .. } = edit {
                        targets.extend(ties(props));
                    }
                }
            }
        }
        targets
    }
}

/// Writes past all that an edit does.
fn write(doc: &PageDoc, peer: PeerId, id: &ElementId, change: impl FnOnce()) -> Commit {
    let (before, from) = (doc.version(), doc.next_counter(peer));
    doc.loro().set_peer_id(peer).unwrap();
    change();
    doc.loro().commit();
    Commit {
        peer,
        from,
        to: doc.next_counter(peer),
        update: doc.updates_since(&before).unwrap(),
        elements: BTreeSet::from([id.clone()]),
    }
}

/// What an element cannot be whole without: the ends of an arrow, what a label is on, the frame around it.
pub fn ties(props: &Props) -> Vec<ElementId> {
    let bound = |key: &str| props.get(key)?.get("elementId")?.as_str().map(Into::into);
    let frame = props.get("frameId").and_then(Value::as_str);
    [
        bound("startBinding"),
        bound("endBinding"),
        container(props),
        frame.map(Into::into),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// What a label is on.
pub fn container(props: &Props) -> Option<ElementId> {
    props.get("containerId")?.as_str().map(Into::into)
}

pub fn words(doc: &PageDoc, id: &ElementId) -> String {
    doc.element(id)
        .and_then(|props| props.get("originalText")?.as_str().map(str::to_owned))
        .unwrap_or_default()
}

pub fn put(id: ElementId, props: Value) -> Edit {
    let Value::Object(props) = props else {
        panic!("not properties: {props}");
    };
    Edit::Put { id, props }
}

/// A act that makes sense on `doc`; `fresh` names what it makes, `token` is typed if it types.
pub fn random(doc: &PageDoc, rng: &mut StdRng, fresh: &str, token: char) -> Act {
    let all: Vec<ElementId> = doc.elements().into_keys().collect();
    let fresh = ElementId::from(fresh);
    if !doc.surface().has_shapes() {
        return random_in_text(&all, rng, fresh, token);
    }
    let number = |rng: &mut StdRng| rng.random_range(-500..500);
    if all.len() < 2 {
        return Act::Edit(vec![rectangle(fresh, number(rng))]);
    }
    let any = |rng: &mut StdRng| all[rng.random_range(0..all.len())].clone();
    let binding =
        |id: &ElementId| json!({ "elementId": id, "fixedPoint": [0.5, 0.5], "mode": "orbit" });
    match rng.random_range(0..10) {
        0 | 1 if all.len() < 12 => Act::Edit(vec![rectangle(fresh, number(rng))]),
        0..=2 => {
            let (x, y) = (number(rng), number(rng));
            Act::Edit(vec![put(any(rng), json!({ "x": x, "y": y }))])
        }
        3 => {
            let colour = format!("#{:06x}", rng.random_range(0..0xff_ffff));
            Act::Edit(vec![put(any(rng), json!({ "strokeColor": colour }))])
        }
        4 => Act::Edit(vec![Edit::Delete { id: any(rng) }]),
        5 => Act::Edit(vec![put(any(rng), json!({ "isDeleted": false }))]),
        6 => {
            let (start, end) = (any(rng), any(rng));
            let arrow = json!({
                "type": "arrow", "x": 0, "y": 0, "width": 10, "height": 10,
                "points": [[0, 0], [10, 10]],
                "startBinding": binding(&start), "endBinding": binding(&end),
            });
            Act::Edit(vec![put(fresh, arrow)])
        }
        7 => {
            let label = json!({
                "type": "text", "x": 0, "y": 0, "width": 10, "height": 20,
                "containerId": any(rng), "originalText": token.to_string(),
            });
            Act::Edit(vec![put(fresh, label)])
        }
        _ => Act::Type {
            id: any(rng),
            token,
            at: rng.random_range(0..30),
        },
    }
}

/// What a fairy does. It writes words by whole words, and here all of a block are one: it types into none.
pub fn random_of_fairy(doc: &PageDoc, rng: &mut StdRng, fresh: &str, token: char) -> Act {
    match random(doc, rng, fresh, token) {
        Act::Type { .. } if !doc.surface().has_shapes() => paragraph(fresh.into(), "5", token),
        act => act,
    }
}

/// Says something new, answers, rewords, moves, deletes or resolves. Whatever is said begins with
/// the name of who says it, so that it can be told whether anybody else changed it.
pub fn comment(doc: &PageDoc, rng: &mut StdRng, fresh: &str, subject: &str) -> Act {
    let all: Vec<(CommentId, Props)> = doc.comments().into_iter().collect();
    let words = format!("{subject} says {}", rng.random_range(0..1000));
    let (x, y) = (rng.random_range(-500..500), rng.random_range(-500..500));
    let (id, props) = if all.is_empty() || rng.random_bool(0.4) {
        let parent = (!all.is_empty() && rng.random_bool(0.3))
            .then(|| all[rng.random_range(0..all.len())].0.clone());
        let props = json!({
            "author": subject, "authorName": subject, "createdAt": 1, "element": null,
            "x": x, "y": y, "parent": parent, "resolved": false, "isDeleted": false, "text": words,
        });
        (CommentId::from(fresh), props)
    } else {
        let (id, said) = &all[rng.random_range(0..all.len())];
        let own = said.get("author").and_then(Value::as_str) == Some(subject);
        let change = match rng.random_range(0..4) {
            0 if own => json!({ "text": words }),
            1 if own => json!({ "x": x, "y": y }),
            2 if own => json!({ "isDeleted": rng.random_bool(0.5) }),
            _ => json!({ "resolved": rng.random_bool(0.5) }),
        };
        (id.clone(), change)
    };
    let Value::Object(props) = props else {
        panic!("not properties: {props}");
    };
    Act::Comment { id, props }
}

/// The same on a text page, whose blocks these are.
fn random_in_text(all: &[ElementId], rng: &mut StdRng, fresh: ElementId, token: char) -> Act {
    let place = |rng: &mut StdRng| rng.random_range(1..10).to_string();
    if all.len() < 2 || (all.len() < 12 && rng.random_bool(0.1)) {
        return paragraph(fresh, &place(rng), token);
    }
    let any = all[rng.random_range(0..all.len())].clone();
    match rng.random_range(0..10) {
        0 => Act::Edit(vec![put(any, json!({ "index": place(rng) }))]),
        1 => Act::Edit(vec![put(any, json!({ "nodeName": "heading", "level": 2 }))]),
        2 => Act::Edit(vec![put(any, json!({ "nodeName": "listItem" }))]),
        3 => Act::Edit(vec![Edit::Delete { id: any }]),
        4 => Act::Edit(vec![put(any, json!({ "isDeleted": false }))]),
        _ => Act::Type {
            id: any,
            token,
            at: rng.random_range(0..30),
        },
    }
}

fn paragraph(id: ElementId, place: &str, token: char) -> Act {
    let block = json!({
        "nodeName": "paragraph", "parent": null, "index": place,
        "originalText": token.to_string(),
    });
    Act::Edit(vec![put(id, block)])
}

fn rectangle(id: ElementId, x: i32) -> Edit {
    put(
        id,
        json!({ "type": "rectangle", "x": x, "y": 0, "width": 100, "height": 50 }),
    )
}
