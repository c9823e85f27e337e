//! Text pages without a browser: what `glade-canvas` is to shapes, this is to blocks.
//!
//! [`Page`] is the readable projection of a text page's elements: blocks in order, tables with their
//! cells. [`NewBlock`] is a block yet to be, and [`write()`] turns a row of them into edits. [`markdown`]
//! reads and writes CommonMark with GFM's tables, task lists, strikethrough and alerts; [`html`] is
//! for reading elsewhere. What a model is shown of a block and writes in its place is Markdown, too, with lines as
//! they are ([`markdown::Shower`], [`markdown::from_lines`]); [`Styled`] keeps marks with their words through that. [`values`] are lines that want to be tables.
//!
//! - *Invariant:* pure. It reads pages and returns edits or values; it never writes to a document.
//! - *Invariant:* repair is a projection on read: a table without rows, a cell without a column or a
//!   block in nothing is simply not shown.
//! - *Invariant:* reading a table costs what is stored of it, not its columns times its rows.
#![deny(clippy::disallowed_methods)]
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::expect_used)
)]

pub mod html;
pub mod links;
pub mod markdown;
pub mod order;
mod page;
mod retable;
mod styled;
mod table;
pub mod values;
mod write;

pub use page::{Block, Page};
pub use retable::{Retabled, keys};
pub use styled::Styled;
pub use table::{Cell, Row, Side, Table};
pub use write::{InsertAt, NewBlock, edits_of, write};
