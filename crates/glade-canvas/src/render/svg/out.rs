//! The bytes of an SVG document, written piece by piece.

use std::borrow::Cow;

use crate::render::color::Rgba;
use crate::render::decimal::{self, Precision};
use crate::render::list::Transform;
use crate::render::rough::Segment;

/// Text, as bytes.
#[derive(Default)]
pub(super) struct Out {
    bytes: Vec<u8>,
}

const HEX: &[u8; 16] = b"0123456789abcdef";

impl Out {
    pub fn with_room(bytes: usize) -> Self {
        Self {
            bytes: Vec::with_capacity(bytes),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// How much fits in before there is more room to make.
    pub fn room(&self) -> usize {
        self.bytes.capacity()
    }

    /// Starts anew; the room stays.
    pub fn clear(&mut self) {
        self.bytes.clear();
    }

    pub fn as_str(&self) -> Cow<'_, str> {
        // Only text goes in: what looks at every letter is never needed.
        std::str::from_utf8(&self.bytes)
            .map_or_else(|_| String::from_utf8_lossy(&self.bytes), Cow::Borrowed)
    }

    #[inline]
    pub fn text(&mut self, text: &str) {
        self.append(text.as_bytes());
    }

    #[inline]
    fn append(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    pub fn count(&mut self, count: usize) {
        decimal::whole(&mut self.bytes, count as u64);
    }

    /// A length after what stands before it.
    pub fn length(&mut self, before: &str, value: f64) {
        self.text(before);
        decimal::write(&mut self.bytes, value, Precision::Length);
    }

    /// A factor after what stands before it.
    pub fn factor(&mut self, before: &str, value: f64) {
        self.text(before);
        decimal::write(&mut self.bytes, value, Precision::Factor);
    }

    /// A path's data as an attribute, its numbers times `by`.
    pub fn data(&mut self, path: &[Segment], by: f64) {
        self.text(" d=\"");
        for segment in path {
            match *segment {
                Segment::Move(to) => self.points(b'M', [to.x, to.y], by),
                Segment::Line(to) => self.points(b'L', [to.x, to.y], by),
                Segment::Quadratic(one, to) => self.points(b'Q', [one.x, one.y, to.x, to.y], by),
                Segment::Cubic(one, two, to) => {
                    self.points(b'C', [one.x, one.y, two.x, two.y, to.x, to.y], by);
                }
                Segment::Close => self.append(b"Z"),
            }
        }
        self.text("\"");
    }

    /// Numbers to hundredths after a command's letter. A minus parts two of them as well as a space does.
    #[inline]
    fn points<const N: usize>(&mut self, command: u8, values: [f64; N], by: f64) {
        self.bytes.push(command);
        for (at, value) in values.into_iter().enumerate() {
            let value = decimal::to_hundredths(value * by);
            if at > 0 && (value >= 0.0 || value.is_nan()) {
                self.bytes.push(b' ');
            }
            decimal::write(&mut self.bytes, value, Precision::Length);
        }
    }

    pub fn transform(&mut self, transform: &Transform) {
        if transform.is_identity() {
            return;
        }
        let Transform { a, b, c, d, e, f } = *transform;
        if (a, b, c, d) == (1.0, 0.0, 0.0, 1.0) {
            self.text(" transform=\"translate(");
        } else {
            self.factor(" transform=\"matrix(", a);
            for factor in [b, c, d] {
                self.factor(" ", factor);
            }
            self.text(" ");
        }
        self.length("", e);
        self.length(" ", f);
        self.text(")\"");
    }

    pub fn paint(&mut self, key: &str, color: Rgba, opacity: f64) {
        self.text(" ");
        self.text(key);
        self.text("=\"#");
        for channel in [color.r, color.g, color.b] {
            self.append(&[channel >> 4, channel & 15].map(|digit| HEX[usize::from(digit)]));
        }
        self.text("\"");
        let alpha = color.a * opacity;
        if alpha < 1.0 {
            self.text(" ");
            self.text(key);
            self.length("-opacity=\"", alpha);
            self.text("\"");
        }
    }

    /// For an attribute; what XML does not allow is left out.
    pub fn escaped(&mut self, text: &str) {
        for character in text.chars() {
            match character {
                '&' => self.text("&amp;"),
                '<' => self.text("&lt;"),
                '>' => self.text("&gt;"),
                '"' => self.text("&quot;"),
                '\n' => self.text("&#10;"),
                '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {}
                other => self.text(other.encode_utf8(&mut [0; 4])),
            }
        }
    }
}
