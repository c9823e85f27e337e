//! How much one page may hold. What is over is refused with a reason; what is there stays.

pub use glade_room::{COMMENTS_OF_A_PAGE, ELEMENTS_OF_A_PAGE};
