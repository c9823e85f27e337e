//! The points of a stroke, plain or packed as newer tldraw files have them.
//!
//! A packed stroke is base64: the first point in numbers of 32 bits, then the steps from point to point in numbers of
//! 16 bits; each of x, y and the pressure, or of x and y where the segment says `dim: 2`. For a short time every point
//! was three numbers of 16 bits, under the name of the plain list.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::path::{MAX_POINTS, point};
use crate::geometry::Point;

/// A longer text packs more points than a stroke may have.
const MAX_CHARS: usize = 8 * MAX_POINTS;
/// Where nothing is said of it.
const PRESSURE: f64 = 0.5;

/// A point of a stroke, and how hard the pen was pressed there.
pub(super) type PenPoint = (Point, f64);

/// The points of one segment; none when they are packed in a way that is not known, or are too many.
pub(super) fn pen_points(segment: &Value) -> Option<Vec<PenPoint>> {
    if let Some(path) = segment.get("path").and_then(Value::as_str) {
        let axes = match segment.get("dim").and_then(Value::as_u64) {
            Some(2) => 2,
            _ => 3,
        };
        return steps(&unpacked(path)?, axes);
    }
    match segment.get("points") {
        Some(Value::String(packed)) => {
            let bytes = unpacked(packed)?;
            let (rows, rest) = bytes.as_chunks::<6>();
            let pen_point = |row: &[u8; 6]| pen_point(&halves(row));
            rest.is_empty()
                .then(|| rows.iter().map(pen_point).collect())
        }
        Some(Value::Array(points)) => {
            let pressure = |value: &Value| value.get("z").and_then(Value::as_f64);
            let pen_point =
                |value: &Value| Some((point(value)?, pressed(pressure(value).unwrap_or(PRESSURE))));
            Some(points.iter().filter_map(pen_point).collect())
        }
        Some(_) => None,
        None => Some(Vec::new()),
    }
}

fn unpacked(text: &str) -> Option<Vec<u8>> {
    let fits = text.len() <= MAX_CHARS;
    fits.then(|| STANDARD.decode(text).ok()).flatten()
}

fn steps(bytes: &[u8], axes: usize) -> Option<Vec<PenPoint>> {
    if bytes.is_empty() {
        return Some(Vec::new());
    }
    let (first, rest) = bytes.split_at_checked(4 * axes)?;
    let (first, _) = first.as_chunks::<4>();
    let mut at: Vec<f64> = first
        .iter()
        .map(|four| f64::from(f32::from_le_bytes(*four)))
        .collect();
    let mut pen_points = vec![pen_point(&at)];
    let rows = rest.chunks_exact(2 * axes);
    if !rows.remainder().is_empty() {
        return None;
    }
    for row in rows {
        for (axis, step) in at.iter_mut().zip(halves(row)) {
            *axis += step;
        }
        pen_points.push(pen_point(&at));
    }
    Some(pen_points)
}

fn pen_point(axes: &[f64]) -> PenPoint {
    let axis = |at: usize| axes.get(at).copied().filter(|number| number.is_finite());
    let at = Point::new(axis(0).unwrap_or(0.0), axis(1).unwrap_or(0.0)).sane();
    (at, pressed(axis(2).unwrap_or(PRESSURE)))
}

fn pressed(pressure: f64) -> f64 {
    pressure.clamp(0.0, 1.0)
}

fn halves(bytes: &[u8]) -> Vec<f64> {
    let (pairs, _) = bytes.as_chunks::<2>();
    pairs
        .iter()
        .map(|pair| half(u16::from_le_bytes(*pair)))
        .collect()
}

/// A number of 16 bits: a sign, five of exponent, ten of fraction.
fn half(bits: u16) -> f64 {
    let exponent = i32::from(bits >> 10 & 0x1f);
    let fraction = f64::from(bits & 0x3ff) / 1024.0;
    let size = match exponent {
        0 => fraction * 2_f64.powi(-14),
        31 => f64::NAN,
        _ => (1.0 + fraction) * 2_f64.powi(exponent - 15),
    };
    if bits >> 15 == 1 { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Bytes of these numbers: of 32 bits where they come in fours, else as bits of halves.
    fn packed(first: &[f32], rest: &[u16]) -> String {
        let first = first.iter().flat_map(|number| number.to_le_bytes());
        let rest = rest.iter().flat_map(|bits| bits.to_le_bytes());
        STANDARD.encode(first.chain(rest).collect::<Vec<u8>>())
    }

    /// 1, 2, -0.5 and 0 as halves.
    const ONE: u16 = 0x3c00;
    const TWO: u16 = 0x4000;
    const LESS: u16 = 0xb800;

    #[test]
    fn steps_lead_from_point_to_point() {
        let path = packed(&[100.25, -7.5, 0.5], &[ONE, TWO, 0, LESS, 0, LESS]);
        assert_eq!(
            pen_points(&json!({"type": "free", "path": path})).unwrap(),
            [
                (Point::new(100.25, -7.5), 0.5),
                (Point::new(101.25, -5.5), 0.5),
                (Point::new(100.75, -5.5), 0.0),
            ]
        );
        let path = packed(&[3.0, 4.0], &[ONE, LESS]);
        assert_eq!(
            pen_points(&json!({"type": "free", "path": path, "dim": 2})).unwrap(),
            [(Point::new(3.0, 4.0), 0.5), (Point::new(4.0, 3.5), 0.5)]
        );
    }

    #[test]
    fn for_a_time_every_point_was_packed_for_itself() {
        let points = packed(&[], &[ONE, TWO, LESS, TWO, ONE, ONE]);
        assert_eq!(
            pen_points(&json!({"type": "free", "points": points})).unwrap(),
            [(Point::new(1.0, 2.0), 0.0), (Point::new(2.0, 1.0), 1.0)]
        );
    }

    #[test]
    fn halves_are_read_to_their_smallest() {
        let read: Vec<f64> = [0x0001, 0x03ff, 0x0400, 0x7bff, 0x8000].map(half).to_vec();
        let tiny = 2_f64.powi(-24);
        assert_eq!(read, [tiny, 1023.0 * tiny, 1024.0 * tiny, 65504.0, 0.0]);
    }

    #[test]
    fn what_is_cut_off_or_no_stroke_is_not_known() {
        let cut = packed(&[3.0, 4.0, 0.5], &[ONE]);
        for segment in [
            json!({"path": cut}),
            json!({"path": "AAAA"}),
            json!({"path": "no base64"}),
            json!({"points": 7}),
        ] {
            assert_eq!(pen_points(&segment), None, "{segment}");
        }
        assert_eq!(pen_points(&json!({"path": ""})), Some(Vec::new()));
        // Infinite steps lead nowhere, and do not panic.
        let far = packed(&[3.0, 4.0, 0.5], &[0x7c00, 0x7e00, 0x7c00]);
        assert_eq!(
            pen_points(&json!({"path": far})).unwrap()[1],
            (Point::default(), 0.5)
        );
    }
}
