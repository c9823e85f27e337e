//! Files that were made to do harm, or that something went badly wrong with, and what becomes of each. Included by the
//! tests of every door that takes files: the command line's and the server's.

use std::fmt::Write as _;

use glade_canvas::file::{svg_metadata, write_png};
use serde_json::{Value, json};

/// What becomes of a file.
pub enum Fate {
    /// It is refused, and these words are in the reason.
    Refused(&'static str),
    /// It is taken, and everything is done with what is left of it.
    Taken,
    /// It is taken, and these words are in what is said of it.
    TakenSaying(&'static str),
}

pub struct Hostile {
    pub ending: &'static str,
    pub bytes: Vec<u8>,
    pub fate: Fate,
}

fn scene(elements: Value) -> Vec<u8> {
    let file = json!({"type": "excalidraw", "version": 2, "elements": elements});
    file.to_string().into_bytes()
}

fn excalidraw(bytes: Vec<u8>, fate: Fate) -> Hostile {
    Hostile {
        ending: "excalidraw",
        bytes,
        fate,
    }
}

fn a_box(id: &str) -> Value {
    json!({"id": id, "type": "rectangle", "x": 0, "y": 0, "width": 100, "height": 60, "seed": 1})
}

pub fn a_file_cut_off() -> Hostile {
    let mut bytes = scene(json!([a_box("a"), a_box("b")]));
    bytes.truncate(bytes.len() - 30);
    excalidraw(bytes, Fate::Refused("not valid JSON"))
}

pub fn json_that_is_no_scene() -> Hostile {
    let bytes = br#"{"name": "a-package", "version": "1.0.0", "elements": 7}"#;
    excalidraw(bytes.to_vec(), Fate::Refused("without a list of elements"))
}

pub fn elements_of_the_wrong_types() -> Hostile {
    let bytes = scene(json!([
        7, null, "a", [], {}, {"type": 7}, {"type": "rectangle", "x": "left", "width": [], "angle": {}, "points": 3},
        {"type": "line", "points": [[0], "b", {"x": 1}, [1, 2, 3], [null, 5]]},
        {"type": "text", "text": 12, "fontSize": "big", "fontFamily": {}, "lineHeight": -4},
        {"type": "arrow", "points": [], "startBinding": 7, "endBinding": {"elementId": []}},
        {"type": "freedraw", "points": [[0, 0], [1, 1]], "pressures": "hard"},
        {"type": "image", "fileId": 7, "scale": "x", "crop": [1]}, {"type": "unheard-of", "x": 5},
        {"id": {}, "type": "frame", "name": 7, "width": -100}, a_box("fine"),
    ]));
    excalidraw(bytes, Fate::TakenSaying("left out element 0"))
}

pub fn a_number_that_is_none() -> Hostile {
    let bytes = br#"{"elements": [{"type": "rectangle", "x": NaN}]}"#.to_vec();
    excalidraw(bytes, Fate::Refused("not valid JSON"))
}

pub fn numbers_beyond_all_measure() -> Hostile {
    let kinds = [
        "rectangle",
        "ellipse",
        "diamond",
        "stickynote",
        "frame",
        "line",
        "arrow",
        "text",
        "freedraw",
        "image",
    ];
    let huge = [1e300, -1e300, 1.7e308, 5e-324, -0.0, 1e15];
    let elements = kinds.iter().flat_map(|kind| {
        huge.iter().map(move |n| json!({
            "id": format!("{kind}{n}"), "type": kind, "x": n, "y": -n, "width": n, "height": n, "angle": n,
            "strokeWidth": n, "roughness": n, "opacity": n, "seed": n, "fontSize": n, "lineHeight": n, "text": "words",
            "points": [[0, 0], [n, 1], [1, n]], "pressures": [n], "roundness": {"type": 3, "value": n}, "fillStyle": "hachure",
            "backgroundColor": "#ffc9c9", "strokeStyle": "dotted",
        }))
    });
    excalidraw(scene(elements.collect()), Fate::Taken)
}

pub fn bindings_in_circles() -> Hostile {
    let end = |id: &str| json!({"elementId": id, "fixedPoint": [0.5, 0.5], "mode": "orbit"});
    let arrow = |id: &str, from: &str, to: &str| json!({"id": id, "type": "arrow", "x": 0, "y": 0, "points": [[0, 0], [90, 40]], "startBinding": end(from), "endBinding": end(to)});
    let bytes = scene(json!([
        arrow("a", "b", "c"), arrow("b", "c", "a"), arrow("c", "a", "b"), arrow("self", "self", "self"),
        {"id": "words", "type": "text", "text": "hi", "containerId": "a"}, arrow("to-label", "words", "words"),
    ]));
    excalidraw(bytes, Fate::Taken)
}

pub fn containers_in_circles() -> Hostile {
    let text = |id: &str, inside: &str| json!({"id": id, "type": "text", "text": "round and round", "containerId": inside});
    let bytes = scene(json!([
        text("a", "b"),
        text("b", "c"),
        text("c", "a"),
        text("d", "d"),
        a_box("box"),
        text("e", "box"),
        text("f", "box"),
        text("g", "e"),
    ]));
    excalidraw(bytes, Fate::Taken)
}

pub fn frames_and_groups_in_circles() -> Hostile {
    let frame = |id: &str, inside: &str| json!({"id": id, "type": "frame", "x": 0, "y": 0, "width": 300, "height": 200, "frameId": inside, "groupIds": ["g", "h", "g"]});
    let mut child = a_box("child");
    child["frameId"] = json!("a");
    child["groupIds"] = json!(["h", "child", "a", "g"]);
    let bytes = scene(json!([
        frame("a", "b"),
        frame("b", "a"),
        frame("c", "c"),
        child
    ]));
    excalidraw(bytes, Fate::Taken)
}

pub fn a_million_points() -> Hostile {
    let mut points = String::from("[0,0]");
    for at in 1..1_000_000 {
        let _ = write!(points, ",[{at},{}]", at % 97);
    }
    let text = format!(
        r#"{{"elements": [{{"id": "long", "type": "line", "points": [{points}]}}, {}]}}"#,
        a_box("a")
    );
    excalidraw(text.into_bytes(), Fate::TakenSaying("too many points"))
}

pub fn too_many_elements() -> Hostile {
    let mut bytes = b"{\"elements\": [0".to_vec();
    bytes.extend(b",0".repeat(250_000));
    bytes.extend(b"]}");
    excalidraw(bytes, Fate::Refused("split it"))
}

pub fn a_book_of_words_in_a_narrow_box() -> Hostile {
    let words = "word ".repeat(20_000) + &"w".repeat(50_000);
    let bytes = scene(json!([
        {"id": "slit", "type": "rectangle", "x": 0, "y": 0, "width": 1, "height": 1},
        {"id": "words", "type": "text", "text": words, "originalText": words, "containerId": "slit", "fontSize": 20, "fontFamily": 5},
    ]));
    excalidraw(bytes, Fate::Taken)
}

pub fn json_without_a_floor() -> Hostile {
    let (open, close) = ("[".repeat(1_000_000), "]".repeat(1_000_000));
    let text = format!("{{\"elements\": {open}{close}}}");
    excalidraw(text.into_bytes(), Fate::Refused("not valid JSON"))
}

pub fn a_property_nested_deeper_than_a_document_holds() -> Hostile {
    let deep = (0..60).fold(json!(1), |inner, _| json!({"in": inner}));
    let mut element = a_box("a");
    element["customData"] = deep;
    excalidraw(scene(json!([element])), Fate::TakenSaying("customData"))
}

const PIXEL: &[u8] = &[
    0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, b'I', b'H', b'D', b'R', 0, 0, 0,
    1, 0, 0, 0, 1, 8, 6, 0, 0, 0, 0x1f, 0x15, 0xc4, 0x89, 0, 0, 0, 10, b'I', b'D', b'A', b'T',
    0x78, 0x9c, 0x63, 0, 1, 0, 0, 5, 0, 1, 0x0d, 0x0a, 0x2d, 0xb4, 0, 0, 0, 0, b'I', b'E', b'N',
    b'D', 0xae, 0x42, 0x60, 0x82,
];

/// More than is ever unpacked, of what packs well.
fn much_of_nothing() -> Vec<u8> {
    vec![b' '; 66 << 20]
}

pub fn a_bomb_in_a_png() -> Hostile {
    let bytes = write_png(PIXEL, &much_of_nothing()).expect("a picture");
    Hostile {
        ending: "png",
        bytes,
        fate: Fate::Refused("when unpacked"),
    }
}

/// Sixty megabytes that as values would be gigabytes.
pub fn noughts_in_a_png() -> Hostile {
    let noughts = format!("{{\"elements\":[{}0]}}", "0,".repeat(30 << 20));
    let bytes = write_png(PIXEL, noughts.as_bytes()).expect("a picture");
    Hostile {
        ending: "png",
        bytes,
        fate: Fate::Refused("values"),
    }
}

pub fn a_bomb_in_an_svg() -> Hostile {
    let payload = svg_metadata(&much_of_nothing());
    let text =
        format!("<svg xmlns=\"http://www.w3.org/2000/svg\"><metadata>{payload}</metadata></svg>");
    Hostile {
        ending: "svg",
        bytes: text.into_bytes(),
        fate: Fate::Refused("when unpacked"),
    }
}

/// Chunks that other programs unpack on sight: compressed text, plain and international.
pub fn packed_text_in_a_png() -> Hostile {
    let packed = write_png(PIXEL, &much_of_nothing()).expect("a picture");
    let at = packed
        .windows(4)
        .position(|four| four == b"tEXt")
        .expect("the chunk");
    let mut bytes = packed;
    bytes[at..at + 4].copy_from_slice(b"zTXt");
    Hostile {
        ending: "png",
        bytes,
        fate: Fate::Refused("has no scene in it"),
    }
}

pub fn an_svg_with_entities_and_scripts() -> Hostile {
    Hostile {
        ending: "svg",
        bytes: hostile_svg().into_bytes(),
        fate: Fate::Refused("has no scene in it"),
    }
}

fn hostile_svg() -> String {
    let mut entities = String::from("<!ENTITY a0 \"lol\">");
    for level in 1..30 {
        let inner = format!("&a{};", level - 1).repeat(10);
        let _ = write!(entities, "<!ENTITY a{level} \"{inner}\">");
    }
    let (open, close) = ("<g>".repeat(50_000), "</g>".repeat(50_000));
    format!(
        "<?xml version=\"1.0\"?><!DOCTYPE svg [{entities}<!ENTITY file SYSTEM \"file:///etc/passwd\">]>\
        <svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1e9\" height=\"1e9\" viewBox=\"0 0 1e9 1e9\">\
        <script>fetch('http://192.0.2.1/')</script><image href=\"http://192.0.2.1/x.png\" width=\"9\" height=\"9\"/>\
        <image href=\"file:///etc/passwd\" width=\"9\" height=\"9\"/><use href=\"#u\" id=\"u\"/>\
        <text>&a29;&file;</text>{open}<rect width=\"5\" height=\"5\"/>{close}</svg>"
    )
}

fn with_picture(mime: &str, data: &[u8]) -> Hostile {
    let url = format!("data:{mime};base64,{}", base64(data));
    let file = json!({"type": "excalidraw", "elements": [
        {"id": "seen", "type": "image", "x": 0, "y": 0, "width": 200, "height": 100, "fileId": "f", "status": "saved", "scale": [1, 1]},
        a_box("a"),
    ], "files": {"f": {"id": "f", "mimeType": mime, "dataURL": url}}});
    excalidraw(file.to_string().into_bytes(), Fate::Taken)
}

pub fn a_hostile_svg_as_a_picture() -> Hostile {
    with_picture("image/svg+xml", hostile_svg().as_bytes())
}

/// A picture of 60,000 pixels a side in a few bytes: 14 GB when unpacked.
pub fn a_picture_that_unpacks_to_gigabytes() -> Hostile {
    let mut png = PIXEL.to_vec();
    png[16..24].copy_from_slice(&[0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60]);
    let sum = crc(&png[12..29]);
    png[29..33].copy_from_slice(&sum.to_be_bytes());
    with_picture("image/png", &png)
}

/// A GIF whose head claims a screen of 65,535 pixels a side.
pub fn a_gif_that_claims_too_much() -> Hostile {
    with_picture(
        "image/gif",
        b"GIF89a\xff\xff\xff\xff\x80\0\0\0\0\0\xff\xff\xff!\xf9\x04\0\0\0\0\0,\0\0\0\0\xff\xff\xff\xff\0\x02\x02D\x01\0;",
    )
}

fn base64(bytes: &[u8]) -> String {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let number = three
            .iter()
            .fold(0_u32, |sum, byte| (sum << 8) | u32::from(*byte))
            << (8 * (3 - three.len()));
        for place in 0..4 {
            let sign = SIGNS[((number >> (18 - 6 * place)) & 63) as usize] as char;
            text.push(if place <= three.len() { sign } else { '=' });
        }
    }
    text
}

fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0_u32, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
            (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg())
        })
    })
}

/// Hands all of them to a macro that makes a test of each: no door leaves one out.
macro_rules! every_file {
    ($test:ident) => {
        $test![
            a_file_cut_off,
            json_that_is_no_scene,
            elements_of_the_wrong_types,
            a_number_that_is_none,
            numbers_beyond_all_measure,
            bindings_in_circles,
            containers_in_circles,
            frames_and_groups_in_circles,
            a_million_points,
            too_many_elements,
            a_book_of_words_in_a_narrow_box,
            json_without_a_floor,
            a_property_nested_deeper_than_a_document_holds,
            a_bomb_in_a_png,
            noughts_in_a_png,
            a_bomb_in_an_svg,
            packed_text_in_a_png,
            an_svg_with_entities_and_scripts,
            a_hostile_svg_as_a_picture,
            a_picture_that_unpacks_to_gigabytes,
            a_gif_that_claims_too_much,
        ];
    };
}
pub(crate) use every_file;
