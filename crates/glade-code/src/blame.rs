//! Which run wrote a line, as the file is now.

use crate::diff::{hunks, lines};
use crate::undo::Write;

/// Whose a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Author {
    /// The write at this place of the list.
    Write(usize),
    /// A person wrote or changed it after a run had worked on the file.
    Person,
    /// It was there before any run came.
    Before,
}

/// The author of every line of `now`. `writes` are all that runs did to the file, the oldest first.
pub fn blame(now: &str, writes: &[Write]) -> Vec<Author> {
    let current = lines(now);
    let mut authors = vec![None; current.len()];
    // Where each line of `now` stands in the text that the walk has come back to.
    let mut places: Vec<Option<usize>> = (0..current.len()).map(Some).collect();
    let mut text = now.to_owned();
    for (index, write) in writes.iter().enumerate().rev() {
        let after = side(write.after.as_deref());
        let before = side(write.before.as_deref());
        step(&text, &after, &mut places, &mut authors, Author::Person);
        step(
            &after,
            &before,
            &mut places,
            &mut authors,
            Author::Write(index),
        );
        text = before;
    }
    let rest = |author: Option<Author>| author.unwrap_or(Author::Before);
    authors.into_iter().map(rest).collect()
}

/// Goes from a newer text to an older one: lines that are not in the older are `by`'s.
fn step(
    newer: &str,
    older: &str,
    places: &mut [Option<usize>],
    authors: &mut [Option<Author>],
    by: Author,
) {
    let (old, new) = (lines(older), lines(newer));
    let mut came_from: Vec<Option<usize>> = vec![None; new.len()];
    let (mut o, mut n) = (0, 0);
    for hunk in hunks(&old, &new) {
        while n < hunk.new.start {
            came_from[n] = Some(o);
            (o, n) = (o + 1, n + 1);
        }
        (o, n) = (hunk.old.end, hunk.new.end);
    }
    while n < new.len() {
        came_from[n] = Some(o);
        (o, n) = (o + 1, n + 1);
    }
    for (place, author) in places.iter_mut().zip(authors) {
        if let Some(at) = *place {
            *place = came_from.get(at).copied().flatten();
            if place.is_none() {
                author.get_or_insert(by);
            }
        }
    }
}

fn side(bytes: Option<&[u8]>) -> String {
    String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_belong_to_the_run_the_person_or_the_time_before() {
        let write = |before: &str, after: &str| Write {
            before: Some(before.as_bytes().to_vec()),
            after: Some(after.as_bytes().to_vec()),
        };
        let writes = [
            write("a\nb\n", "a\nb\none\n"),
            // In between a person put `mine` on top.
            write("mine\na\nb\none\n", "mine\na\nB two\none\n"),
        ];
        assert_eq!(
            blame("mine\na\nB two\none\nlater\n", &writes),
            [
                Author::Person,
                Author::Before,
                Author::Write(1),
                Author::Write(0),
                Author::Person
            ]
        );
        assert_eq!(blame("x\n", &[]), [Author::Before]);
    }
}
