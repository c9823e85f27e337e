//! The pure crates reach no async runtime, no network and no database, and read no clock.

use crate::dependencies::{cargo, our_crates};
use crate::sources::read;

const PURE: &[&str] = &[
    "glade-doc",
    "glade-canvas",
    "glade-text",
    "glade-layout",
    "glade-agent",
    "glade-room",
];

/// Crates that bring a runtime, a socket or a database. A name stands for those that begin with it and a hyphen too.
const OUTSIDE: &[&str] = &[
    "async-io",
    "async-std",
    "axum",
    "curl",
    "futures-executor",
    "hyper",
    "metrics",
    "mio",
    "quinn",
    "reqwest",
    "rusqlite",
    "rustls",
    "smol",
    "socket2",
    "sqlx",
    "tokio",
    "tower",
    "tracing-subscriber",
    "tungstenite",
    "ureq",
];

fn pure_crates() -> Vec<String> {
    let ours = our_crates().into_keys();
    ours.filter(|name| PURE.contains(&name.as_str())).collect()
}

fn is_outside(name: &str) -> bool {
    let follows = |outside: &&str| name.strip_prefix(*outside);
    let mut rests = OUTSIDE.iter().filter_map(follows);
    rests.any(|rest| rest.is_empty() || rest.starts_with('-'))
}

#[test]
fn pure_crates_reach_no_runtime_and_no_network() {
    let pure = pure_crates();
    assert!(pure.len() >= 4, "{pure:?}");
    for name in pure {
        let tree = cargo(&[
            "tree", "-e", "normal", "-p", &name, "--prefix", "none", "--format", "{p}",
        ]);
        let reached: Vec<&str> = tree
            .lines()
            .filter_map(|line| line.split(' ').next())
            .filter(|name| is_outside(name))
            .collect();
        assert_eq!(reached, Vec::<&str>::new(), "{name} reaches these");
    }
}

#[test]
fn crates_of_runtimes_are_known_by_their_names() {
    let outside = ["tokio", "tokio-stream", "hyper-util"].map(is_outside);
    let inside = ["tracing", "tokiooo", "serde"].map(is_outside);
    assert_eq!((outside, inside), ([true; 3], [false; 3]));
}

#[test]
fn pure_crates_deny_calls_to_clocks_chance_and_the_environment() {
    let without: Vec<String> = pure_crates()
        .into_iter()
        .filter(|name| {
            let lib = read(&format!("crates/{name}/src/lib.rs"));
            !lib.contains("\n#![deny(clippy::disallowed_methods)]\n")
        })
        .collect();
    assert_eq!(without, Vec::<String>::new());
    assert!(read("clippy.toml").contains("std::time::Instant::now"));
}
