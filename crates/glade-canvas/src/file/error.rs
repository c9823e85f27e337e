use thiserror::Error;

/// Why a file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FileError {
    #[error("the file is not valid JSON: {0}; check that it is complete and was not cut off")]
    Json(String),
    #[error(
        "the file is {what}, not an Excalidraw scene; open a .excalidraw or .tldr file, or a PNG or SVG with the scene embedded"
    )]
    NotAScene { what: String },
    #[error("the file is an Excalidraw library; read it with from_library")]
    Library,
    #[error("the {format} has no scene in it; export it again with \"Embed scene\" switched on")]
    NoScene { format: &'static str },
    #[error("the scene in the {format} is damaged: {reason}; use the original .excalidraw file")]
    Damaged {
        format: &'static str,
        reason: String,
    },
    #[error("the file has {count} {what}, more than the {limit} that can be opened; split it")]
    TooLarge {
        what: &'static str,
        count: usize,
        limit: usize,
    },
}
