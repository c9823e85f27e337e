//! How a scene travels inside a picture: deflated, its bytes as the characters U+0000 to U+00FF of a JSON string.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use serde_json::{Value, json};

use super::load::MAX_BYTES;
use super::{FileError, weigh};

/// The scene's JSON packed, as JSON whose characters are all below U+0100.
pub(super) fn pack(scene: &[u8]) -> String {
    let mut deflated = ZlibEncoder::new(Vec::new(), Compression::default());
    // Writing into memory does not fail.
    let packed = deflated.write_all(scene).and_then(|()| deflated.finish());
    let (compressed, bytes) = match packed {
        Ok(bytes) => (true, bytes),
        Err(_) => (false, scene.to_vec()),
    };
    let encoded = from_latin1(&bytes);
    json!({"version": "1", "encoding": "bstring", "compressed": compressed, "encoded": encoded})
        .to_string()
}

/// The scene's JSON out of what [`pack`] or the editor made; older pictures hold the bare scene.
pub(super) fn unpack(text: &str, format: &'static str) -> Result<Vec<u8>, FileError> {
    let damaged = |reason: &str| FileError::Damaged {
        format,
        reason: reason.to_owned(),
    };
    weigh::check(text.as_bytes())?;
    let packed: Value = serde_json::from_str(text).map_err(|error| damaged(&error.to_string()))?;
    let Some(encoded) = packed.get("encoded") else {
        return match packed.get("type").and_then(Value::as_str) {
            Some("excalidraw") => Ok(text.as_bytes().to_vec()),
            _ => Err(damaged("it is not packed as a scene is")),
        };
    };
    if packed.get("encoding").and_then(Value::as_str) != Some("bstring") {
        return Err(damaged("it is packed in an unknown way"));
    }
    let bytes = encoded
        .as_str()
        .and_then(to_latin1)
        .ok_or_else(|| damaged("its bytes are not bytes"))?;
    if packed.get("compressed") != Some(&Value::Bool(true)) {
        return Ok(bytes);
    }
    let mut scene = Vec::new();
    let limit = u64::try_from(MAX_BYTES).unwrap_or(u64::MAX);
    ZlibDecoder::new(bytes.as_slice())
        .take(limit + 1)
        .read_to_end(&mut scene)
        .map_err(|error| damaged(&error.to_string()))?;
    if scene.len() > MAX_BYTES {
        return Err(FileError::TooLarge {
            what: "bytes when unpacked",
            count: scene.len(),
            limit: MAX_BYTES,
        });
    }
    Ok(scene)
}

pub(super) fn from_latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}

/// None when a character is not a byte.
pub(super) fn to_latin1(text: &str) -> Option<Vec<u8>> {
    text.chars().map(|char| u8::try_from(char).ok()).collect()
}
