//! Dependencies between our own crates point one way.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

/// Which of our crates a crate may know.
enum Known {
    Only(&'static [&'static str]),
    /// All that stand above it in the list.
    AllAbove,
}

use Known::{AllAbove, Only};

/// Every crate of ours.
const CRATES: &[(&str, Known)] = &[
    ("glade-doc", Only(&[])),
    ("glade-layout", Only(&[])),
    ("glade-canvas", Only(&["glade-doc", "glade-layout"])),
    ("glade-text", Only(&["glade-doc"])),
    ("glade-agent", AllAbove),
    ("glade-access", Only(&[])),
    ("glade-store", Only(&[])),
    (
        "glade-room",
        Only(&["glade-doc", "glade-canvas", "glade-text", "glade-access"]),
    ),
    ("glade-model", Only(&["glade-agent"])),
    ("glade-code", Only(&["glade-agent"])),
    (
        "glade-sketch",
        Only(&[
            "glade-canvas",
            "glade-text",
            "glade-layout",
            "glade-agent",
            "glade-model",
            "glade-code",
        ]),
    ),
    ("glade-host", AllAbove),
    ("glade-server", AllAbove),
    ("glade-studio", Only(&[])),
    ("glade", AllAbove),
    (
        "extended",
        Only(&["glade", "glade-agent", "glade-doc", "glade-text"]),
    ),
    ("glade-bench", AllAbove),
    ("xtask", Only(&[])),
];

fn may_know(name: &str, other: &str) -> bool {
    let place = |name| CRATES.iter().position(|(it, _)| *it == name);
    let Some(at) = place(name) else {
        return false;
    };
    match CRATES[at].1 {
        Only(known) => known.contains(&other),
        AllAbove => place(other).is_some_and(|above| above < at),
    }
}

pub fn cargo(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .arg("--offline")
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo {arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// Our crates, each with those of ours that it needs to be built.
pub fn our_crates() -> BTreeMap<String, BTreeSet<String>> {
    let metadata = cargo(&["metadata", "--no-deps", "--format-version", "1"]);
    let metadata: Value = serde_json::from_str(&metadata).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let name = |value: &Value| value["name"].as_str().unwrap().to_owned();
    let ours: BTreeSet<String> = packages.iter().map(name).collect();
    let needs = |package: &Value| {
        let dependencies = package["dependencies"].as_array().unwrap();
        dependencies
            .iter()
            .filter(|dependency| dependency["kind"] != "dev")
            .map(name)
            .filter(|name| ours.contains(name))
            .collect()
    };
    packages.iter().map(|it| (name(it), needs(it))).collect()
}

#[test]
fn dependencies_between_our_crates_point_one_way() {
    let crates = our_crates();
    let unlisted: Vec<&String> = crates
        .keys()
        .filter(|name| CRATES.iter().all(|(it, _)| it != name))
        .collect();
    assert_eq!(unlisted, Vec::<&String>::new(), "give them a place");
    let wrong: Vec<String> = crates
        .iter()
        .flat_map(|(name, needs)| needs.iter().map(move |need| (name, need)))
        .filter(|(name, need)| !may_know(name, need))
        .map(|(name, need)| format!("{name} must not know {need}"))
        .collect();
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn the_list_says_who_may_know_whom() {
    let cases = [
        ("glade-host", "glade-room", true),
        ("glade-server", "glade-host", true),
        ("glade-host", "glade-server", false),
        ("glade-room", "glade-store", false),
        ("glade-doc", "glade-canvas", false),
        ("glade-canvas", "glade-layout", true),
        ("glade-layout", "glade-canvas", false),
        ("glade-code", "glade-sketch", false),
        ("glade-server", "glade-studio", false),
    ];
    for (name, other, allowed) in cases {
        assert_eq!(may_know(name, other), allowed, "{name} and {other}");
    }
}
