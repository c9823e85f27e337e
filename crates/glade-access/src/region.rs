//! Places that a token can be limited to: a rectangle of a page, folders of a project.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A rectangle in whole page units, edges included. Datalog has integers only: whoever asks rounds
/// outwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Sides", into = "Sides")]
pub struct Region {
    pub left: i64,
    pub top: i64,
    pub right: i64,
    pub bottom: i64,
}

/// Farther out nothing is drawn.
const FARTHEST: i64 = 1 << 40;

impl Region {
    pub fn new(x: i64, y: i64, w: i64, h: i64) -> Option<Region> {
        let region = Region {
            left: x,
            top: y,
            right: x.checked_add(w)?,
            bottom: y.checked_add(h)?,
        };
        region.is_sound().then_some(region)
    }

    /// The smallest region that holds a rectangle.
    pub fn around(x: f64, y: f64, w: f64, h: f64) -> Region {
        // The casts saturate.
        Region {
            left: x.floor() as i64,
            top: y.floor() as i64,
            right: (x + w).ceil() as i64,
            bottom: (y + h).ceil() as i64,
        }
    }

    pub fn holds(&self, other: &Region) -> bool {
        other.left >= self.left
            && other.top >= self.top
            && other.right <= self.right
            && other.bottom <= self.bottom
    }

    /// What lies in both; of two that are apart, something that holds nothing.
    pub(crate) fn meet(self, other: Region) -> Region {
        Region {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.min(other.right),
            bottom: self.bottom.min(other.bottom),
        }
    }

    pub(crate) fn is_sound(&self) -> bool {
        self.left < self.right
            && self.top < self.bottom
            && [self.left, self.top, self.right, self.bottom]
                .iter()
                .all(|edge| (-FARTHEST..=FARTHEST).contains(edge))
    }
}

/// How a region is written elsewhere.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Region)]
pub(crate) struct Sides {
    x: i64,
    y: i64,
    w: i64,
    h: i64,
}

impl TryFrom<Sides> for Region {
    type Error = &'static str;

    fn try_from(sides: Sides) -> Result<Self, Self::Error> {
        Region::new(sides.x, sides.y, sides.w, sides.h)
            .ok_or("a region has whole numbers x, y, w and h, the last two above 0")
    }
}

impl From<Region> for Sides {
    fn from(region: Region) -> Self {
        Sides {
            x: region.left,
            y: region.top,
            w: region.right - region.left,
            h: region.bottom - region.top,
        }
    }
}

/// Whether a path is one that stays where it says: relative, no `..`, nothing empty.
pub(crate) fn is_path(path: &str) -> bool {
    path.split('/')
        .all(|part| !part.is_empty() && part != "." && part != "..")
}

/// The path itself and every folder that it lies in.
pub(crate) fn and_folders(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/')
        .map(|(at, _)| &path[..at])
        .chain(std::iter::once(path))
}

pub(crate) fn is_under(path: &str, folders: &BTreeSet<String>) -> bool {
    and_folders(path).any(|folder| folders.contains(folder))
}

/// The folders that lie under both.
pub(crate) fn paths_in_both(
    mine: Option<BTreeSet<String>>,
    theirs: Option<&BTreeSet<String>>,
) -> Option<BTreeSet<String>> {
    match (mine, theirs) {
        (Some(mine), Some(theirs)) => {
            let from = |these: &BTreeSet<String>, those: &BTreeSet<String>| {
                these
                    .iter()
                    .filter(|path| is_under(path, those))
                    .cloned()
                    .collect::<Vec<_>>()
            };
            let both = [from(&mine, theirs), from(theirs, &mine)];
            Some(both.into_iter().flatten().collect())
        }
        (Some(only), None) => Some(only),
        (None, only) => only.cloned(),
    }
}
