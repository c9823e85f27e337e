#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]
//! Who may do what: capability tokens and what they compile to.
//!
//! A token is a [Biscuit](https://www.biscuitsec.org): a chain of signed blocks. The first
//! (the *authority*) is signed with the server's root key and holds every right of the owner; each
//! further block narrows what those before it allow, and anyone who holds a token can add one.
//! Whoever verifies it needs only the root key, so handing out a narrower link needs no database.
//!
//! # Our own templates, and nothing else
//! Biscuit blocks may hold arbitrary Datalog. Ours are built from the few sentences of
//! `template.rs`, and a token is accepted only if every block can be written again from what was
//! read out of it, *byte for byte*. That buys two things:
//!
//! - a token compiles to a [`Capability`], a plain value that answers [`Capability::allows`] in
//!   nanoseconds. A property test holds it and a real Biscuit authorizer to the same answers;
//! - there is no clever token: no rules, no foreign keys, no scopes, no odd strings.
//!
//! # Laws
//! 1. Attenuation only narrows: for every token and every block added to it, what the result
//!    allows, the token allowed.
//!    The code project is a right of its own, which every block must name for it to be left.
//! 2. Nobody can take another's name. The first block under the owner's may say whose the token is;
//!    later ones may only add to the name (`person:anna` → `person:anna/phone`).
//! 3. A limit that this version does not know makes the token invalid, never wider.
//! 4. No error message, log line or `Debug` output holds a token or a key.
//!
//! # How the server uses it
//! [`Keys::verify`] once for each connection, then `allows` on the hot path, together with
//! [`Capability::expired`] and its list of revoked [`Capability::revocation_ids`]. What a run may do
//! is [`Capability::intersect`] of the fairy's and the asker's.

mod audit_key;
mod capability;
mod error;
mod key_file;
mod keys;
mod narrower;
mod oracle;
mod region;
mod subject;
mod template;

pub use audit_key::{AuditKey, signature_holds};
pub use capability::{Capability, PageRef};
pub use error::AccessError;
pub use keys::Keys;
pub use narrower::{Narrower, NarrowerRequest, Op, ProjectRequest};
pub use oracle::Request;
pub use region::Region;
pub use subject::SubjectKind;

/// The one workspace of a server, for now.
pub const WORKSPACE: &str = "main";
/// Whose the unlimited token is.
pub const OWNER: &str = "person:owner";
