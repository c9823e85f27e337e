//! A shape beside another one.

use glade_doc::{Edit, ElementId};
use serde::{Deserialize, Serialize};

use super::shift::shift;
use super::unit::unit;
use crate::geometry::{Point, sane};
use crate::scene::Scene;

/// The side of the reference that the shape goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    Top,
    Bottom,
    Left,
    Right,
}

/// Which ends meet along that side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AlignTo {
    Start,
    Center,
    End,
}

/// Puts the shape at a side of the reference, `side_offset` away from it, aligned along that side. The align
/// offset leads inwards from either end and forwards from the middle. A reference that would move along (the
/// shape itself, or what is in the frame that moves) gives no edits.
pub fn place(
    scene: &Scene,
    id: &ElementId,
    reference: &ElementId,
    side: Side,
    side_offset: f64,
    align: AlignTo,
    align_offset: f64,
) -> Vec<Edit> {
    let (Some(own), Some(fixed)) = (unit(scene, id), unit(scene, reference)) else {
        return Vec::new();
    };
    let goes_along = |member: &ElementId| {
        let frame = scene.get(member).and_then(|element| element.frame_id());
        own.members.contains(member) || frame.is_some_and(|frame| own.members.contains(&frame))
    };
    if fixed.members.iter().any(goes_along) {
        return Vec::new();
    }
    let (a, b) = (own.bounds, fixed.bounds);
    let (side_offset, align_offset) = (sane(side_offset, 0.0), sane(align_offset, 0.0));
    let along = |start: f64, length: f64, own: f64| match align {
        AlignTo::Start => start + align_offset,
        AlignTo::Center => start + (length - own) / 2.0 + align_offset,
        AlignTo::End => start + length - own - align_offset,
    };
    let to = match side {
        Side::Top => Point::new(along(b.x, b.w, a.w), b.y - a.h - side_offset),
        Side::Bottom => Point::new(along(b.x, b.w, a.w), b.bottom() + side_offset),
        Side::Left => Point::new(b.x - a.w - side_offset, along(b.y, b.h, a.h)),
        Side::Right => Point::new(b.right() + side_offset, along(b.y, b.h, a.h)),
    };
    shift(scene, &vec![(own, (to.x - a.x, to.y - a.y))])
}
