//! The page on modes and projects says what the mode table says.

use std::path::Path;

use glade_agent::mode::diagram::diagram;
use glade_agent::{MODES, MemoryLevel, action, part};

const BEGIN: &str = "<!-- the mode table, drawn: begin -->\n```mermaid\n";
const END: &str = "```\n<!-- the mode table, drawn: end -->";

#[test]
fn the_diagram_in_the_documentation_is_the_tables() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/projects.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = page
        .split_once(BEGIN)
        .expect("the beginning of the diagram");
    let (drawn, after) = rest.split_once(END).expect("the end of the diagram");
    if std::env::var_os("GLADE_BLESS").is_some() {
        let page = format!("{before}{BEGIN}{}{END}{after}", diagram());
        std::fs::write(&path, page).unwrap();
        return;
    }
    assert_eq!(
        drawn,
        diagram(),
        "GLADE_BLESS=1 writes the diagram into docs/projects.md"
    );
}

#[test]
fn every_mode_has_work_and_sight_that_there_are() {
    for row in MODES {
        let name = row.mode.name();
        for topic in row.sees {
            let known = part::REGISTRY
                .iter()
                .any(|part| part.facts().topic == *topic);
            assert!(known, "{name}: no part tells of {topic:?}");
        }
        for work in row.work {
            let known = action::REGISTRY.iter().any(|one| one.facts().work == *work);
            assert!(known, "{name}: no action is part of {work:?}");
        }
        assert_eq!(row.is_active(), !row.work.is_empty(), "{name}");
    }
    assert_eq!(MODES.len(), 13, "the modes of the design");
}

#[test]
fn what_leads_from_mode_to_mode_is_allowed_there() {
    for facts in action::REGISTRY.iter().map(|action| action.facts()) {
        for (from, _) in facts.leads {
            let name = facts.name;
            assert!(from.row().allows(facts), "{name} in {}", from.name());
        }
    }
}

#[test]
fn memory_reaches_as_far_as_the_mode_says() {
    for row in MODES {
        let name = row.mode.name();
        let expected = match name {
            "working-solo" | "working-drone" | "working-orchestrator" => MemoryLevel::Task,
            "standing-by"
            | "orchestrating-active"
            | "orchestrating-waiting"
            | "duo-orchestrating-active"
            | "duo-orchestrating-waiting" => MemoryLevel::Project,
            _ => MemoryLevel::Fairy,
        };
        assert_eq!(row.memory, expected, "{name}");
    }
}
