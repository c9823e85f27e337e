//! How much one answer may ask of a fairy and its page.
//!
//! What goes over is refused with a reason that the model hears in its next step; what was done
//! before stands. The size of an answer as a whole is bounded where it is read (`glade-model`).

/// The longest action, in bytes of JSON: about a long chapter of text.
pub const MAX_ACTION_BYTES: usize = 256 * 1024;
/// Actions in one answer.
pub const MAX_ACTIONS: usize = 1_000;
/// Messages to the person, and thoughts, in one answer.
pub const MAX_MESSAGES: usize = 100;
/// Elements or blocks that one action makes.
pub const MAX_MADE: usize = 2_000;
/// What was wrong with one answer, as many things as the next step is told.
pub const MAX_WRONG: usize = 20;
/// The longest text that a fairy writes down for itself (a todo, a memory, a correction), in bytes.
pub const LONGEST_NOTE: usize = 8 * 1024;

/// A growing action is carried out again when this share of it is new; short ones always.
const GROWN: usize = 32;
const SHORT: usize = 4 * 1024;

/// Whether an action of `bytes` is worth another look after one at `seen`. Each look costs as much as
/// the action is long: were every piece worth one, a long action would cost its length squared.
pub fn worth_a_look(seen: usize, bytes: usize) -> bool {
    bytes < SHORT || bytes >= seen + seen / GROWN
}

/// A text cut to [`LONGEST_NOTE`].
pub fn noted(mut text: String) -> String {
    if text.len() > LONGEST_NOTE {
        text.truncate(text.floor_char_boundary(LONGEST_NOTE));
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_action_is_looked_at_a_few_hundred_times_however_it_is_cut() {
        let (mut seen, mut looks) = (0, 0);
        for bytes in SHORT..MAX_ACTION_BYTES {
            if worth_a_look(seen, bytes) {
                (seen, looks) = (bytes, looks + 1);
            }
        }
        assert!(looks < 200, "{looks}");
    }

    #[test]
    fn a_note_is_cut_between_letters() {
        let long = noted("é".repeat(LONGEST_NOTE));
        assert_eq!(long.len(), LONGEST_NOTE + '…'.len_utf8());
        assert_eq!(noted("short".to_owned()), "short");
    }
}
