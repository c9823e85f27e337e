//! How much of everything a workspace may hold. What is over is refused with a reason; what is there
//! stays. Limits of one answer of a model are in `glade-model` and `glade-agent`, of a connection in
//! `sync` and `listen`, of requests in [`crate::allowance`].

use crate::edge::problem::Problem;

/// Pages, those in the trash not counted.
pub const PAGES: usize = 2_000;
/// Tasks of people and fairies.
pub const TASKS: usize = 5_000;
/// Chats about the code project.
pub const CODE_CHATS: usize = 1_000;
/// Links of one person that hold …
pub const LIVE_LINKS: usize = 1_000;
/// … and in all, those that are over included; the owner may make more.
pub const LINKS: usize = 5_000;
/// Elements of one page, deleted ones included: they stay in the document until it is compacted.
pub const ELEMENTS_OF_A_PAGE: usize = 50_000;
/// Comments of one page, deleted ones included.
pub const COMMENTS_OF_A_PAGE: usize = 10_000;
/// Pictures in all, in bytes.
pub const PICTURE_BYTES: u64 = 8 << 30;

/// Refuses a file that holds more than a page can.
pub fn fits_a_page(elements: usize) -> Result<(), Problem> {
    match elements <= ELEMENTS_OF_A_PAGE {
        true => Ok(()),
        false => Err(Problem::too_large(format!(
            "The file makes {elements} elements, and a page has at most {ELEMENTS_OF_A_PAGE}: split it."
        ))),
    }
}

/// Refuses one more of what there are enough of.
pub fn room_for(there: usize, most: usize, what: &str) -> Result<(), Problem> {
    match there < most {
        true => Ok(()),
        false => Err(Problem::conflict(format!(
            "There are {most} {what} already, which is as many as there can be: delete some first."
        ))),
    }
}
