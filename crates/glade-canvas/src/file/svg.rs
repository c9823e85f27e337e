//! A scene in an SVG: base64 between two comments.
//!
//! Nothing of the picture itself is read, so a hostile SVG is only text here.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::FileError;
use super::embed::{from_latin1, pack, to_latin1, unpack};

const FORMAT: &str = "SVG";
const TYPE: &str = "payload-type:application/vnd.excalidraw+json";
const START: &str = "<!-- payload-start -->";
const END: &str = "<!-- payload-end -->";

/// The JSON of the scene embedded in the picture.
pub fn read_svg(svg: &[u8]) -> Result<Vec<u8>, FileError> {
    let svg = String::from_utf8_lossy(svg);
    if !svg.contains(TYPE) {
        return Err(FileError::NoScene { format: FORMAT });
    }
    let damaged = |reason: &str| FileError::Damaged {
        format: FORMAT,
        reason: reason.to_owned(),
    };
    let payload = svg
        .split_once(START)
        .and_then(|(_, rest)| rest.split_once(END))
        .map(|(payload, _)| payload.trim())
        .ok_or_else(|| damaged("its end is missing"))?;
    let bytes = STANDARD
        .decode(payload)
        .map_err(|error| damaged(&error.to_string()))?;
    // The first version packed UTF-8, the second plain bytes.
    let first =
        !svg.contains("<!-- payload-version:") || svg.contains("<!-- payload-version:1 -->");
    let text = if first {
        String::from_utf8(bytes).map_err(|error| damaged(&error.to_string()))?
    } else {
        from_latin1(&bytes)
    };
    unpack(&text, FORMAT)
}

/// The picture with this scene's JSON embedded, for one that [`crate::render::to_svg`] drew.
pub fn write_svg(svg: &str, scene: &[u8]) -> String {
    let head = svg.find('>').map_or(0, |at| at + 1);
    let (head, rest) = svg.split_at(head);
    format!("{head}<metadata>{}</metadata>{rest}", svg_metadata(scene))
}

/// What goes into the picture's `<metadata>` to embed this scene's JSON.
pub fn svg_metadata(scene: &[u8]) -> String {
    let bytes = to_latin1(&pack(scene)).unwrap_or_default();
    let payload = STANDARD.encode(bytes);
    format!("<!-- {TYPE} --><!-- payload-version:2 -->{START}{payload}{END}")
}
