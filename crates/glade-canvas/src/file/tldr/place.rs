//! Where the shapes of a tldraw file lie on the page, and in which order.

use std::collections::{BTreeMap, BTreeSet};

use glade_doc::Props;
use serde_json::Value;

use super::{Note, Store, name, number, text};
use crate::geometry::{Point, Rect, Size};

/// Groups in groups in frames: deeper ones are left out.
const MAX_DEPTH: usize = 64;
/// Between the pages of a file, which are put side by side.
const PAGE_GAP: f64 = 200.0;

/// A shape with its place on our page.
pub(super) struct Placed {
    pub id: String,
    pub kind: String,
    pub record: Props,
    pub props: Props,
    /// Its corner, which it is turned about.
    pub corner: Point,
    pub angle: f64,
    pub size: Size,
    /// Innermost first.
    pub groups: Vec<String>,
    pub frame: Option<String>,
}

impl Placed {
    /// The box before it is turned about its middle.
    pub fn rect(&self) -> Rect {
        Rect::centered(self.at(self.size.w / 2.0, self.size.h / 2.0), self.size)
    }

    /// A point of the shape's own coordinates, on the page.
    pub fn at(&self, x: f64, y: f64) -> Point {
        self.corner
            .translate(x, y)
            .rotate(self.corner, self.angle)
            .sane()
    }
}

pub(super) struct Layout {
    pub shapes: BTreeMap<String, Placed>,
    /// Bottom first. A frame comes after what is in it.
    pub order: Vec<String>,
}

/// A place in the tree that is still to be visited.
struct Visit {
    id: String,
    corner: Point,
    angle: f64,
    groups: Vec<String>,
    frame: Option<String>,
    depth: usize,
    /// Its children have been visited.
    done: bool,
}

pub(super) fn lay_out(store: &Store, notes: &mut Vec<Note>) -> Layout {
    let children = children(store);
    let mut layout = Layout {
        shapes: BTreeMap::new(),
        order: Vec::new(),
    };
    let mut right: Option<f64> = None;
    for (page, title) in &store.pages {
        let first = layout.order.len();
        visit(store, &children, page, &mut layout, notes);
        let new: Vec<String> = layout.order[first..].to_vec();
        let boxes = new
            .iter()
            .filter_map(|id| layout.shapes.get(id))
            .map(Placed::rect);
        let Some(area) = boxes.reduce(|all, one| all.union(&one)) else {
            continue;
        };
        let shift = right.map_or(0.0, |right| right + PAGE_GAP - area.x);
        if right.is_some() {
            notes.push(Note::Mapped {
                what: format!("the page {title:?}"),
                to: "shapes to the right of the page before".to_owned(),
            });
        }
        for id in &new {
            if let Some(one) = layout.shapes.get_mut(id) {
                one.corner.x += shift;
            }
        }
        right = Some(area.right() + shift);
    }
    let unreached: Vec<&String> = store
        .shapes
        .keys()
        .filter(|id| !layout.shapes.contains_key(*id) && !is_group(store, id))
        .collect();
    for id in unreached {
        notes.push(Note::Skipped {
            what: format!("the shape {id:?}"),
            reason: "it is on no page, or in a circle of groups".to_owned(),
        });
    }
    layout
}

fn is_group(store: &Store, id: &str) -> bool {
    store
        .shapes
        .get(id)
        .is_some_and(|record| text(record, "type") == "group")
}

/// Parent → children, in their order.
fn children(store: &Store) -> BTreeMap<String, Vec<String>> {
    let mut children: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for (id, record) in &store.shapes {
        let index = text(record, "index").to_owned();
        let siblings = children.entry(name(record.get("parentId"))).or_default();
        siblings.push((index, id.clone()));
    }
    let sorted = |mut siblings: Vec<(String, String)>| {
        siblings.sort();
        siblings.into_iter().map(|(_, id)| id).collect()
    };
    children
        .into_iter()
        .map(|(parent, siblings)| (parent, sorted(siblings)))
        .collect()
}

fn visit(
    store: &Store,
    children: &BTreeMap<String, Vec<String>>,
    page: &str,
    layout: &mut Layout,
    notes: &mut Vec<Note>,
) {
    let none = Vec::new();
    let below = |id: &str| children.get(id).unwrap_or(&none).iter().rev();
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut stack: Vec<Visit> = below(page)
        .map(|id| Visit {
            id: id.clone(),
            corner: Point::default(),
            angle: 0.0,
            groups: Vec::new(),
            frame: None,
            depth: 0,
            done: false,
        })
        .collect();
    while let Some(mut at) = stack.pop() {
        if at.done {
            layout.order.push(at.id);
            continue;
        }
        let Some(record) = store.shapes.get(&at.id) else {
            continue;
        };
        if !seen.insert(at.id.clone()) {
            continue;
        }
        if at.depth > MAX_DEPTH {
            notes.push(Note::Skipped {
                what: format!("the shape {:?}", at.id),
                reason: "it lies in too many groups".to_owned(),
            });
            continue;
        }
        let (x, y) = (
            number(record, "x").unwrap_or(0.0),
            number(record, "y").unwrap_or(0.0),
        );
        let corner = at.corner.translate(x, y).rotate(at.corner, at.angle).sane();
        let angle = at.angle + number(record, "rotation").unwrap_or(0.0) % std::f64::consts::TAU;
        let kind = text(record, "type").to_owned();
        let mut groups = at.groups.clone();
        let mut frame = at.frame.clone();
        match kind.as_str() {
            "group" => groups.insert(0, format!("group-{}", at.id)),
            // Frames do not lie in frames here: what is in the inner one belongs to that.
            "frame" => frame = Some(at.id.clone()),
            _ => {}
        }
        let below: Vec<Visit> = below(&at.id)
            .map(|id| Visit {
                id: id.clone(),
                corner,
                angle,
                groups: groups.clone(),
                frame: frame.clone(),
                depth: at.depth + 1,
                done: false,
            })
            .collect();
        if kind != "group" {
            let props = match record.get("props") {
                Some(Value::Object(props)) => props.clone(),
                _ => Props::new(),
            };
            layout.shapes.insert(
                at.id.clone(),
                Placed {
                    id: at.id.clone(),
                    size: size(&kind, &props),
                    kind,
                    record: record.clone(),
                    props,
                    corner,
                    angle,
                    groups: at.groups.clone(),
                    frame: at.frame.clone(),
                },
            );
            at.done = true;
            stack.push(at);
        }
        stack.extend(below);
    }
}

fn size(kind: &str, props: &Props) -> Size {
    const NOTE: f64 = 200.0;
    let scale = number(props, "scale").unwrap_or(1.0).clamp(0.01, 100.0);
    let grow = number(props, "growY").unwrap_or(0.0).max(0.0);
    let side = |key: &str| number(props, key).unwrap_or(0.0).abs();
    match kind {
        "note" => Size::new(NOTE * scale, (NOTE + grow) * scale),
        _ => Size::new(side("w"), side("h") + grow),
    }
}
