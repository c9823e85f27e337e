//! Undoing a run's writes of a file.

use std::collections::BTreeSet;

use glade_code::undo::{NotUndone, Undone, Write, places, undo, without_places};

fn write(before: Option<&str>, after: Option<&str>) -> Write {
    Write {
        before: before.map(Into::into),
        after: after.map(Into::into),
    }
}

fn undone(file: Option<&str>, undone: usize, left: Vec<NotUndone>) -> Undone {
    Undone {
        file: file.map(Into::into),
        undone,
        left,
    }
}

#[test]
fn writes_with_a_persons_edit_between_are_all_taken_out() {
    let writes = [
        write(Some("a\nb\n"), Some("a\nfairy\nb\n")),
        write(
            Some("mine\na\nfairy\nb\n"),
            Some("mine\na\nfairy\nb\nmore\n"),
        ),
    ];
    assert_eq!(
        undo(&writes, Some(b"mine\na\nfairy\nb\nmore\n")),
        undone(Some("mine\na\nb\n"), 2, vec![])
    );
}

#[test]
fn a_file_that_the_run_made_goes_unless_a_person_wrote_in_it() {
    let made = [write(None, Some("one\ntwo\n"))];
    assert_eq!(undo(&made, Some(b"one\ntwo\n")), undone(None, 1, vec![]));
    assert_eq!(
        undo(&made, Some(b"one\nmine\ntwo\n")),
        undone(Some("mine\n"), 1, vec![])
    );
    assert_eq!(
        undo(&made, None),
        undone(None, 0, vec![NotUndone::DeletedSince])
    );
}

#[test]
fn a_file_that_the_run_deleted_comes_back_unless_a_person_made_it_anew() {
    let deleted = [write(Some("old\n"), None)];
    assert_eq!(undo(&deleted, None), undone(Some("old\n"), 1, vec![]));
    assert_eq!(
        undo(&deleted, Some(b"new\n")),
        undone(Some("new\n"), 0, vec![NotUndone::MadeAnew])
    );
}

#[test]
fn what_is_not_text_goes_back_whole_or_stays() {
    let bytes = |b: &[u8]| Some(b.to_vec());
    let writes = [Write {
        before: bytes(b"\xff\x00"),
        after: bytes(b"\xff\x01"),
    }];
    assert_eq!(
        undo(&writes, Some(b"\xff\x01")),
        Undone {
            file: bytes(b"\xff\x00"),
            undone: 1,
            left: vec![]
        }
    );
    assert_eq!(
        undo(&writes, Some(b"\xff\x02")),
        Undone {
            file: bytes(b"\xff\x02"),
            undone: 0,
            left: vec![NotUndone::BinaryChanged]
        }
    );
}

#[test]
fn chosen_places_are_undone_and_the_rest_can_be_undone_later() {
    let (before, after) = ("1\nk\n2\nk\n3\n", "one\nk\ntwo\nk\nthree\n");
    assert_eq!(places(before, after).len(), 3);
    let middle = without_places(before, after, &BTreeSet::from([1]));
    assert_eq!(middle, "one\nk\n2\nk\nthree\n");
    let now = format!("mine\n{after}");
    let first = undo(&[write(Some(&middle), Some(after))], Some(now.as_bytes()));
    assert_eq!(
        first,
        undone(Some("mine\none\nk\n2\nk\nthree\n"), 1, vec![])
    );
    let rest = undo(&[write(Some(before), Some(&middle))], first.file.as_deref());
    assert_eq!(rest, undone(Some("mine\n1\nk\n2\nk\n3\n"), 2, vec![]));
}
