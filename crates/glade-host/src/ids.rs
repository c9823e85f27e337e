//! Random ids, made here and nowhere inside the pure crates.

use rand::Rng;

const ALPHABET: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789";
const LENGTH: usize = 12;

fn random(prefix: &str) -> String {
    let mut rng = rand::rng();
    let tail: String = (0..LENGTH)
        .map(|_| char::from(ALPHABET[rng.random_range(0..ALPHABET.len())]))
        .collect();
    format!("{prefix}_{tail}")
}

pub fn page() -> String {
    random("pg")
}

pub fn fairy() -> String {
    random("fy")
}

pub fn run() -> String {
    random("run")
}

pub fn task() -> String {
    random("tk")
}

pub fn project() -> String {
    random("pj")
}

/// Something said about a page.
pub fn comment() -> String {
    random("cm")
}

pub fn message() -> String {
    random("msg")
}

/// A chat about code.
pub fn chat() -> String {
    random("ch")
}

/// A question before a file is written.
pub fn approval() -> String {
    random("ask")
}

/// A block of a text page.
pub fn block() -> String {
    random("bk")
}

pub fn guest() -> String {
    random("guest")
}

/// A peer id for a writer inside the server. Loro keeps the largest value for itself.
pub fn peer() -> u64 {
    rand::rng().random_range(1..u64::MAX / 2)
}

/// Entropy handed to the agent core, which has none of its own.
pub fn seed() -> u64 {
    rand::rng().random()
}
