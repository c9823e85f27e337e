//! Turning shapes about any point.

use std::f64::consts::TAU;

use glade_doc::{Edit, ElementId, Props};
use serde_json::json;

use super::shift::Changes;
use super::unit::units;
use crate::bounds::{page_points, pivot};
use crate::change;
use crate::element::{Element, ElementKind};
use crate::geo::path_props;
use crate::geometry::Point;
use crate::scene::Scene;

/// Turns these shapes by `degrees`, clockwise, about `origin` in page space. Frames stand upright always and are
/// left out; so are the corners of elbow arrows, which the editor keeps upright.
pub fn rotate(scene: &Scene, ids: &[ElementId], degrees: f64, origin: Point) -> Vec<Edit> {
    let turn = (degrees % 360.0).to_radians();
    if !turn.is_finite() || turn == 0.0 {
        return Vec::new();
    }
    let mut changes = Changes::new(scene);
    for unit in units(scene, ids) {
        for element in unit.members.iter().filter_map(|id| scene.get(id)) {
            changes.put(&element.id, turned(element, turn, origin.sane()));
        }
    }
    changes.finish()
}

fn turned(element: &Element, turn: f64, origin: Point) -> Props {
    let mut props = Props::new();
    match element.kind() {
        kind if kind.is_frame() => {}
        ElementKind::Arrow if element.is_elbowed() => {}
        // The editor follows an arrow by its points: they carry the turn, so that its ends stay plain to read.
        ElementKind::Arrow => {
            let points: Vec<Point> = page_points(element)
                .into_iter()
                .map(|point| point.rotate(origin, turn))
                .collect();
            props.extend(path_props(&points));
            if element.angle() != 0.0 {
                props.insert("angle".to_owned(), json!(0));
            }
        }
        _ => {
            let middle = pivot(element);
            let moved = middle.rotate(origin, turn);
            let (dx, dy) = (moved.x - middle.x, moved.y - middle.y);
            change::number(&mut props, element, "x", element.x() + dx, 0.0);
            change::number(&mut props, element, "y", element.y() + dy, 0.0);
            let angle = (element.angle() + turn).rem_euclid(TAU);
            // Rounding can give a full turn, or a hair of one: that is upright.
            let upright = angle < 1e-9 || TAU - angle < 1e-9;
            let angle = if upright { 0.0 } else { angle };
            change::number(&mut props, element, "angle", angle, 0.0);
        }
    }
    props
}
