//! A scene in a PNG: one `tEXt` chunk, before the end.

use flate2::Crc;

use super::FileError;
use super::embed::{from_latin1, pack, to_latin1, unpack};

pub(super) const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
const KEYWORD: &[u8] = b"application/vnd.excalidraw+json";
const FORMAT: &str = "PNG";

/// The JSON of the scene embedded in the picture.
pub fn read_png(png: &[u8]) -> Result<Vec<u8>, FileError> {
    let mut last = None;
    for chunk in chunks(png)? {
        let (kind, data) = chunk?;
        if kind == *b"tEXt"
            && let Some(text) = data
                .strip_prefix(KEYWORD)
                .and_then(|rest| rest.strip_prefix(b"\0"))
        {
            last = Some(text);
        }
    }
    let text = last.ok_or(FileError::NoScene { format: FORMAT })?;
    unpack(&from_latin1(text), FORMAT)
}

/// The picture with this scene's JSON embedded, in the place of any other.
pub fn write_png(png: &[u8], scene: &[u8]) -> Result<Vec<u8>, FileError> {
    let text = to_latin1(&pack(scene)).unwrap_or_default();
    let mut written = SIGNATURE.to_vec();
    for part in chunks(png)? {
        let (kind, data) = part?;
        if kind == *b"tEXt" && data.starts_with(KEYWORD) {
            continue;
        }
        if kind == *b"IEND" {
            chunk(&mut written, *b"tEXt", &[KEYWORD, b"\0", &text].concat());
        }
        chunk(&mut written, kind, data);
    }
    Ok(written)
}

fn chunk(written: &mut Vec<u8>, kind: [u8; 4], data: &[u8]) {
    let length = u32::try_from(data.len()).unwrap_or(u32::MAX);
    let mut sum = Crc::new();
    sum.update(&kind);
    sum.update(data);
    written.extend(length.to_be_bytes());
    written.extend(kind);
    written.extend(data);
    written.extend(sum.sum().to_be_bytes());
}

type Chunk<'a> = ([u8; 4], &'a [u8]);

/// The chunks up to and with the end; an error for what is cut off.
fn chunks(png: &[u8]) -> Result<impl Iterator<Item = Result<Chunk<'_>, FileError>>, FileError> {
    let damaged = |reason: &str| FileError::Damaged {
        format: FORMAT,
        reason: reason.to_owned(),
    };
    let mut rest = png.strip_prefix(SIGNATURE).ok_or(FileError::NotAScene {
        what: "not a PNG".to_owned(),
    })?;
    let mut done = false;
    Ok(std::iter::from_fn(move || {
        if done {
            return None;
        }
        let next = split_chunk(rest);
        let Some((chunk, after)) = next else {
            done = true;
            return Some(Err(damaged("the picture is cut off")));
        };
        done = chunk.0 == *b"IEND";
        rest = after;
        Some(Ok(chunk))
    }))
}

fn split_chunk(bytes: &[u8]) -> Option<(Chunk<'_>, &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    let (kind, rest) = rest.split_first_chunk::<4>()?;
    let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
    let (data, rest) = rest.split_at_checked(length)?;
    let (_, rest) = rest.split_first_chunk::<4>()?;
    Some(((*kind, data), rest))
}
