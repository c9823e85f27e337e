//! What is stored of a fairy: its core as of the step at work, the run it is on, what waits.
//!
//! It is written in the transaction that ends a step, before the next is asked: a crash at any moment
//! finds the state that belongs to the steps that ended, and the step after them is done once more.

use glade_access::Capability;
use glade_agent::{Checkpoint, Input};
use serde::{Deserialize, Serialize};

use super::transcript::SavedTranscript;

#[derive(Debug, Serialize, Deserialize)]
pub struct Saved {
    pub agent: Checkpoint,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<SavedRun>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waiting: Vec<Waiting>,
}

/// The run at work.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SavedRun {
    pub id: String,
    pub asker: Option<Capability>,
    pub input: Input,
    pub transcript: SavedTranscript,
}

/// Something to do once the run at work is over: of somebody else, or for another page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Waiting {
    pub input: Input,
    pub asker: Option<Capability>,
}

impl Saved {
    /// Reads a row's state; `None`: there is none, or none that can be read.
    pub fn read(state_json: &str) -> Option<Self> {
        serde_json::from_str(state_json).ok().or_else(|| {
            // As it was written before runs were stored with it.
            let agent = serde_json::from_str(state_json).ok()?;
            Some(Self {
                agent,
                run: None,
                waiting: Vec::new(),
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_state_that_was_stored_with_the_settings_inside_is_read() {
        let input = json!({"message": "draw"});
        let old = json!({
            "agent": {
                "config": {"fairyId": "fy_1", "name": "Wisp", "personality": "", "view": {"x": 0.0, "y": 0.0, "w": 9.0, "h": 9.0}},
                "mode": "one-shotting",
                "view": {"x": 0.0, "y": 0.0, "w": 9.0, "h": 9.0},
                "position": {"x": 4.5, "y": 4.5},
                "flip": false,
                "coords": {"origin": {"x": 0.0, "y": 0.0}, "rounded": {}},
                "ids": {"to_element": {"a": "el_1"}, "to_model": {"el_1": "a"}, "aliases": {}},
                "history": {"items": []},
                "lastStep": 3,
                "lastAction": 7,
                "limits": {"steps": 24, "tokens": 400_000, "usd": 2.0},
                "planFirst": true,
                "only": null,
                "run": {
                    "id": "run_1", "input": input, "rng": 5, "steps": 2,
                    "created": {"18446744073709551615": 1},
                    "told": [], "scheduled": null, "waiting": {"messages": ["go on"], "source": "self"},
                    "tokens": 12, "usd": 0.5, "failures": 0, "linted": false,
                },
            },
            "run": {"id": "run_1", "asker": null, "input": input, "transcript": {"message_id": "msg_1", "parts": []}},
        });
        let saved = Saved::read(&old.to_string()).unwrap();
        let agent = &saved.agent;
        assert_eq!(
            agent.run().map(ToString::to_string),
            Some("run_1".to_owned())
        );
        assert_eq!(agent.last_action(), 7);
        // As it was written before runs were stored with it.
        let alone = Saved::read(&old["agent"].to_string()).unwrap();
        assert!(alone.run.is_none());
        // What is written now has the same fields, but for the settings.
        let mut written = serde_json::to_value(agent).unwrap();
        let run = &mut written["run"];
        assert_eq!(run["created"], old["agent"]["run"]["created"]);
        assert_eq!(run["waiting"]["messages"], json!(["go on"]));
        for field in [
            "mode",
            "view",
            "position",
            "flip",
            "coords",
            "ids",
            "history",
            "lastStep",
            "lastAction",
        ] {
            assert_eq!(written[field], old["agent"][field], "{field}");
        }
    }
}
