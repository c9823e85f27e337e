//! The mode table drawn: a Mermaid state diagram for `docs/projects.md`.

use std::fmt::Write as _;

use super::{Mode, OnPrompt, TABLE, WhileOpen};
use crate::action::REGISTRY;

/// What a project does to another fairy's mode. Where actions lead, they say themselves.
static SET: &[(Mode, Mode)] = &[
    (Mode::Idling, Mode::StandingBy),
    (Mode::Idling, Mode::OrchestratingActive),
    (Mode::Idling, Mode::DuoOrchestratingActive),
    (Mode::StandingBy, Mode::WorkingDrone),
];

/// The diagram, as it stands in the documentation.
pub fn diagram() -> String {
    let mut out = String::from("stateDiagram-v2\n");
    let id = |mode: Mode| mode.name().replace('-', "_");
    for row in TABLE {
        let name = row.mode.name();
        // Writing to a string cannot fail.
        let _ = writeln!(out, "    state \"{name}\" as {}", id(row.mode));
    }
    let _ = writeln!(out, "    [*] --> {}", id(Mode::Idling));
    let mut edge = |from: Mode, to: Mode, label: &str| {
        if from != to {
            let _ = writeln!(out, "    {} --> {}: {label}", id(from), id(to));
        }
    };
    for row in TABLE {
        match row.hooks.on_prompt {
            OnPrompt::Stay => {}
            OnPrompt::Start => {
                edge(row.mode, Mode::OneShotting, "asked");
                edge(row.mode, Mode::Soloing, "asked, plans first");
            }
            OnPrompt::To(to) => edge(row.mode, to, "asked or woken"),
        }
        if let WhileOpen::Project { waiting } = row.hooks.while_open {
            edge(row.mode, waiting, "answered, still waits");
        }
        edge(row.mode, row.hooks.on_end, "nothing left to do");
        edge(row.mode, row.hooks.on_cancel, "stopped");
    }
    for (from, to) in SET {
        edge(*from, *to, "set on it by a project");
    }
    for facts in REGISTRY.iter().map(|action| action.facts()) {
        for (from, to) in facts.leads {
            edge(*from, *to, facts.name);
        }
    }
    out
}
