//! A finished document.

use std::fmt;
use std::ops::Deref;

use crate::render::pool::Pool;

/// An SVG document. Its memory is used again for a later one when it is dropped.
#[derive(Debug, PartialEq, Eq)]
pub struct Svg(String);

static POOL: Pool<String> = Pool::new(2);
/// A larger document's memory is not kept.
const MOST: usize = 16 << 20;

impl Svg {
    /// An empty one.
    pub(super) fn new() -> Self {
        Self(POOL.take().unwrap_or_default())
    }

    pub(super) fn text_mut(&mut self) -> &mut String {
        &mut self.0
    }

    pub fn into_bytes(mut self) -> Vec<u8> {
        std::mem::take(&mut self.0).into_bytes()
    }
}

impl Deref for Svg {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Svg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl AsRef<[u8]> for Svg {
    fn as_ref(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

impl Drop for Svg {
    fn drop(&mut self) {
        let mut text = std::mem::take(&mut self.0);
        if (1..=MOST).contains(&text.capacity()) {
            text.clear();
            POOL.put(text);
        }
    }
}
