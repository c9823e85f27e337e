use crate::Id;

/// Why there is no layout.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LayoutError {
    #[error("{0} is no size or place: give a finite number of at most a million, sizes from zero")]
    Number(f64),
    #[error("two things are called {0:?}: give each node, edge and group a name of its own")]
    Twice(Id),
    #[error("the edge {edge:?} ends at {end:?}, which is no node and no group")]
    UnknownEnd { edge: Id, end: Id },
    #[error("{member:?} is in the group {group:?}, which there is not")]
    UnknownGroup { member: Id, group: Id },
    #[error("the group {0:?} is inside of itself")]
    GroupInItself(Id),
    #[error("the edge {edge:?} ends at the port {port:?}, which its node has not")]
    UnknownPort { edge: Id, port: Id },
    #[error("a step of the sequence names {0:?}, which there is not")]
    UnknownStep(Id),
    #[error("{what}: {count} are more than {most}")]
    TooMany {
        what: &'static str,
        count: usize,
        most: usize,
    },
}
