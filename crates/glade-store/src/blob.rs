//! Pictures, kept under the SHA-256 of their bytes.
//!
//! What a blob is, its bytes say, not whoever brings it: only pictures that browsers show are taken,
//! each known by how it begins.

use crate::audit::digest;
use crate::error::StoreError;

/// The largest blob that is taken.
pub const MAX_BLOB: usize = 10 * 1024 * 1024;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlobKind {
    Png,
    Jpeg,
    Gif,
    Webp,
    Svg,
}

impl BlobKind {
    const ALL: [BlobKind; 5] = [
        BlobKind::Png,
        BlobKind::Jpeg,
        BlobKind::Gif,
        BlobKind::Webp,
        BlobKind::Svg,
    ];

    /// The media type.
    pub fn mime(self) -> &'static str {
        match self {
            BlobKind::Png => "image/png",
            BlobKind::Jpeg => "image/jpeg",
            BlobKind::Gif => "image/gif",
            BlobKind::Webp => "image/webp",
            BlobKind::Svg => "image/svg+xml",
        }
    }

    pub(crate) fn parse(mime: &str) -> Option<BlobKind> {
        BlobKind::ALL.into_iter().find(|kind| kind.mime() == mime)
    }

    /// What the bytes are, by how they begin.
    pub fn of(bytes: &[u8]) -> Option<BlobKind> {
        if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
            Some(BlobKind::Png)
        } else if bytes.starts_with(b"\xff\xd8\xff") {
            Some(BlobKind::Jpeg)
        } else if bytes.starts_with(b"GIF87a") || bytes.starts_with(b"GIF89a") {
            Some(BlobKind::Gif)
        } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
            Some(BlobKind::Webp)
        } else {
            is_svg(std::str::from_utf8(bytes).ok()?).then_some(BlobKind::Svg)
        }
    }
}

/// Text whose first element is `svg`.
fn is_svg(text: &str) -> bool {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    loop {
        let after = |open: &str, close: &str| {
            let inside = rest.strip_prefix(open)?;
            let end = inside.find(close)?;
            Some(inside[end + close.len()..].trim_start())
        };
        let next = after("<?", "?>")
            .or_else(|| after("<!--", "-->"))
            .or_else(|| after("<!DOCTYPE", ">"));
        match next {
            Some(next) => rest = next,
            None => break,
        }
    }
    rest.strip_prefix("<svg")
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_whitespace() || c == '>' || c == '/'))
}

/// A picture that may be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blob {
    id: String,
    kind: BlobKind,
    bytes: Vec<u8>,
}

impl Blob {
    /// Refuses what is too large or no picture that we know.
    pub fn new(bytes: Vec<u8>) -> Result<Blob, StoreError> {
        if bytes.len() > MAX_BLOB {
            return Err(StoreError::BlobTooLarge { limit: MAX_BLOB });
        }
        let kind = BlobKind::of(&bytes).ok_or(StoreError::UnknownBlob)?;
        Ok(Blob {
            id: digest(&bytes),
            kind,
            bytes,
        })
    }

    pub(crate) fn stored(id: String, kind: BlobKind, bytes: Vec<u8>) -> Blob {
        Blob { id, kind, bytes }
    }

    pub fn id(&self) -> &str {
        &self.id
    }

    pub fn kind(&self) -> BlobKind {
        self.kind
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_known_by_how_they_begin() {
        let known: [(&[u8], Option<BlobKind>); 14] = [
            (b"\x89PNG\r\n\x1a\n...", Some(BlobKind::Png)),
            (b"\xff\xd8\xff\xe0", Some(BlobKind::Jpeg)),
            (b"GIF89a..", Some(BlobKind::Gif)),
            (b"RIFF\0\0\0\0WEBPVP8 ", Some(BlobKind::Webp)),
            (b"<svg xmlns=''/>", Some(BlobKind::Svg)),
            (
                b"\xef\xbb\xbf<?xml version='1.0'?>\n<!-- a > b -->\n<!DOCTYPE svg>\n<svg>",
                Some(BlobKind::Svg),
            ),
            (b"", None),
            (b"\x89PNG", None),
            (b"RIFF\0\0\0\0WAVE", None),
            (b"<html><svg></svg></html>", None),
            (b"<svgx>", None),
            (b"<!-- <svg> ", None),
            (b"MZ\x90", None),
            (b"%PDF-1.7", None),
        ];
        for (bytes, kind) in known {
            assert_eq!(
                BlobKind::of(bytes),
                kind,
                "{:?}",
                bytes.escape_ascii().to_string()
            );
        }
    }
}
