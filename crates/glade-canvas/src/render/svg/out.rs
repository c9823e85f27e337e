//! The bytes of an SVG document, written piece by piece.

use std::borrow::Cow;

use crate::render::color::Rgba;
use crate::render::decimal::{self, Precision, ROOM, Written};
use crate::render::list::Transform;
use crate::render::rough::Segment;

/// Bytes that are text up to an end, and room behind it.
#[derive(Default)]
pub(super) struct Out {
    bytes: Vec<u8>,
    end: usize,
}

const HEX: &[u8; 16] = b"0123456789abcdef";
/// The least room that is made.
const LEAST: usize = 4096;

impl Out {
    pub fn with_room(bytes: usize) -> Self {
        Self {
            bytes: vec![0; bytes],
            end: 0,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.end == 0
    }

    pub fn len(&self) -> usize {
        self.end
    }

    /// How much fits in before there is more room to make.
    pub fn room(&self) -> usize {
        self.bytes.len()
    }

    /// Starts anew; the room stays.
    pub fn clear(&mut self) {
        self.end = 0;
    }

    pub fn as_str(&self) -> Cow<'_, str> {
        // Only text goes in: what looks at every letter is never needed.
        let bytes = &self.bytes[..self.end];
        std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
    }

    #[inline]
    pub fn text(&mut self, text: &str) {
        self.append(text.as_bytes());
    }

    #[inline]
    fn append(&mut self, bytes: &[u8]) {
        let end = self.end + bytes.len();
        if end > self.bytes.len() {
            self.grow(end);
        }
        self.bytes[self.end..end].copy_from_slice(bytes);
        self.end = end;
    }

    #[cold]
    fn grow(&mut self, least: usize) {
        self.bytes.resize((least * 2).max(LEAST), 0);
    }

    pub fn count(&mut self, count: usize) {
        self.append(Written::whole(count as u64).as_bytes());
    }

    /// A length after what stands before it.
    pub fn length(&mut self, before: &str, value: f64) {
        self.text(before);
        match self
            .room_ahead()
            .and_then(|room| decimal::length(room, value))
        {
            Some(count) => self.end += count,
            None => self.append(Written::rounded(value, Precision::Length).as_bytes()),
        }
    }

    /// A factor after what stands before it.
    pub fn factor(&mut self, before: &str, value: f64) {
        self.text(before);
        self.append(Written::rounded(value, Precision::Factor).as_bytes());
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

    #[inline]
    fn points<const N: usize>(&mut self, command: u8, values: [f64; N], by: f64) {
        let room = self.room_ahead();
        match room.and_then(|room| decimal::points(room, command, values, by)) {
            Some(count) => self.end += count,
            None => self.long_points(command, values.map(|value| value * by)),
        }
    }

    /// Behind the end, as much as numbers are written to at once.
    #[inline]
    fn room_ahead(&mut self) -> Option<&mut [u8; ROOM]> {
        if self.bytes.len() < self.end + ROOM {
            self.grow(self.end + ROOM);
        }
        self.bytes.get_mut(self.end..)?.first_chunk_mut()
    }

    #[cold]
    fn long_points<const N: usize>(&mut self, command: u8, values: [f64; N]) {
        let mut before = command;
        for value in values {
            self.append(&[before]);
            self.length("", decimal::to_hundredths(value));
            before = b' ';
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
