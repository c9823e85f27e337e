//! Files made to do harm, through `glade render`: a clear error or a picture of what is left, in bounded time and memory.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::hostile_files::{self as files, Fate, Hostile};

/// On a busy machine, without optimisation.
const PATIENCE: Duration = Duration::from_secs(60);
/// The address space that a file may make the program take, in KiB.
const MEMORY: u32 = 3 << 20;

fn draw(folder: &Path, file: &str, picture: &str) -> (bool, String) {
    let mut command = Command::new("sh");
    let limited = format!("ulimit -v {MEMORY}; exec \"$0\" render {file} --out {picture}");
    command.args(["-c", &limited, env!("CARGO_BIN_EXE_glade")]);
    command.current_dir(folder).stdin(Stdio::null());
    let said = command.output().unwrap();
    let words = String::from_utf8(said.stderr).unwrap();
    assert!(said.status.code().is_some(), "killed: {words}");
    assert!(!words.contains("panicked"), "{words}");
    (said.status.success(), words)
}

fn check(hostile: Hostile) {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let name = format!("file.{}", hostile.ending);
    std::fs::write(folder.join(&name), &hostile.bytes).unwrap();
    for picture in ["out.svg", "out.png"] {
        let started = Instant::now();
        let (drawn, words) = draw(folder, &name, picture);
        assert!(started.elapsed() < PATIENCE, "{:?}", started.elapsed());
        let picture = std::fs::read(folder.join(picture));
        match hostile.fate {
            Fate::Refused(why) => {
                assert!(!drawn && words.contains(why), "{words}");
                assert!(words.contains(&name), "the file is named: {words}");
                assert!(picture.is_err(), "nothing is left behind");
            }
            Fate::Taken => assert!(drawn && !picture.unwrap().is_empty(), "{words}"),
            Fate::TakenSaying(what) => {
                assert!(drawn && !picture.unwrap().is_empty(), "{words}");
                assert!(words.contains(what), "{words}");
            }
        }
    }
}

macro_rules! hostile {
    ($($name:ident),* $(,)?) => {$(
        #[test]
        fn $name() {
            check(files::$name());
        }
    )*};
}

files::every_file!(hostile);
