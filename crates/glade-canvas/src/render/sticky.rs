//! Sticky notes: a slightly crooked sheet with a shadow, one corner lifted when drawn roughest, its date below.

use super::rough::Segment;
use super::style::Style;
use crate::geometry::{Point, Size};

const SHADOW_OFFSET: f64 = 3.0;
pub(crate) const SHADOW_OPACITY: f64 = 0.16;
/// Half of the edge's stroke is cut away, so it is drawn at twice this.
pub(crate) const EDGE_WIDTH: f64 = 0.5;
pub(crate) const EDGE_OPACITY: f64 = 0.08;
const RADIUS_SHARE: f64 = 0.04;
const MAX_RADIUS: f64 = 16.0;
/// How crooked a sheet is by its roughness.
const CROOKED: [f64; 3] = [0.0, 1.5, 8.0];

pub(crate) const FOOTER_SIZE: f64 = 12.0;
const FOOTER_FROM_BOTTOM: f64 = 14.0;
const PADDING: f64 = 16.0;
const MIN_SIZE: f64 = 75.0;
const MIN_WIDTH_FOR_YEAR: f64 = 80.0;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sheet {
    Paper,
    Shadow,
}

/// The sheet's outline, closed.
pub(crate) fn path(size: Size, style: &Style, sheet: Sheet) -> Vec<Segment> {
    let corners = corners(size, style, sheet);
    let least = size.w.min(size.h);
    let radius = match style.roundness {
        None => 0.0,
        Some(_) => (least * RADIUS_SHARE).min(MAX_RADIUS),
    };
    let lifted = (style.roughness == 2.0).then(|| Mulberry::new(style.seed).next() * 4.0);
    let is_lifted = |at: u8| lifted.is_some_and(|lifted| lifted.floor() == f64::from(at));
    if radius == 0.0 && lifted.is_none() {
        let [first, rest @ ..] = corners;
        let mut path = vec![Segment::Move(first)];
        path.extend(rest.map(Segment::Line));
        path.push(Segment::Close);
        return path;
    }
    let bent = |at: u8| {
        let index = usize::from(at);
        let (before, point, after) = (
            corners[(index + 3) % 4],
            corners[index],
            corners[(index + 1) % 4],
        );
        let radius = radius
            .min(point.distance(before) / 2.0)
            .min(point.distance(after) / 2.0);
        if !is_lifted(at) {
            return vec![
                Segment::Line(toward(point, before, radius)),
                Segment::Quadratic(point, toward(point, after, radius)),
            ];
        }
        let reach = (least * 0.18).min(40.0);
        let lift = (least * 0.02).min(5.0) * if sheet == Sheet::Shadow { 0.5 } else { 1.0 };
        let tip = point.translate(
            if at == 1 || at == 2 { -lift } else { lift },
            if at >= 2 { -lift } else { lift },
        );
        let (start, end) = (toward(point, before, reach), toward(point, after, reach));
        vec![
            Segment::Line(start),
            Segment::Quadratic(
                toward(point, before, reach / 2.0),
                toward(tip, start, radius),
            ),
            Segment::Quadratic(tip, toward(tip, end, radius)),
            Segment::Quadratic(toward(point, after, reach / 2.0), end),
        ]
    };
    let mut path = Vec::new();
    if let Some(Segment::Quadratic(_, end)) = bent(0).last() {
        path.push(Segment::Move(*end));
    }
    for at in [1, 2, 3, 0] {
        path.extend(bent(at));
    }
    path.push(Segment::Close);
    path
}

fn corners(size: Size, style: &Style, sheet: Sheet) -> [Point; 4] {
    let offset = if sheet == Sheet::Shadow {
        SHADOW_OFFSET
    } else {
        0.0
    };
    let straight = [(0.0, 0.0), (size.w, 0.0), (size.w, size.h), (0.0, size.h)]
        .map(|(x, y)| Point::new(x + offset, y + offset));
    let crooked = match (style.roughness + 0.5).floor().clamp(0.0, 2.0) {
        2.0 => CROOKED[2],
        1.0 => CROOKED[1],
        _ => CROOKED[0],
    };
    let amount = crooked.min(size.w.min(size.h) * 0.012);
    if amount <= 0.0 {
        return straight;
    }
    let mut random = Mulberry::new(style.seed + if sheet == Sheet::Shadow { 1.0 } else { 0.0 });
    straight.map(|corner| {
        let dx = (random.next() * 2.0 - 1.0) * amount;
        let dy = (random.next() * 2.0 - 1.0) * amount;
        corner.translate(dx, dy)
    })
}

fn toward(from: Point, to: Point, distance: f64) -> Point {
    let length = from.distance(to);
    if length == 0.0 {
        return from;
    }
    let share = (distance / length).min(1.0);
    Point::new(
        from.x + (to.x - from.x) * share,
        from.y + (to.y - from.y) * share,
    )
}

/// The editor's other generator (mulberry32), used for notes alone.
struct Mulberry(u32);

impl Mulberry {
    fn new(seed: f64) -> Self {
        let seed = if seed.is_finite() { seed.trunc() } else { 0.0 };
        // In range by the remainder.
        Self(seed.rem_euclid(4_294_967_296.0) as u32)
    }

    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(1_831_565_813);
        let mut next = self.0;
        next = (next ^ (next >> 15)).wrapping_mul(next | 1);
        next ^= next.wrapping_add((next ^ (next >> 7)).wrapping_mul(next | 61));
        f64::from(next ^ (next >> 14)) / 4_294_967_296.0
    }
}

/// The note's date, and where its line ends on the baseline. `created` is in milliseconds of Unix time; the year is
/// left out when it is `this_year` or there is no room.
pub(crate) fn footer(size: Size, created: f64, this_year: Option<i64>) -> Option<(String, Point)> {
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    if size.w < MIN_SIZE || size.h < MIN_SIZE || !created.is_finite() || created.abs() > 8.64e15 {
        return None;
    }
    let (year, month, day) = civil((created / 86_400_000.0).floor() as i64);
    let month = MONTHS.get(month)?;
    let short = size.w - 2.0 * PADDING < MIN_WIDTH_FOR_YEAR || this_year == Some(year);
    let text = if short {
        format!("{day} {month}")
    } else {
        format!("{day} {month} {year}")
    };
    Some((
        text,
        Point::new(size.w - PADDING, size.h - FOOTER_FROM_BOTTOM),
    ))
}

/// Year, month from 0 and day of a day counted from 1970, in UTC: no place's midnight is better than another's here.
fn civil(days: i64) -> (i64, usize, i64) {
    // Eras of 400 years that start in March, so that a leap day is a year's last.
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = (month_from_march + 2) % 12;
    let year = year_of_era + era * 400 + i64::from(month <= 1);
    (year, usize::try_from(month).unwrap_or(0), day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_from_milliseconds() {
        let date =
            |created: f64| footer(Size::new(250.0, 250.0), created, None).map(|(text, _)| text);
        assert_eq!(date(0.0).as_deref(), Some("1 Jan 1970"));
        assert_eq!(date(1_709_164_800_000.0).as_deref(), Some("29 Feb 2024"));
        assert_eq!(date(-1.0).as_deref(), Some("31 Dec 1969"));
        assert_eq!(date(f64::NAN), None);
    }
}
