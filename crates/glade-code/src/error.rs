//! What can go wrong in a call, in codes for programs and words for a model.

use std::fmt;

/// Why a call failed. On the wire these are the upper-case names that agents know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Code {
    /// A parameter that must be there is not: `MISSING_TARGET_FILE`.
    Missing(&'static str),
    /// A parameter is there and of the wrong kind: `INVALID_TARGET_FILE`.
    Invalid(&'static str),
    InvalidLineRange,
    InvalidIncludeOptions,
    FileNotFound,
    FileTooLarge,
    PathNotFound,
    AlreadyThere,
    NotADirectory,
    NotAFile,
    Binary,
    OutsideProject,
    ProtectedPath,
    /// The file changed since it was read, or was never read.
    Stale,
    NoMatch,
    AmbiguousMatch,
    UnknownTool,
    /// Other calls of the same answer have used up what it may find.
    TooMuch,
    NotAllowed,
    /// A person must say yes first, and none can be asked.
    UserInteractionRequired,
    Cancelled,
    TimedOut,
    Io,
    /// The tool itself failed; its panic was caught.
    Internal,
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Code::Missing(parameter) => {
                return write!(f, "MISSING_{}", parameter.to_ascii_uppercase());
            }
            Code::Invalid(parameter) => {
                return write!(f, "INVALID_{}", parameter.to_ascii_uppercase());
            }
            Code::InvalidLineRange => "INVALID_LINE_RANGE",
            Code::InvalidIncludeOptions => "INVALID_INCLUDE_OPTIONS",
            Code::FileNotFound => "FILE_NOT_FOUND",
            Code::FileTooLarge => "FILE_TOO_LARGE",
            Code::PathNotFound => "PATH_NOT_FOUND",
            Code::AlreadyThere => "ALREADY_THERE",
            Code::NotADirectory => "NOT_A_DIRECTORY",
            Code::NotAFile => "NOT_A_FILE",
            Code::Binary => "BINARY_FILE",
            Code::OutsideProject => "OUTSIDE_PROJECT",
            Code::ProtectedPath => "PROTECTED_PATH",
            Code::Stale => "STALE_READ",
            Code::NoMatch => "NO_MATCH",
            Code::AmbiguousMatch => "AMBIGUOUS_MATCH",
            Code::UnknownTool => "UNKNOWN_TOOL",
            Code::TooMuch => "TOO_MUCH",
            Code::NotAllowed => "NOT_ALLOWED",
            Code::UserInteractionRequired => "USER_INTERACTION_REQUIRED",
            Code::Cancelled => "CANCELLED",
            Code::TimedOut => "TIMED_OUT",
            Code::Io => "IO_ERROR",
            Code::Internal => "INTERNAL_ERROR",
        };
        f.write_str(name)
    }
}

/// A failed call: nothing was changed by it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {words}")]
pub struct ToolError {
    pub code: Code,
    /// What happened, to what, and what to do now.
    pub words: String,
}

impl ToolError {
    pub fn new(code: Code, words: impl Into<String>) -> Self {
        Self {
            code,
            words: words.into(),
        }
    }

    /// A person said no, and perhaps why. Their words are theirs: what they want instead.
    pub fn refused_by_person(why: Option<&str>) -> Self {
        let why = why.map(str::trim).filter(|why| !why.is_empty());
        let words = match why {
            Some(why) => {
                let why: String = why.chars().take(LONGEST_REASON).collect();
                format!(
                    "The person did not allow the change, and says: {why}\nDo as they say, and go on."
                )
            }
            None => "The person did not allow the change. Do not try another way to do the same: do what else was asked, and ask what they want instead.".to_owned(),
        };
        Self::new(Code::NotAllowed, words)
    }
}

/// Of a person's reason for a no, in characters.
const LONGEST_REASON: usize = 4_000;
