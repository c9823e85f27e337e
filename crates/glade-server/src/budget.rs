//! How much of everything a workspace may hold. What is over is refused with a reason; what is there
//! stays. Limits of one answer of a model are in `glade-model` and `glade-agent`, of a connection in
//! `sync` and `listen`, of requests in [`crate::allowance`].

use glade_doc::{Edit, Props};
use glade_host::limits::ELEMENTS_OF_A_PAGE;
use serde_json::Value;

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
/// Pictures in all, in bytes.
pub const PICTURE_BYTES: u64 = 8 << 30;

/// The words of one element or block of a file, in bytes: what it costs to merge words that come at
/// once grows faster than they do.
pub const LONGEST_WORDS: usize = 200_000;

/// Refuses a file that holds more than a page can.
pub fn fits_a_page(edits: &[Edit]) -> Result<(), Problem> {
    let made = edits.iter().filter_map(|edit| match edit {
        Edit::Put { props, .. } => Some(props),
        Edit::Delete { .. } | Edit::Rewrite { .. } => None,
    });
    let elements = made.clone().count();
    if elements > ELEMENTS_OF_A_PAGE {
        return Err(Problem::too_large(format!(
            "The file makes {elements} elements, and a page has at most {ELEMENTS_OF_A_PAGE}: split it."
        )));
    }
    let words = |props: &Props| {
        props
            .get("originalText")
            .and_then(Value::as_str)
            .map(str::len)
    };
    if made.filter_map(words).all(|bytes| bytes <= LONGEST_WORDS) {
        Ok(())
    } else {
        Err(Problem::too_large(format!(
            "The file has a paragraph or text of more than {LONGEST_WORDS} bytes: split that."
        )))
    }
}

/// Refuses one more of what there are enough of.
pub fn room_for(there: usize, most: usize, what: &str) -> Result<(), Problem> {
    if there < most {
        Ok(())
    } else {
        Err(Problem::conflict(format!(
            "There are {most} {what} already, which is as many as there can be: delete some first."
        )))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn put(id: usize, words: &str) -> Edit {
        let props = json!({ "originalText": words });
        Edit::Put {
            id: id.to_string().as_str().into(),
            props: props.as_object().cloned().unwrap(),
        }
    }

    fn status(edits: &[Edit]) -> u16 {
        fits_a_page(edits).map_or_else(|problem| problem.status.as_u16(), |()| 200)
    }

    #[test]
    fn a_file_has_no_more_and_no_longer_elements_than_a_page() {
        let words = "x".repeat(LONGEST_WORDS);
        assert_eq!(status(&[put(1, &words)]), 200);
        assert_eq!(status(&[put(1, &format!("{words}x"))]), 413);
        let mut many: Vec<Edit> = (0..ELEMENTS_OF_A_PAGE).map(|id| put(id, "")).collect();
        many.push(Edit::Delete { id: "old".into() });
        assert_eq!(status(&many), 200);
        many.push(put(ELEMENTS_OF_A_PAGE, ""));
        assert_eq!(status(&many), 413);
    }

    #[test]
    fn what_is_full_takes_no_more_and_says_so() {
        assert_eq!(room_for(1, 2, "pages"), Ok(()));
        let full = room_for(2, 2, "pages").unwrap_err();
        assert_eq!(
            full.detail,
            "There are 2 pages already, which is as many as there can be: delete some first."
        );
    }
}
