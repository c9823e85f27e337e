//! `glade code` as a person at a terminal, or a script, would use it.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

fn glade_code(project: &Path, args: &[&str]) -> (i32, String, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = Command::new(env!("CARGO_BIN_EXE_glade"))
        .arg("code")
        .args(args)
        .arg("--project")
        .arg(project)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code().unwrap(), text(stdout), text(stderr))
}

fn project(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

#[test]
fn a_word_is_replaced_with_consent_and_shown_as_a_diff() {
    let folder = project(&[("a.txt", "the colour\n"), ("b.txt", "no match\n")]);
    let (code, out, err) = glade_code(folder.path(), &["replace colour with color", "--yes"]);
    assert_eq!(
        (code, out.as_str()),
        (
            0,
            "Changed \"colour\" to \"color\" in 1 places of 1 file.\n"
        )
    );
    assert!(err.contains("-the colour\n+the color\n"), "{err}");
    assert_eq!(
        fs::read_to_string(folder.path().join("a.txt")).unwrap(),
        "the color\n"
    );
}

#[test]
fn without_consent_nothing_is_written() {
    let folder = project(&[("a.txt", "the colour\n")]);
    let (code, _, err) = glade_code(folder.path(), &["replace colour with color"]);
    assert_eq!(code, 1);
    assert!(err.contains("pass --yes to write"), "{err}");
    let (code, _, err) = glade_code(folder.path(), &["replace colour with color", "--dry-run"]);
    assert_eq!(code, 0);
    assert!(
        err.contains("+the color\n") && err.contains("A dry run: nothing was written."),
        "{err}"
    );
    assert_eq!(
        fs::read_to_string(folder.path().join("a.txt")).unwrap(),
        "the colour\n"
    );
}

#[test]
fn what_a_file_holds_cannot_command_the_terminal() {
    let folder = project(&[("a.txt", "red \u{1b}[31m\u{7} needle\n")]);
    let (_, out, _) = glade_code(folder.path(), &["find needle"]);
    assert!(
        out.contains("needle") && !out.contains('\u{1b}') && !out.contains('\u{7}'),
        "{out:?}"
    );
    let (_, _, err) = glade_code(folder.path(), &["replace needle with pin", "--dry-run"]);
    assert!(err.contains("+red") && !err.contains('\u{1b}'), "{err:?}");
}

#[test]
fn errors_say_what_to_do() {
    let folder = project(&[]);
    let (code, _, err) = glade_code(&folder.path().join("nowhere"), &["list files"]);
    assert_eq!(code, 1);
    assert!(err.contains("Name a folder that exists"), "{err}");
    let (code, _, err) = glade_code(folder.path(), &["list files", "--model", "gpt"]);
    assert_eq!(code, 1);
    assert!(err.contains("there is no model `gpt`"), "{err}");
}
