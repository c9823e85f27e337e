//! Markdown in and out: CommonMark, with GFM's tables, task lists, strikethrough and alerts, and `$$`
//! formulas. What Markdown has no sign for (underlined and highlighted words) is `<u>` and `<mark>`.

mod inline;
mod keep;
mod read;
mod settled;
mod shower;
mod writer;

use pulldown_cmark::Options;

pub use keep::Source;
pub use read::{Read, from_lines, from_markdown, read};
pub use settled::settled;
pub use shower::{Shower, escaped};
pub use writer::{block_to_markdown, is_said, to_markdown, to_markdown_file};

pub(crate) const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_GFM)
    .union(Options::ENABLE_MATH);
