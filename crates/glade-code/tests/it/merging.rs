//! Taking a run's change out of a text that people changed since.

use glade_code::{Clash, Merged, take_out};
use proptest::prelude::*;

fn clean(text: &str, undone: usize) -> Merged {
    Merged {
        text: text.to_owned(),
        undone,
        clashes: Vec::new(),
    }
}

#[test]
fn what_people_did_elsewhere_stays() {
    assert_eq!(
        take_out("a\nb\nc\n", "a\nB\nc\n", "zero\na\nB\nc\nend\n"),
        clean("zero\na\nb\nc\nend\n", 1)
    );
}

#[test]
fn a_persons_line_among_the_runs_lines_stays_when_those_go() {
    assert_eq!(
        take_out("a\nz\n", "a\n1\n2\n3\nz\n", "a\n1\nmine\n2\nz\n"),
        clean("a\nmine\nz\n", 1)
    );
}

#[test]
fn different_words_of_one_line_are_told_apart() {
    assert_eq!(
        take_out(
            "let a = one(x);\n",
            "let a = two(x);\n",
            "let total = two(x);\n"
        ),
        clean("let total = one(x);\n", 1)
    );
}

#[test]
fn the_same_word_changed_by_both_is_a_clash_and_stays_the_persons() {
    assert_eq!(
        take_out("k\nlet a = 1;\n", "k\nlet a = 2;\n", "k\nlet a = 3;\n"),
        Merged {
            text: "k\nlet a = 3;\n".to_owned(),
            undone: 0,
            clashes: vec![Clash {
                line: 2,
                before: "let a = 1;\n".to_owned(),
                after: "let a = 2;\n".to_owned(),
                now: "let a = 3;\n".to_owned(),
            }],
        }
    );
}

#[test]
fn one_clash_does_not_hold_up_the_other_places() {
    let merged = take_out("1\nkeep\n2\n", "one\nkeep\ntwo\n", "one!\nkeep\ntwo\n");
    assert_eq!(merged.undone + merged.clashes.len(), 2);
    assert!(merged.text.ends_with("keep\n2\n"), "{merged:?}");
}

#[test]
fn what_the_run_deleted_comes_back_beside_what_a_person_wrote_there() {
    assert_eq!(
        take_out("a\ngone\nz\n", "a\nz\n", "a\nmine\nz\n"),
        clean("a\ngone\nmine\nz\n", 1)
    );
}

#[test]
fn what_a_person_undid_by_hand_is_no_clash() {
    assert_eq!(
        take_out("a\nb\n", "a\nB\n", "x\na\nb\n"),
        clean("x\na\nb\n", 1)
    );
}

/// Who wrote a line can be told from it.
#[derive(Debug, Clone)]
enum Edit {
    Insert(usize),
    Delete(usize),
    Replace(usize),
}

fn edits(most: usize) -> impl Strategy<Value = Vec<Edit>> {
    let edit = (0..40_usize, 0..3_u8).prop_map(|(at, kind)| match kind {
        0 => Edit::Insert(at),
        1 => Edit::Delete(at),
        _ => Edit::Replace(at),
    });
    prop::collection::vec(edit, 0..most)
}

fn edited(lines: &[String], edits: &[Edit], author: &str) -> Vec<String> {
    let mut lines = lines.to_vec();
    for (index, edit) in edits.iter().enumerate() {
        let new = format!("{author}{index} wrote this\n");
        match edit {
            Edit::Insert(at) => lines.insert(at % (lines.len() + 1), new),
            Edit::Delete(at) if !lines.is_empty() => {
                lines.remove(at % lines.len());
            }
            Edit::Replace(at) if !lines.is_empty() => {
                let at = at % lines.len();
                lines[at] = new;
            }
            Edit::Delete(_) | Edit::Replace(_) => {}
        }
    }
    lines
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn undo_takes_the_runs_lines_and_no_others(size in 0..25_usize, run in edits(8), person in edits(8)) {
        let before: Vec<String> = (0..size).map(|n| format!("line {n}\n")).collect();
        let after = edited(&before, &run, "fairy");
        let now = edited(&after, &person, "person");
        let merged = take_out(&before.concat(), &after.concat(), &now.concat());

        for line in now.iter().filter(|line| line.starts_with("person")) {
            prop_assert!(merged.text.contains(line.as_str()), "lost {line:?} in {:?}", merged.text);
        }
        if merged.clashes.is_empty() {
            prop_assert!(!merged.text.contains("fairy"), "left in {:?}", merged.text);
            // What the run took away and no person did is back.
            for line in &before {
                let persons = after.contains(line) && !now.contains(line);
                prop_assert_eq!(merged.text.contains(line.as_str()), !persons, "{:?}", line);
            }
        }
        if person.is_empty() {
            prop_assert_eq!(merged.text, before.concat());
        }
    }

    #[test]
    fn any_texts_merge_without_losing_a_persons_new_word(
        before in "[ab \n]{0,30}", after in "[abc \n]{0,30}", now in "[abcZ \n]{0,30}"
    ) {
        let merged = take_out(&before, &after, &now);
        let count = |text: &str| text.matches('Z').count();
        prop_assert_eq!(count(&merged.text), count(&now));
    }
}
