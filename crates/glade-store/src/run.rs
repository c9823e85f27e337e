//! Whose a run is and what it works on, as types; in the database each is one column of text.

/// What stands in the column of the page where a run works on files.
const FILES: &str = "code";

/// Whose work a run is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunOwner {
    /// A fairy of this server, or a chat about the code project: the id of either.
    Fairy(String),
    /// A person who suggests: their subject.
    Person(String),
    /// An agent from outside, which draws over a line as people do: its subject.
    Agent(String),
}

impl RunOwner {
    /// Whoever draws over a line.
    pub fn over_a_line(subject: &str) -> Self {
        if subject.starts_with("person:") {
            Self::Person(subject.to_owned())
        } else {
            Self::Agent(subject.to_owned())
        }
    }

    /// The fairy or chat, if the run is one's.
    pub fn fairy(&self) -> Option<&str> {
        match self {
            Self::Fairy(id) => Some(id),
            Self::Person(_) | Self::Agent(_) => None,
        }
    }

    /// Who did it, as tokens and the audit chain name them.
    pub fn subject(&self) -> String {
        match self {
            Self::Fairy(id) => format!("fairy:{id}"),
            Self::Person(subject) | Self::Agent(subject) => subject.clone(),
        }
    }

    pub(crate) fn column(&self) -> &str {
        match self {
            Self::Fairy(text) | Self::Person(text) | Self::Agent(text) => text,
        }
    }

    pub(crate) fn parse(column: &str) -> Option<Self> {
        match column.split_once(':') {
            None => (!column.is_empty()).then(|| Self::Fairy(column.to_owned())),
            Some(("person" | "agent" | "fairy", name)) => {
                (!name.is_empty()).then(|| Self::over_a_line(column))
            }
            Some(_) => None,
        }
    }
}

/// What a run works on. Ask by the methods: a run of both may come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunTarget {
    /// Pages; the one that it began on. Its spans tell of the others.
    Pages(String),
    /// Files of the code project.
    Files,
}

impl RunTarget {
    pub fn first_page(&self) -> Option<&str> {
        match self {
            Self::Pages(first) => Some(first),
            Self::Files => None,
        }
    }

    pub fn has_files(&self) -> bool {
        *self == Self::Files
    }

    /// As clients and the audit chain name it: the first page, or `code`.
    pub fn name(&self) -> &str {
        self.first_page().unwrap_or(FILES)
    }

    pub(crate) fn parse(column: &str) -> Option<Self> {
        match column {
            "" => None,
            FILES => Some(Self::Files),
            page => Some(Self::Pages(page.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owners_and_targets_come_back_as_they_went_in() {
        let owners = [
            RunOwner::Fairy("fy_1".to_owned()),
            RunOwner::Person("person:ada".to_owned()),
            RunOwner::Agent("agent:bot".to_owned()),
            RunOwner::Agent("fairy:elsewhere".to_owned()),
        ];
        for owner in owners {
            assert_eq!(RunOwner::parse(owner.column()), Some(owner));
        }
        for target in [RunTarget::Files, RunTarget::Pages("pg_1".to_owned())] {
            assert_eq!(RunTarget::parse(target.name()), Some(target));
        }
    }

    #[test]
    fn what_names_nobody_or_nothing_is_refused() {
        for column in ["", "person:", "owner:ada", ":"] {
            assert_eq!(RunOwner::parse(column), None, "{column:?}");
        }
        assert_eq!(RunTarget::parse(""), None);
    }
}
