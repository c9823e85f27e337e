//! The mode table drawn: a Mermaid state diagram for `docs/projects.md`.

use std::fmt::Write as _;

use super::{Mode, OnPrompt, TABLE, WhileOpen};

/// Where actions lead, besides the edges of a prompt that the table has. `None`: it is another fairy
/// that this is done to.
pub static LEADS: &[(Mode, Option<&str>, Mode)] = &[
    (Mode::Soloing, Some("start-task"), Mode::WorkingSolo),
    (Mode::WorkingSolo, Some("mark-task-done"), Mode::Soloing),
    (Mode::Idling, None, Mode::StandingBy),
    (Mode::Idling, None, Mode::OrchestratingActive),
    (Mode::Idling, None, Mode::DuoOrchestratingActive),
    (Mode::StandingBy, None, Mode::WorkingDrone),
    (
        Mode::WorkingDrone,
        Some("mark-my-task-done"),
        Mode::StandingBy,
    ),
    (
        Mode::OrchestratingActive,
        Some("await-tasks-completion"),
        Mode::OrchestratingWaiting,
    ),
    (
        Mode::OrchestratingActive,
        Some("await-mode-transition"),
        Mode::OrchestratingWaiting,
    ),
    (
        Mode::OrchestratingActive,
        Some("await-event"),
        Mode::OrchestratingWaiting,
    ),
    (Mode::OrchestratingActive, Some("end-project"), Mode::Idling),
    (
        Mode::DuoOrchestratingActive,
        Some("start-duo-task"),
        Mode::WorkingOrchestrator,
    ),
    (
        Mode::WorkingOrchestrator,
        Some("mark-duo-task-done"),
        Mode::DuoOrchestratingActive,
    ),
    (
        Mode::DuoOrchestratingActive,
        Some("await-duo-tasks-completion"),
        Mode::DuoOrchestratingWaiting,
    ),
    (
        Mode::DuoOrchestratingActive,
        Some("await-mode-transition"),
        Mode::DuoOrchestratingWaiting,
    ),
    (
        Mode::DuoOrchestratingActive,
        Some("await-event"),
        Mode::DuoOrchestratingWaiting,
    ),
    (
        Mode::DuoOrchestratingActive,
        Some("end-duo-project"),
        Mode::Idling,
    ),
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
    for (from, action, to) in LEADS {
        edge(*from, *to, action.unwrap_or("set on it by a project"));
    }
    out
}
