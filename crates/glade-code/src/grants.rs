//! What a person has allowed, so that nobody is asked twice.
//!
//! Reading is free and needs no grant. A write is asked for unless it was allowed for this run, for
//! this chat, or for files of this name. What lies outside the project is never asked for: no tool
//! can reach it.

use serde::{Deserialize, Serialize};

use crate::error::ToolError;
use crate::path::ProjectPath;
use crate::walk::pattern;

/// How far a "yes" reaches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "scope")]
pub enum Reach {
    Once,
    Run,
    Chat,
    /// Files whose path matches one of these patterns.
    Paths {
        paths: Vec<String>,
    },
}

/// The grants of one chat, as they are stored.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Grants {
    pub chat: bool,
    pub paths: Vec<String>,
    /// Ends with the run.
    #[serde(skip)]
    run: Option<String>,
}

impl Grants {
    /// Whether `run` may write there without asking.
    pub fn allow(&self, run: &str, path: &ProjectPath) -> bool {
        self.chat
            || self.run.as_deref() == Some(run)
            || self.paths.iter().any(|given| {
                // What is stored was checked when it was granted.
                pattern("paths", given).is_ok_and(|pattern| pattern.is_match(path.as_str()))
            })
    }

    /// Remembers a "yes".
    pub fn grant(&mut self, run: &str, reach: Reach) -> Result<(), ToolError> {
        match reach {
            Reach::Once => {}
            Reach::Run => self.run = Some(run.to_owned()),
            Reach::Chat => self.chat = true,
            Reach::Paths { paths } => {
                for given in &paths {
                    pattern("paths", given)?;
                }
                self.paths.extend(paths);
                self.paths.sort();
                self.paths.dedup();
            }
        }
        Ok(())
    }

    /// Takes a "yes" back: whoever writes there next asks again.
    pub fn take_back(&mut self, reach: &Reach) {
        match reach {
            Reach::Once => {}
            Reach::Run => self.run = None,
            Reach::Chat => self.chat = false,
            Reach::Paths { paths } => self.paths.retain(|given| !paths.contains(given)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn path(text: &str) -> ProjectPath {
        ProjectPath::parse_file(text, Path::new("/p")).unwrap()
    }

    #[test]
    fn a_yes_reaches_as_far_as_it_was_meant() {
        let mut grants = Grants::default();
        let (a, test) = (path("src/a.rs"), path("tests/deep/b.rs"));
        let may = |grants: &Grants, run: &str| (grants.allow(run, &a), grants.allow(run, &test));
        grants.grant("run_1", Reach::Once).unwrap();
        assert_eq!(may(&grants, "run_1"), (false, false));
        grants.grant("run_1", Reach::Run).unwrap();
        assert_eq!(
            (may(&grants, "run_1"), may(&grants, "run_2")),
            ((true, true), (false, false))
        );
        let paths = vec!["tests/**".to_owned()];
        grants.grant("run_2", Reach::Paths { paths }).unwrap();
        assert_eq!(may(&grants, "run_3"), (false, true));
        let bad = vec!["a{".to_owned()];
        assert!(grants.grant("run_3", Reach::Paths { paths: bad }).is_err());
        let stored: Grants =
            serde_json::from_str(&serde_json::to_string(&grants).unwrap()).unwrap();
        assert_eq!(may(&stored, "run_1"), (false, true));
        grants.grant("run_3", Reach::Chat).unwrap();
        assert_eq!(may(&grants, "run_9"), (true, true));
    }

    #[test]
    fn a_yes_taken_back_leaves_the_others() {
        let paths = |given: &[&str]| Reach::Paths {
            paths: given.iter().map(|&one| one.to_owned()).collect(),
        };
        let mut grants = Grants::default();
        for reach in [Reach::Run, Reach::Chat, paths(&["src/**", "tests/**"])] {
            grants.grant("run_1", reach).unwrap();
        }
        grants.take_back(&Reach::Chat);
        assert!(grants.allow("run_1", &path("a.rs")));
        grants.take_back(&Reach::Run);
        grants.take_back(&paths(&["src/**", "never/given"]));
        assert_eq!(
            grants,
            Grants {
                paths: vec!["tests/**".to_owned()],
                ..Grants::default()
            }
        );
        assert!(!grants.allow("run_1", &path("src/a.rs")));
        assert!(grants.allow("run_1", &path("tests/b.rs")));
    }
}
