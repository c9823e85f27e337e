//! What lies outside of a view, in clusters that one can go to: none reaches around the view, and none is so large
//! that it says no more than that there is something.

use std::collections::BTreeMap;

use super::{CLUSTER_PADDING, Cluster, Direction, cluster, direction};
use crate::bounds::bounds;
use crate::element::{Element, ElementKind};
use crate::geometry::Rect;
use crate::scene::Scene;

/// More clusters than these are joined to larger ones.
const MOST: usize = 24;
/// A cluster of so few shapes is one, however far it reaches.
const FEW: usize = 12;
/// A cluster that is larger than so many views is parted.
const LARGE: f64 = 1.5;
/// Texts that are told of a cluster.
const TEXTS: usize = 3;
/// The longest text that is told.
const LONGEST: usize = 40;

/// What lies outside `view`, clustered, from the top left down.
pub fn peripheral(scene: &Scene, view: &Rect) -> Vec<Cluster> {
    let mut sides: BTreeMap<Direction, Vec<Rect>> = BTreeMap::new();
    for one in scene.shape_boxes() {
        if !one.touches(view) {
            sides.entry(direction(view, &one)).or_default().push(one);
        }
    }
    let most = (view.w.max(view.h) * LARGE).max(1.0);
    let parted = sides.into_iter().map(|(side, boxes)| {
        let groups = members(&boxes, CLUSTER_PADDING).into_iter();
        let parts: Vec<(Rect, usize)> = groups.flat_map(|group| part(group, most)).collect();
        (side, parts)
    });
    let mut sides: Vec<(Direction, Vec<(Rect, usize)>)> = parted.collect();
    let mut padding = CLUSTER_PADDING;
    while sides.iter().map(|(_, parts)| parts.len()).sum::<usize>() > MOST
        && sides.iter().any(|(_, parts)| parts.len() > 1)
    {
        padding *= 2.0;
        for (_, parts) in &mut sides {
            *parts = join(parts, padding);
        }
    }
    let found = sides.into_iter().flat_map(|(direction, parts)| {
        let describe = move |(bounds, number_of_shapes)| Cluster {
            bounds,
            number_of_shapes,
            direction,
            texts: Vec::new(),
        };
        parts.into_iter().map(describe)
    });
    let mut found: Vec<Cluster> = found.collect();
    found.sort_by(|a, b| {
        let key = |one: &Cluster| (one.bounds.y, one.bounds.x);
        let places = key(a).partial_cmp(&key(b));
        places.unwrap_or(std::cmp::Ordering::Equal)
    });
    name(scene, &mut found);
    found
}

/// The boxes of each cluster.
fn members(boxes: &[Rect], padding: f64) -> Vec<Vec<Rect>> {
    let areas = cluster(boxes, padding);
    let mut groups: Vec<Vec<Rect>> = vec![Vec::new(); areas.len()];
    for one in boxes {
        // Clusters stand apart, so a box lies in one of them.
        if let Some(at) = areas.iter().position(|(area, _)| area.contains_rect(one)) {
            groups[at].push(*one);
        }
    }
    groups
}

/// Halves a heap that is too large across its longer side, until its parts are not.
fn part(boxes: Vec<Rect>, most: f64) -> Vec<(Rect, usize)> {
    let Some(area) = boxes.iter().copied().reduce(|all, one| all.union(&one)) else {
        return Vec::new();
    };
    if boxes.len() <= FEW || area.w.max(area.h) <= most {
        return vec![(area, boxes.len())];
    }
    let (middle, count) = (area.center(), boxes.len());
    let (near, far): (Vec<Rect>, Vec<Rect>) = boxes.into_iter().partition(|one| {
        let own = one.center();
        if area.w > area.h {
            own.x < middle.x
        } else {
            own.y < middle.y
        }
    });
    if near.is_empty() || far.is_empty() {
        return vec![(area, count)];
    }
    let mut parts = part(near, most);
    parts.extend(part(far, most));
    parts
}

/// Clusters that come within `padding` of each other as one.
fn join(parts: &[(Rect, usize)], padding: f64) -> Vec<(Rect, usize)> {
    let boxes: Vec<Rect> = parts.iter().map(|(area, _)| *area).collect();
    let areas = cluster(&boxes, padding).into_iter();
    let count = |area: &Rect| {
        let inside = parts.iter().filter(|(own, _)| area.contains_rect(own));
        inside.map(|(_, count)| count).sum()
    };
    areas.map(|(area, _)| (area, count(&area))).collect()
}

/// Tells what is written in the clusters: frames first, then the largest words.
fn name(scene: &Scene, clusters: &mut [Cluster]) {
    if clusters.is_empty() {
        return;
    }
    let mut found: Vec<Vec<(f64, String)>> = vec![Vec::new(); clusters.len()];
    for element in scene.live() {
        let Some((size, text)) = prominence(element) else {
            continue;
        };
        let middle = bounds(element).center();
        let Some(at) = clusters.iter().position(|one| one.bounds.contains(middle)) else {
            continue;
        };
        let own = &mut found[at];
        let place = own.iter().position(|(other, _)| *other < size);
        let place = place.unwrap_or(own.len());
        if place < TEXTS {
            own.insert(place, (size, short(text)));
            own.truncate(TEXTS);
        }
    }
    for (cluster, texts) in clusters.iter_mut().zip(found) {
        cluster.texts = texts.into_iter().map(|(_, text)| text).collect();
    }
}

/// How much a text is seen from afar, and the text.
fn prominence(element: &Element) -> Option<(f64, &str)> {
    let (size, text) = match element.kind() {
        ElementKind::Text => (element.font_size(), element.original_text()),
        kind if kind.is_frame() => {
            let name = element.props.get("name").and_then(|name| name.as_str());
            (f64::INFINITY, name.unwrap_or(""))
        }
        _ => return None,
    };
    (!text.trim().is_empty()).then_some((size, text))
}

fn short(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", line[..at].trim_end()),
        None => line,
    }
}
