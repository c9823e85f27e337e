//! Shapes in full, as a model reads them and writes them back: the few that are selected, picked or being edited.

use std::collections::BTreeMap;

use glade_doc::ElementId;
use serde::Serialize;

use crate::bounds::{bounds, local_rect, page_points};
use crate::element::{Element, ElementKind, TextAlign};
use crate::geo::{GeoKind, polygon_kind};
use crate::geometry::Point;
use crate::palette::{Color, Fill, read_paint};
use crate::scene::Scene;
use crate::view;

/// One shape in full. Each kind names itself in `_type`; a geometric shape by its geometry.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum FullShape {
    Geo(Geo),
    Line(Line),
    Arrow(Arrow),
    Text(Text),
    Note(Note),
    Draw(Draw),
    Image(Image),
    Frame(Frame),
    Group(Group),
    Unknown(Unknown),
}

/// What every shape carries besides its own fields: its id and the model's private remark on it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Common {
    pub shape_id: ElementId,
    pub note: String,
}

macro_rules! full_shape {
    ($(#[$doc:meta])* $name:ident { _type: $type:ty, $($(#[$attr:meta])* $field:ident: $value:ty,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Serialize)]
        #[serde(rename_all = "camelCase")]
        pub struct $name {
            #[serde(rename = "_type")]
            pub kind: $type,
            #[serde(flatten)]
            pub common: Common,
            $($(#[$attr])* pub $field: $value,)*
        }
    };
}

full_shape!(Geo {
    _type: GeoKind,
    color: Color,
    fill: Fill,
    x: f64,
    y: f64,
    w: f64,
    h: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text_align: Option<TextAlign>,
});

full_shape!(Line {
    _type: &'static str,
    color: Color,
    x1: f64,
    y1: f64,
    x2: f64,
    y2: f64,
});

full_shape!(
    /// `bend` is how far the middle of the arrow stands off its straight line, left of it negative.
    Arrow {
        _type: &'static str,
        color: Color,
        x1: f64,
        y1: f64,
        x2: f64,
        y2: f64,
        from_id: Option<ElementId>,
        to_id: Option<ElementId>,
        #[serde(skip_serializing_if = "Option::is_none")]
        text: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        bend: Option<f64>,
    }
);

full_shape!(
    /// `x` and `y` are where `anchor` says; `max_width` is none where the text sets its own width.
    Text {
        _type: &'static str,
        anchor: &'static str,
        color: Color,
        font_size: f64,
        max_width: Option<f64>,
        text: String,
        x: f64,
        y: f64,
    }
);

full_shape!(Note {
    _type: &'static str,
    color: Color,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    x: f64,
    y: f64,
});

full_shape!(Draw {
    _type: &'static str,
    color: Color,
    #[serde(skip_serializing_if = "Option::is_none")]
    fill: Option<Fill>,
});

full_shape!(Image {
    _type: &'static str,
    alt_text: String,
    x: f64,
    y: f64,
    w: f64,
    h: f64,
});

full_shape!(Frame {
    _type: &'static str,
    name: String,
    children: Vec<ElementId>,
    x: f64,
    y: f64,
    w: f64,
    h: f64,
});

full_shape!(
    /// Shapes that move together. `shape_id` is the group's id.
    Group {
        _type: &'static str,
        children: Vec<ElementId>,
        x: f64,
        y: f64,
        w: f64,
        h: f64,
    }
);

full_shape!(Unknown {
    _type: &'static str,
    sub_type: String,
    x: f64,
    y: f64,
});

/// These shapes in full, in the order given, a label read as its container's; then the outermost groups they
/// belong to. Ids that are not live are left out.
pub fn full(scene: &Scene, ids: &[ElementId]) -> Vec<FullShape> {
    let mut seen: Vec<&Element> = Vec::new();
    for id in ids {
        let Some(element) = scene.container_of(id).or_else(|| scene.get(id)) else {
            continue;
        };
        if !seen.iter().any(|earlier| earlier.id == element.id) {
            seen.push(element);
        }
    }
    let mut shapes: Vec<FullShape> = seen
        .iter()
        .map(|element| full_shape(scene, element))
        .collect();
    shapes.extend(groups_of(scene, &seen).into_iter().map(FullShape::Group));
    shapes
}

/// One element in full.
pub fn full_shape(scene: &Scene, element: &Element) -> FullShape {
    let common = Common {
        shape_id: element.id.clone(),
        note: element.custom_str("note").unwrap_or("").to_owned(),
    };
    let rect = bounds(element);
    let (color, fill) = read_paint(
        element.stroke_color(),
        element.background_color(),
        element.fill_style(),
    );
    let text = view::shape_text(scene, element);
    match element.kind() {
        kind if matches!(
            kind,
            ElementKind::Rectangle | ElementKind::Ellipse | ElementKind::Diamond
        ) || polygon_kind(element).is_some() =>
        {
            let box_ = local_rect(element);
            let text_align = scene.label_of(&element.id).map(Element::text_align);
            let kind = view::geo_of(element);
            FullShape::Geo(Geo {
                kind,
                common,
                color,
                fill,
                x: box_.x,
                y: box_.y,
                w: box_.w,
                h: box_.h,
                text,
                text_align,
            })
        }
        ElementKind::Line if !view::is_closed(element) => {
            let (from, to) = ends(element);
            FullShape::Line(Line {
                kind: "line",
                common,
                color,
                x1: from.x,
                y1: from.y,
                x2: to.x,
                y2: to.y,
            })
        }
        ElementKind::Arrow => {
            let (from, to) = ends(element);
            let live = |id: ElementId| scene.get(&id).is_some().then_some(id);
            FullShape::Arrow(Arrow {
                kind: "arrow",
                common,
                color,
                x1: from.x,
                y1: from.y,
                x2: to.x,
                y2: to.y,
                from_id: element.start_binding().and_then(|end| live(end.element_id)),
                to_id: element.end_binding().and_then(|end| live(end.element_id)),
                text,
                bend: bend(&page_points(element)),
            })
        }
        ElementKind::Text => {
            let (anchor, x) = match element.text_align() {
                TextAlign::Left => ("top-left", element.x()),
                TextAlign::Center => ("top-center", element.x() + element.width() / 2.0),
                TextAlign::Right => ("top-right", element.x() + element.width()),
            };
            FullShape::Text(Text {
                kind: "text",
                common,
                anchor,
                color,
                font_size: element.font_size(),
                max_width: (!element.auto_resize()).then(|| element.width()),
                text: element.original_text().to_owned(),
                x,
                y: element.y(),
            })
        }
        ElementKind::StickyNote => {
            let color = Color::from_paper(element.background_color());
            FullShape::Note(Note {
                kind: "note",
                common,
                color,
                text,
                x: element.x(),
                y: element.y(),
            })
        }
        ElementKind::Freedraw | ElementKind::Line => {
            let fill = (fill != Fill::None).then_some(fill);
            FullShape::Draw(Draw {
                kind: "draw",
                common,
                color,
                fill,
            })
        }
        ElementKind::Image => {
            let alt_text = element.custom_str("altText").unwrap_or("").to_owned();
            FullShape::Image(Image {
                kind: "image",
                common,
                alt_text,
                x: rect.x,
                y: rect.y,
                w: rect.w,
                h: rect.h,
            })
        }
        ElementKind::Frame | ElementKind::MagicFrame => FullShape::Frame(Frame {
            kind: "frame",
            common,
            name: text.unwrap_or_default(),
            children: children_of_frame(scene, &element.id),
            x: rect.x,
            y: rect.y,
            w: rect.w,
            h: rect.h,
        }),
        kind => {
            let sub_type = kind.as_str().to_owned();
            FullShape::Unknown(Unknown {
                kind: "unknown",
                common,
                sub_type,
                x: rect.x,
                y: rect.y,
            })
        }
    }
}

fn ends(element: &Element) -> (Point, Point) {
    let points = page_points(element);
    match (points.first(), points.last()) {
        (Some(first), Some(last)) => (*first, *last),
        _ => (
            Point::new(element.x(), element.y()),
            Point::new(element.x(), element.y()),
        ),
    }
}

/// How far the middle of a way stands off the straight line between its ends, to the left negative.
pub fn bend(points: &[Point]) -> Option<f64> {
    let (first, last) = (*points.first()?, *points.last()?);
    let middle = *points.get(points.len() / 2).filter(|_| points.len() > 2)?;
    let length = first.distance(last);
    if length == 0.0 {
        return None;
    }
    let cross =
        (last.x - first.x) * (middle.y - first.y) - (last.y - first.y) * (middle.x - first.x);
    Some(cross / length).filter(|off| off.abs() > 0.5)
}

fn children_of_frame(scene: &Scene, frame: &ElementId) -> Vec<ElementId> {
    view::shapes(scene)
        .filter(|element| element.frame_id().as_ref() == Some(frame))
        .map(|element| element.id.clone())
        .collect()
}

fn groups_of(scene: &Scene, elements: &[&Element]) -> Vec<Group> {
    let mut groups: BTreeMap<&str, Vec<&Element>> = BTreeMap::new();
    for element in elements {
        // A polygon of ours and its label share a group of their own; a model sees one shape.
        let is_own = |group: &str| {
            polygon_kind(element).is_some()
                && view::shapes(scene)
                    .filter(|other| other.group_ids().contains(&group))
                    .count()
                    == 1
        };
        if let Some(outermost) = element.group_ids().last()
            && !is_own(outermost)
        {
            groups.insert(*outermost, Vec::new());
        }
    }
    if groups.is_empty() {
        return Vec::new();
    }
    for element in view::shapes(scene) {
        if let Some(members) = element
            .group_ids()
            .last()
            .and_then(|outermost| groups.get_mut(outermost))
        {
            members.push(element);
        }
    }
    let describe = |(id, members): (&str, Vec<&Element>)| {
        let rect = members
            .iter()
            .map(|member| bounds(member))
            .reduce(|all, one| all.union(&one))?;
        Some(Group {
            kind: "group",
            common: Common {
                shape_id: ElementId::from(id),
                note: String::new(),
            },
            children: members.iter().map(|member| member.id.clone()).collect(),
            x: rect.x,
            y: rect.y,
            w: rect.w,
            h: rect.h,
        })
    };
    groups.into_iter().filter_map(describe).collect()
}
