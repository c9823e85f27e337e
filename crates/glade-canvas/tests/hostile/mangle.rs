//! Files with something wrong in them, made of files with nothing wrong: bytes changed here and there and, where a file
//! is JSON or carries it, extreme numbers, deep nests, long lists and other parts of the same file in places where they
//! do not belong. The tests do it by a seed, the fuzzer where it leads further.

use glade_canvas::file::{read_png, read_svg, svg_metadata, write_png};
use serde_json::{Value, json};

/// A stream of numbers from a seed (SplitMix64): the same on every machine.
pub struct Dice(pub u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.roll() % limit.max(1) as u64) as usize
    }
}

/// Something that was never meant to be there.
fn oddity(dice: &mut Dice, whole: &Value) -> Value {
    match dice.below(12) {
        0 => json!(1e300),
        1 => json!(-1e300),
        2 => json!(5e-324),
        3 => json!(u64::MAX),
        4 => Value::Null,
        5 => json!([]),
        6 => json!({}),
        7 => json!("\u{0}\u{202e}🤝:\u{feff}"),
        8 => json!("x".repeat(dice.below(3000))),
        9 => json!(
            (0..dice.below(3000))
                .map(|at| json!([at, 1e9]))
                .collect::<Vec<_>>()
        ),
        10 => (0..dice.below(60)).fold(json!(1), |inner, _| json!([inner])),
        // Another part of the same file: ids that lead in circles, shapes in place of numbers.
        _ => pick(dice, whole).clone(),
    }
}

/// A part of the value, by a random walk down.
fn pick<'a>(dice: &mut Dice, value: &'a Value) -> &'a Value {
    let inside: Vec<&Value> = match value {
        Value::Array(items) => items.iter().collect(),
        Value::Object(entries) => entries.values().collect(),
        _ => Vec::new(),
    };
    if inside.is_empty() || dice.below(6) == 0 {
        return value;
    }
    let at = dice.below(inside.len());
    pick(dice, inside[at])
}

fn replace(dice: &mut Dice, value: &mut Value, new: Value) {
    let inside: Vec<&mut Value> = match value {
        Value::Array(items) => items.iter_mut().collect(),
        Value::Object(entries) => entries.values_mut().collect(),
        _ => Vec::new(),
    };
    if inside.is_empty() || dice.below(8) == 0 {
        *value = new;
        return;
    }
    let at = dice.below(inside.len());
    if let Some(next) = inside.into_iter().nth(at) {
        replace(dice, next, new);
    }
}

/// The file with something wrong in it. Of a picture that carries a scene, mostly the scene.
pub fn mangle(dice: &mut Dice, bytes: &[u8]) -> Vec<u8> {
    if dice.below(4) == 0 {
        return with_other_bytes(dice, bytes);
    }
    if let Ok(whole) = serde_json::from_slice::<Value>(bytes) {
        return with_other_values(dice, &whole);
    }
    let carried = read_png(bytes).or_else(|_| read_svg(bytes)).ok();
    let scene = carried.and_then(|scene| serde_json::from_slice::<Value>(&scene).ok());
    let Some(scene) = scene else {
        return with_other_bytes(dice, bytes);
    };
    let scene = with_other_values(dice, &scene);
    write_png(bytes, &scene).unwrap_or_else(|_| svg_of(&scene))
}

fn svg_of(scene: &[u8]) -> Vec<u8> {
    let payload = svg_metadata(scene);
    format!("<svg xmlns=\"http://www.w3.org/2000/svg\">{payload}</svg>").into_bytes()
}

fn with_other_values(dice: &mut Dice, whole: &Value) -> Vec<u8> {
    let mut value = whole.clone();
    for _ in 0..=dice.below(6) {
        let new = oddity(dice, whole);
        replace(dice, &mut value, new);
    }
    value.to_string().into_bytes()
}

fn with_other_bytes(dice: &mut Dice, bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=dice.below(8) {
        let at = dice.below(bytes.len());
        let end = (at + 1 + dice.below(64)).min(bytes.len());
        match dice.below(5) {
            0 => bytes.truncate(at),
            1 if at < bytes.len() => bytes[at] = dice.roll() as u8,
            2 => drop(bytes.drain(at..end)),
            3 => {
                let copy = bytes[at..end].to_vec();
                bytes.splice(at..at, copy);
            }
            _ => {
                let word: &[u8] = [
                    &b"1e999"[..],
                    b"NaN",
                    b"[[[[[[[[",
                    b"\"\\ud800\"",
                    b"\x00",
                    b"-0",
                ][dice.below(6)];
                bytes.splice(at..at, word.iter().copied());
            }
        }
        if bytes.is_empty() {
            break;
        }
    }
    bytes
}
