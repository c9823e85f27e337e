//! `glade write` on real files.

use std::process::Command;

fn write(args: &[&str]) -> (bool, String) {
    let out = Command::new(env!("CARGO_BIN_EXE_glade"))
        .arg("write")
        .args(args)
        .env_remove("GLADE_MODEL")
        .output()
        .unwrap();
    (out.status.success(), String::from_utf8(out.stderr).unwrap())
}

const NOTES: &str =
    "Notes\n=====\n\nWe meet on *Monday* , all of us.\n\n* one\n* two   \n\n```sh\nls   -l\n```\n";

#[test]
fn only_what_is_asked_for_changes() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("notes.md");
    std::fs::write(&file, NOTES).unwrap();
    let path = file.to_str().unwrap();
    let (ok, told) = write(&[path, "replace Monday with Tuesday", "--dry-run"]);
    assert!(ok, "{told}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), NOTES);
    let (ok, told) = write(&[path, "replace Monday with Tuesday"]);
    assert!(ok, "{told}");
    // One paragraph differs; the underlined heading, the stars and the odd spaces are as they stood.
    assert_eq!(
        std::fs::read_to_string(&file).unwrap(),
        NOTES.replace("*Monday*", "*Tuesday*")
    );
}

#[test]
fn a_paragraph_keeps_its_lines_and_signs() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("lines.md");
    let text = "The quick brown fox\njumps over the colour and\nruns __away__.\n";
    std::fs::write(&file, text).unwrap();
    let (ok, told) = write(&[file.to_str().unwrap(), "replace colour with color"]);
    assert!(ok, "{told}");
    assert_eq!(
        std::fs::read_to_string(&file).unwrap(),
        text.replace("colour", "color")
    );
}

#[test]
fn lines_of_values_become_a_table() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("table.md");
    let text = "Who comes, and when?\n\nName,Alter,Stadt\n\"Müller, Hans\",31,\"Köln\"\nEva,29\n";
    std::fs::write(&file, text).unwrap();
    let (ok, told) = write(&[file.to_str().unwrap(), "Make a table of this"]);
    assert!(ok, "{told}");
    assert_eq!(
        std::fs::read_to_string(&file).unwrap(),
        "Who comes, and when?\n\n| Name | Alter | Stadt |\n| --- | --- | --- |\n| Müller, Hans | 31 | Köln |\n| Eva | 29 |  |\n"
    );
}

#[test]
fn a_file_that_is_not_there_is_made() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("new.md");
    let (ok, told) = write(&[file.to_str().unwrap(), "Outline: Intro, Method"]);
    assert!(ok, "{told}");
    let text = std::fs::read_to_string(&file).unwrap();
    assert_eq!(text, "## Intro\n\n## Method\n");
}
