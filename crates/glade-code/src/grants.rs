//! What a person has allowed, so that nobody is asked twice.
//!
//! Reading is free and needs no grant. A write is asked for unless a yes to a change of its kind
//! reaches it: given for this run, for this chat, or for files of this name. What lies outside the
//! project is never asked for: no tool can reach it.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::change::ChangeKind;
use crate::error::{Code, ToolError};
use crate::path::ProjectPath;
use crate::walk::pattern;

/// How far a "yes" reaches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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

impl Reach {
    fn check(&self) -> Result<(), ToolError> {
        if let Reach::Paths { paths } = self {
            if paths.is_empty() {
                return Err(reaches_nothing("an empty list"));
            }
            for given in paths {
                // What names no file would either reach nothing or, as a glob, everything.
                let named = given.trim_start_matches("./").trim_matches('/');
                let outside = named
                    .split('/')
                    .any(|part| matches!(part.trim(), "" | "." | ".."));
                if outside || given.starts_with('/') {
                    return Err(reaches_nothing(&format!("{given:?}")));
                }
                pattern("paths", given)?;
            }
        }
        Ok(())
    }
}

fn reaches_nothing(given: &str) -> ToolError {
    ToolError::new(
        Code::Invalid("paths"),
        format!("{given} names no file of the project: give paths or patterns such as src/**."),
    )
}

/// One "yes".
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Grant {
    /// What was asked about; nothing else is allowed by it.
    pub kind: ChangeKind,
    #[serde(flatten)]
    pub reach: Reach,
    /// The run that asked: the yes ends when its message is taken back.
    pub run: String,
    /// The files and folders of whoever said it, if they have not all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<BTreeSet<String>>,
}

impl Grant {
    fn covers(&self, run: &str, kind: ChangeKind, path: &ProjectPath) -> bool {
        let reaches = match &self.reach {
            Reach::Once => false,
            Reach::Run => self.run == run,
            Reach::Chat => true,
            Reach::Paths { paths } => paths.iter().any(|given| {
                // What is stored was checked when it was granted.
                pattern("paths", given).is_ok_and(|pattern| pattern.is_match(path.as_str()))
            }),
        };
        let inside = self.within.as_ref();
        reaches && self.kind == kind && inside.is_none_or(|within| path.is_under(within))
    }
}

/// The grants of one chat.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Grants(Vec<Grant>);

impl Grants {
    /// Whether `run` may do such a change there without asking.
    pub fn allow(&self, run: &str, kind: ChangeKind, path: &ProjectPath) -> bool {
        self.0.iter().any(|grant| grant.covers(run, kind, path))
    }

    /// Remembers a "yes".
    pub fn grant(&mut self, grant: Grant) -> Result<(), ToolError> {
        grant.reach.check()?;
        if grant.reach != Reach::Once && !self.0.contains(&grant) {
            self.0.push(grant);
        }
        Ok(())
    }

    /// Takes a "yes" back, to changes of this kind or of all: whoever writes there next asks again.
    pub fn take_back(&mut self, reach: &Reach, kind: Option<ChangeKind>) {
        for grant in &mut self.0 {
            let meant = kind.is_none_or(|kind| kind == grant.kind);
            if let (true, Reach::Paths { paths: given }, Reach::Paths { paths }) =
                (meant, &mut grant.reach, reach)
            {
                given.retain(|one| !paths.contains(one));
            }
        }
        self.0.retain(|grant| {
            let meant = kind.is_none_or(|kind| kind == grant.kind);
            let empty = matches!(&grant.reach, Reach::Paths { paths } if paths.is_empty());
            let taken = meant && grant.reach == *reach;
            !empty && !taken
        });
    }

    /// What was allowed in answer to these runs is allowed no more.
    pub fn end(&mut self, runs: &BTreeSet<String>) {
        self.0.retain(|grant| !runs.contains(&grant.run));
    }

    /// Without those that end with their run.
    pub fn lasting(&self) -> Grants {
        let lasts = |grant: &&Grant| grant.reach != Reach::Run;
        Grants(self.0.iter().filter(lasts).cloned().collect())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::ChangeKind::{Create, Delete, Edit};
    use super::*;

    fn path(text: &str) -> ProjectPath {
        ProjectPath::parse_file(text, Path::new("/p")).unwrap()
    }

    fn yes(run: &str, reach: Reach) -> Grant {
        Grant {
            kind: Edit,
            reach,
            run: run.to_owned(),
            within: None,
        }
    }

    fn paths(given: &[&str]) -> Reach {
        Reach::Paths {
            paths: given.iter().map(|&one| one.to_owned()).collect(),
        }
    }

    #[test]
    fn a_yes_reaches_as_far_as_it_was_meant() {
        let mut grants = Grants::default();
        let (a, test) = (path("src/a.rs"), path("tests/deep/b.rs"));
        let may = |grants: &Grants, run: &str| {
            (grants.allow(run, Edit, &a), grants.allow(run, Edit, &test))
        };
        grants.grant(yes("run_1", Reach::Once)).unwrap();
        assert_eq!(may(&grants, "run_1"), (false, false));
        grants.grant(yes("run_1", Reach::Run)).unwrap();
        assert_eq!(
            (may(&grants, "run_1"), may(&grants, "run_2")),
            ((true, true), (false, false))
        );
        grants.grant(yes("run_2", paths(&["tests/**"]))).unwrap();
        assert_eq!(may(&grants, "run_3"), (false, true));
        assert!(grants.grant(yes("run_3", paths(&["a{"]))).is_err());
        let stored = serde_json::to_string(&grants.lasting()).unwrap();
        let stored: Grants = serde_json::from_str(&stored).unwrap();
        assert_eq!(may(&stored, "run_1"), (false, true));
        grants.grant(yes("run_3", Reach::Chat)).unwrap();
        assert_eq!(may(&grants, "run_9"), (true, true));
    }

    #[test]
    fn a_yes_to_one_kind_of_change_is_a_yes_to_no_other() {
        for kind in [Create, Edit, Delete] {
            for reach in [Reach::Run, Reach::Chat, paths(&["**"])] {
                let mut grants = Grants::default();
                let grant = Grant {
                    kind,
                    ..yes("run_1", reach)
                };
                grants.grant(grant).unwrap();
                let allowed = [Create, Edit, Delete]
                    .map(|other| (other, grants.allow("run_1", other, &path("a"))));
                let wanted = [Create, Edit, Delete].map(|other| (other, other == kind));
                assert_eq!(allowed, wanted);
            }
        }
    }

    #[test]
    fn a_yes_reaches_no_further_than_who_said_it() {
        let mut grants = Grants::default();
        for reach in [Reach::Run, Reach::Chat, paths(&["**"])] {
            let grant = Grant {
                within: Some(BTreeSet::from(["src".to_owned()])),
                ..yes("run_1", reach)
            };
            grants.grant(grant).unwrap();
        }
        let may = |file| grants.allow("run_1", Edit, &path(file));
        assert_eq!(
            ["src/a.rs", "src", "srcs/a.rs", "docs/a.md", "a.rs"].map(may),
            [true, true, false, false, false]
        );
    }

    #[test]
    fn a_yes_ends_with_the_message_that_it_was_given_to() {
        let mut grants = Grants::default();
        grants.grant(yes("run_1", Reach::Chat)).unwrap();
        grants.grant(yes("run_2", paths(&["src/**"]))).unwrap();
        grants.end(&BTreeSet::from(["run_1".to_owned()]));
        assert!(!grants.allow("run_3", Edit, &path("a.rs")));
        assert!(grants.allow("run_3", Edit, &path("src/a.rs")));
        grants.end(&BTreeSet::from(["run_2".to_owned()]));
        assert_eq!(grants, Grants::default());
    }

    #[test]
    fn a_yes_taken_back_leaves_the_others() {
        let mut grants = Grants::default();
        for reach in [Reach::Run, Reach::Chat, paths(&["src/**", "tests/**"])] {
            grants.grant(yes("run_1", reach)).unwrap();
        }
        let create = Grant {
            kind: Create,
            ..yes("run_1", Reach::Chat)
        };
        grants.grant(create.clone()).unwrap();
        grants.take_back(&Reach::Chat, Some(Edit));
        assert!(grants.allow("run_1", Edit, &path("a.rs")));
        grants.take_back(&Reach::Run, None);
        grants.take_back(&paths(&["src/**", "never/given"]), None);
        assert_eq!(
            grants,
            Grants(vec![yes("run_1", paths(&["tests/**"])), create])
        );
        assert!(!grants.allow("run_1", Edit, &path("src/a.rs")));
        assert!(grants.allow("run_1", Edit, &path("tests/b.rs")));
        grants.take_back(&Reach::Chat, None);
        assert_eq!(grants, Grants(vec![yes("run_1", paths(&["tests/**"]))]));
    }

    #[test]
    fn a_yes_that_names_no_file_is_refused() {
        for given in [
            "",
            " ",
            "/",
            ".",
            "./",
            "..",
            "../**",
            "src/../..",
            "/etc/**",
            "src//x",
        ] {
            let granted = Grants::default().grant(yes("r", paths(&[given])));
            assert!(granted.is_err(), "{given:?} was taken");
        }
        assert!(Grants::default().grant(yes("r", paths(&[]))).is_err());
        for given in ["src/**", "*.md", "./a.rs", "docs/"] {
            let granted = Grants::default().grant(yes("r", paths(&[given])));
            assert_eq!(granted, Ok(()), "{given:?}");
        }
    }
}
