//! Fairies that work together: a project, its tasks, who waits for what. Pure, as all of this crate.
//!
//! A [`Board`] is everything that decides about one project. It changes in two ways: a fairy *does*
//! something ([`Board::act`] with a [`ProjectCommand`], refused with words that say what to do instead), or
//! something *happens* ([`Board::happened`] with [`News`]: a mode changed, a model failed, a person
//! changed a task, time passed). Both answer with [`Order`]s: set this fairy on that task, wake that
//! one with this message, let those rest. Whoever holds the board stores it and then carries the
//! orders out; nothing else moves a member of a project.
//!
//! The same board serves twice. The one that counts is the host's. A fairy that answers works on a
//! copy, so that what it plans in one answer (a task, then a fairy for the task) holds together and
//! a mistake is told to the model at once; the host's board has the last word.
//!
//! # Invariants
//!
//! - **A task is one fairy's.** It is begun once at a time, by the fairy that it is given to, and a
//!   fairy works on one task at a time.
//! - **No wait is for ever.** Every change of the board looks at every wait: what is met wakes its
//!   fairy, and so does what can no longer be met, with that news. Each wakes once.
//! - **Every project ends**: by its orchestrator, by a person, by its orchestrator's failure, or
//!   because it has used what it may.
//! - **Nobody is left behind.** When a project ends, every member gets an order to rest.

mod act;
mod board;
mod news;
mod order;
mod project;
mod rules;
mod waiting;

pub use act::ProjectCommand;
pub use board::{Board, Face};
pub use news::{Leaving, News};
pub use order::Order;
pub use project::{
    Budget, COLORS, Job, Member, Progress, Project, ProjectStatus, Raised, Role, Spending,
};
pub use rules::Rules;
