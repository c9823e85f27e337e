//! What a fairy of a project can wait for, and when that has come.
//!
//! A wait is data: it is stored, compared and matched, never called. Waiting twice for the same
//! thing is waiting once. What has come is consumed by everyone who waits for it, each once.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::mode::Mode;

/// Something that a fairy waits for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Wait {
    /// Who waits.
    pub fairy: String,
    pub on: WaitOn,
    /// When it gives up, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<i64>,
}

/// What is waited for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum WaitOn {
    TaskCompleted {
        task: String,
    },
    ModeTransition {
        fairy: String,
        mode: Mode,
    },
    /// An event of this name whose data has all of these fields with these values, or with numbers and
    /// truths that read like them.
    Custom {
        name: String,
        #[serde(default)]
        matching: BTreeMap<String, Value>,
    },
}

/// Something that waits look out for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Happening {
    TaskCompleted { task: String },
    ModeTransition { fairy: String, mode: Mode },
    Custom { name: String, data: Value },
}

impl fmt::Display for Happening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Happening::TaskCompleted { task } => write!(f, "the task {task} is done"),
            Happening::ModeTransition { fairy, mode } => write!(f, "{fairy} is {}", mode.name()),
            Happening::Custom { name, data } if data.as_object().is_none_or(Map::is_empty) => {
                f.write_str(name)
            }
            Happening::Custom { name, data } => write!(f, "{name}, {data}"),
        }
    }
}

impl WaitOn {
    pub fn is_met_by(&self, what: &Happening) -> bool {
        match (self, what) {
            (WaitOn::TaskCompleted { task }, Happening::TaskCompleted { task: done }) => {
                task == done
            }
            (
                WaitOn::ModeTransition { fairy, mode },
                Happening::ModeTransition {
                    fairy: who,
                    mode: to,
                },
            ) => fairy == who && mode == to,
            (WaitOn::Custom { name, matching }, Happening::Custom { name: said, data }) => {
                let reads = |found: &Value, word: &str| match found {
                    Value::Number(number) => number.to_string() == word,
                    Value::Bool(truth) => truth.to_string() == word,
                    _ => false,
                };
                let fits = |(key, value): (&String, &Value)| {
                    let found = data.get(key);
                    found.is_some_and(|found| {
                        found == value || value.as_str().is_some_and(|word| reads(found, word))
                    })
                };
                name == said && matching.iter().all(fits)
            }
            _ => false,
        }
    }
}

/// Adds a wait, unless its fairy waits for the same already.
pub fn add(waits: &mut Vec<Wait>, wait: Wait) {
    let same = |one: &Wait| one.fairy == wait.fairy && one.on == wait.on;
    if !waits.iter().any(same) {
        waits.push(wait);
    }
}

/// Takes out the waits that this meets.
pub fn consume(waits: &mut Vec<Wait>, what: &Happening) -> Vec<Wait> {
    take(waits, |wait| wait.on.is_met_by(what))
}

/// Takes out the waits for which this holds.
pub fn take(waits: &mut Vec<Wait>, which: impl Fn(&Wait) -> bool) -> Vec<Wait> {
    let (out, left) = std::mem::take(waits).into_iter().partition(which);
    *waits = left;
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn waits_for(fairy: &str, on: WaitOn) -> Wait {
        Wait {
            fairy: fairy.to_owned(),
            on,
            until: None,
        }
    }

    fn task(id: &str) -> WaitOn {
        WaitOn::TaskCompleted {
            task: id.to_owned(),
        }
    }

    #[test]
    fn waiting_twice_for_the_same_is_waiting_once() {
        let mut waits = Vec::new();
        for fairy in ["a", "a", "b"] {
            add(&mut waits, waits_for(fairy, task("t1")));
        }
        assert_eq!(
            waits,
            [waits_for("a", task("t1")), waits_for("b", task("t1"))]
        );
    }

    #[test]
    fn what_has_come_is_consumed_by_everyone_who_waits_for_it_and_only_once() {
        let mut waits = Vec::new();
        add(&mut waits, waits_for("a", task("t1")));
        add(&mut waits, waits_for("b", task("t1")));
        add(&mut waits, waits_for("a", task("t2")));
        let done = Happening::TaskCompleted {
            task: "t1".to_owned(),
        };
        assert_eq!(consume(&mut waits, &done).len(), 2);
        assert_eq!(consume(&mut waits, &done), []);
        assert_eq!(waits, [waits_for("a", task("t2"))]);
    }

    #[test]
    fn a_custom_event_is_matched_by_its_name_and_by_every_field_asked_for() {
        let on = WaitOn::Custom {
            name: "review".to_owned(),
            matching: [("page".to_owned(), json!("pg_1"))].into(),
        };
        let said = |name: &str, data: Value| Happening::Custom {
            name: name.to_owned(),
            data,
        };
        assert!(on.is_met_by(&said("review", json!({"page": "pg_1", "more": 1}))));
        assert!(!on.is_met_by(&said("review", json!({"page": "pg_2"}))));
        assert!(!on.is_met_by(&said("review", json!(null))));
        assert!(!on.is_met_by(&said("other", json!({"page": "pg_1"}))));
    }

    #[test]
    fn a_number_is_matched_by_the_word_that_reads_like_it() {
        let on = WaitOn::Custom {
            name: "tea".to_owned(),
            matching: [
                ("sugar".to_owned(), json!("2")),
                ("hot".to_owned(), json!("true")),
            ]
            .into(),
        };
        let said = |data: Value| Happening::Custom {
            name: "tea".to_owned(),
            data,
        };
        assert!(on.is_met_by(&said(json!({"sugar": 2, "hot": true}))));
        assert!(!on.is_met_by(&said(json!({"sugar": 3, "hot": true}))));
    }

    #[test]
    fn a_mode_transition_is_of_one_fairy_into_one_mode() {
        let on = WaitOn::ModeTransition {
            fairy: "a".to_owned(),
            mode: Mode::StandingBy,
        };
        let went = |fairy: &str, mode| Happening::ModeTransition {
            fairy: fairy.to_owned(),
            mode,
        };
        assert!(on.is_met_by(&went("a", Mode::StandingBy)));
        assert!(!on.is_met_by(&went("a", Mode::Idling)));
        assert!(!on.is_met_by(&went("b", Mode::StandingBy)));
    }
}
