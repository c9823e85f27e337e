//! How much one page may hold. What is over is refused with a reason; what is there stays.

/// Elements of one page, deleted ones included: they stay in the document until it is compacted.
pub const ELEMENTS_OF_A_PAGE: usize = 50_000;
/// Comments of one page, deleted ones included.
pub const COMMENTS_OF_A_PAGE: usize = 10_000;
