//! The edge: everything between a socket and the product that is not the product.
//!
//! Nothing here knows of rooms, fairies or pages. It answers six questions that
//! every request raises, each in its own file, and hands on values:
//!
//! | question | file |
//! |---|---|
//! | may this request be heard at all, and what may its answer do? | [`security`], over [`host`] |
//! | where does it come from, and over TLS? | [`client`], told as a [`scheme`] |
//! | who is asking? | [`bearer`], over [`cookie`] |
//! | is its body or query what the handler expects? | [`extract`] |
//! | what do we say when something is wrong? | [`problem`] |
//! | is it merely a file of the studio? | [`assets`] |
//!
//! The order matters: [`security::protect`] is the outermost layer, so that a
//! refusal by it costs nothing and carries the same headers as any answer.

pub mod assets;
pub mod bearer;
pub mod client;
pub mod cookie;
pub mod extract;
pub mod host;
pub mod problem;
pub mod scheme;
pub mod security;

#[cfg(test)]
mod testing;
