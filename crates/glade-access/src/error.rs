//! What can go wrong, said without ever repeating a token or a key.

use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum AccessError {
    #[error("this is not a Glade token, or a part of it is missing: copy the whole link again")]
    Malformed,

    #[error(
        "this token was altered, or made by another server: ask whoever gave it to you for a new link"
    )]
    Foreign,

    #[error(
        "this token holds a limit that this version does not know (block {block}), so it is refused: update the server, or ask for a new link"
    )]
    UnknownTemplate { block: usize },

    #[error("this token expired {seconds} s ago: ask whoever gave it to you for a new one")]
    Expired { seconds: u64, subject: String },

    #[error(
        "this token would be longer than {limit} bytes: make the new one from the owner's token, or name fewer things"
    )]
    TooLarge { limit: usize },

    #[error(
        "{name:?} cannot be the name of a {kind}: use 1 to 128 letters, digits and . _ : @ / -"
    )]
    BadName { kind: &'static str, name: String },

    #[error(
        "{subject:?} cannot be a subject: write person:, fairy: or agent: and a name of letters, digits and . _ @ / -"
    )]
    BadSubject { subject: String },

    #[error(
        "a token of {from} cannot be made one of {to}: it can only be narrowed to names that begin with {from}/"
    )]
    SubjectNotNarrower { from: String, to: String },

    #[error(
        "nobody else can be made the owner: leave the subject out for a token of the owner's own with fewer rights, or name somebody else"
    )]
    OwnersSubject,

    #[error(
        "an empty list of {kind} would allow nothing: leave it out to allow all, or name at least one"
    )]
    EmptyLimit { kind: &'static str },

    #[error(
        "`{op}` is no right in the code project: there are read, command (to ask) and edit (to approve, keep and undo)"
    )]
    NotInProject { op: &'static str },

    #[error("`code` is no page: what is left of the code project is said with `project`")]
    CodeIsNoPage,

    #[error(
        "this region holds nothing or lies too far out: give whole numbers x, y, w and h, the last two above 0"
    )]
    BadRegion,

    #[error("cannot {doing} the key file {}: {source}", .path.display())]
    KeyFile {
        doing: &'static str,
        path: PathBuf,
        source: std::io::Error,
    },

    #[error(
        "the key file {} is damaged: restore it from a backup, or move it away to make a new key (every link made so far then stops working)", .path.display()
    )]
    KeyDamaged { path: PathBuf },

    #[error(
        "other users of this machine can read the key file {}: run `chmod 600` on it, or move it away to make a new key if someone may have seen it", .path.display()
    )]
    KeyExposed { path: PathBuf },

    #[error("the token could not be built: {0}")]
    Build(String),
}
