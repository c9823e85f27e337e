//! The bytes of an SVG document, written piece by piece.

use crate::render::color::Rgba;
use crate::render::decimal::{self, Precision};
use crate::render::list::Transform;
use crate::render::rough::Segment;

#[derive(Default)]
pub(super) struct Out(Vec<u8>);

impl Out {
    pub fn with_room(bytes: usize) -> Self {
        Self(Vec::with_capacity(bytes))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn finish(self) -> String {
        // Only text goes in.
        String::from_utf8(self.0)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
    }

    pub fn text(&mut self, text: &str) {
        self.0.extend_from_slice(text.as_bytes());
    }

    pub fn count(&mut self, count: usize) {
        decimal::whole(&mut self.0, count as u64);
    }

    /// A length after what stands before it.
    pub fn length(&mut self, before: &str, value: f64) {
        self.text(before);
        decimal::write(&mut self.0, value, Precision::Length);
    }

    /// A factor after what stands before it.
    pub fn factor(&mut self, before: &str, value: f64) {
        self.text(before);
        decimal::write(&mut self.0, value, Precision::Factor);
    }

    /// A path's data as an attribute, its numbers times `by`.
    pub fn data(&mut self, path: &[Segment], by: f64) {
        // Most numbers take about six bytes, most segments have six numbers.
        self.0.reserve(path.len() * 40);
        self.text(" d=\"");
        for segment in path {
            match *segment {
                Segment::Move(to) => self.points(b'M', [to.x, to.y], by),
                Segment::Line(to) => self.points(b'L', [to.x, to.y], by),
                Segment::Quadratic(one, to) => self.points(b'Q', [one.x, one.y, to.x, to.y], by),
                Segment::Cubic(one, two, to) => {
                    self.points(b'C', [one.x, one.y, two.x, two.y, to.x, to.y], by);
                }
                Segment::Close => self.0.push(b'Z'),
            }
        }
        self.text("\"");
    }

    fn points<const N: usize>(&mut self, command: u8, values: [f64; N], by: f64) {
        decimal::points(&mut self.0, command, values.map(|value| value * by));
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
            for digit in [channel >> 4, channel & 15] {
                self.0.push(b"0123456789abcdef"[usize::from(digit)]);
            }
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
