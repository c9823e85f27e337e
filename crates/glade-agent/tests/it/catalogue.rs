//! The derived catalogue, as it was reviewed. `UPDATE=1` writes it anew.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use glade_agent::catalogue::catalogue;
use glade_agent::extensions::is_name;
use glade_agent::facts::{Impact, Need};
use glade_agent::{Mode, PartData, action, part};
use serde_json::Value;

#[test]
fn the_catalogue_is_what_was_reviewed() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/snapshots/catalogue.json");
    let now = catalogue();
    if std::env::var_os("UPDATE").is_some() {
        let text = serde_json::to_string_pretty(&now).unwrap();
        std::fs::write(&path, format!("{text}\n")).unwrap();
        return;
    }
    let kept: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    for list in ["actions", "parts", "modes", "plugins"] {
        let names = |value: &Value| -> Vec<String> {
            let all = value[list].as_array().unwrap().iter();
            all.map(|one| one["name"].to_string()).collect()
        };
        assert_eq!(
            names(&now),
            names(&kept),
            "run with UPDATE=1 and read the difference"
        );
        let both = now[list].as_array().unwrap().iter();
        for (now, kept) in both.zip(kept[list].as_array().unwrap()) {
            assert_eq!(now, kept, "run with UPDATE=1 and read the difference");
        }
    }
}

#[test]
fn every_name_is_fit_for_every_wire_and_nobody_elses() {
    let actions = action::described().map(|action| action.facts());
    let actions: Vec<&str> = actions
        .flat_map(|facts| facts.formerly.iter().copied().chain([facts.name]))
        .collect();
    let parts: Vec<&str> = part::all().map(|part| part.facts().name).collect();
    for names in [actions, parts] {
        let unique: BTreeSet<&&str> = names.iter().collect();
        assert_eq!(unique.len(), names.len(), "{names:?}");
    }
    for facts in action::described().map(|action| action.facts()) {
        assert!(is_name(facts.name), "{}", facts.name);
        assert!(!facts.icon.is_empty() && !facts.about.is_empty());
    }
}

#[test]
fn only_what_a_scope_decides_about_needs_a_right_to_write() {
    for facts in action::described().map(|action| action.facts()) {
        let writes = matches!(facts.needs(), Need::Comment | Need::Edit);
        assert_eq!(writes, facts.is_scoped(), "{}", facts.name);
        let idle = matches!(facts.impact, Impact::Own | Impact::Reads);
        assert_eq!(idle, !facts.is_scoped(), "{}", facts.name);
    }
}

/// The studio offers to switch off kinds of work: each action that a scope may name is in one of them.
#[test]
fn a_person_can_switch_off_what_a_scope_may_name_and_nothing_else() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/kinds-of-work.json");
    let kinds: BTreeMap<String, Vec<String>> =
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let mut offered: Vec<&str> = kinds.values().flatten().map(String::as_str).collect();
    let mut scoped: Vec<&str> = action::scoped().map(|action| action.facts().name).collect();
    offered.sort_unstable();
    scoped.sort_unstable();
    assert_eq!(offered, scoped);
}

#[test]
fn the_data_of_a_part_is_tagged_with_its_name() {
    for part in part::REGISTRY {
        let name = part.facts().name;
        // Read as data of no fields: whatever is missing, the tag is known.
        let read = serde_json::from_value::<PartData>(serde_json::json!({"type": name}));
        let error = read
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default();
        assert!(!error.contains("unknown variant"), "{name}: {error}");
    }
    let modes = glade_agent::mode::all().map(|row| row.mode);
    for mode in modes {
        assert_eq!(Mode::parse(mode.name()), Some(mode));
        let written = serde_json::to_value(mode).unwrap();
        assert_eq!(serde_json::from_value::<Mode>(written).unwrap(), mode);
    }
}
