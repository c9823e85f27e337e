//! Worlds in which some of the people are the studio's own sessions, in Node.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use super::number;
use crate::recording::{End, replay};
use crate::sim::studio::{Order, Reply, Studio};
use crate::sim::{Story, live_with};

const SEEDS: u64 = 20;

/// Node with the studio's sources and `web/tests/sim`.
struct Node {
    child: Child,
    orders: ChildStdin,
    replies: BufReader<ChildStdout>,
}

fn web() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web")
}

impl Node {
    fn start(fault: Option<&str>) -> Self {
        let node = web().join("node_modules/.bin/node");
        let mut command = Command::new(&node);
        command
            .current_dir(web())
            .args(["--experimental-transform-types", "--no-warnings"])
            .args(["--import", "./tests/sim/resolve.mjs", "tests/sim/main.ts"])
            .args(fault)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut child = command.spawn().unwrap_or_else(|error| {
            panic!(
                "{}: {error}. The studio's packages are missing: run `npm ci` in web/, or the test through \
                 `cargo xtask test rust`",
                node.display()
            )
        });
        Self {
            orders: child.stdin.take().unwrap(),
            replies: BufReader::new(child.stdout.take().unwrap()),
            child,
        }
    }
}

impl Studio for Node {
    fn perform(&mut self, order: &Order) -> Result<Reply, String> {
        let said = |error: std::io::Error| format!("the studio's process: {error}");
        let mut line = serde_json::to_string(order).map_err(|error| error.to_string())?;
        line.push('\n');
        self.orders.write_all(line.as_bytes()).map_err(said)?;
        let mut reply = String::new();
        self.replies.read_line(&mut reply).map_err(said)?;
        serde_json::from_str(&reply).map_err(|error| format!("{error} in the reply {reply:?}"))
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn lived(seed: u64) -> Story {
    let story = live_with(seed, Box::new(Node::start(None)));
    story.unwrap_or_else(|story| panic!("{story}"))
}

#[test]
fn every_law_holds_with_the_studios_own_sessions() {
    if let Some(seed) = number("GLADE_SIM_SEED") {
        eprintln!("seed {seed} holds: {:?}", lived(seed).tally);
        return;
    }
    // Each world is a process, and takes as long as thirty without one.
    let seeds = number("GLADE_SIM_SEEDS").map_or(SEEDS, |seeds| (seeds / 30).max(SEEDS));
    for seed in 0..seeds {
        let story = lived(seed);
        for recording in &story.recordings {
            let replayed = replay(&recording[..]);
            let replayed = replayed.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
            assert_eq!(replayed.end, End::Left);
        }
    }
}

#[test]
fn one_number_replays_a_whole_world_with_the_studio_in_it() {
    // What Loro's store of presence says carries the machine's time; what the rooms make of it does not.
    let told = |story: Story| -> Vec<String> {
        let text = String::from_utf8(story.recordings.concat()).unwrap();
        let lines = text.lines().filter(|line| !line.contains("\"Presence\""));
        lines.map(str::to_owned).collect()
    };
    let (once, again) = (told(lived(7)), told(lived(7)));
    let differs = once.iter().zip(&again).find(|(a, b)| a != b);
    assert_eq!((differs, once.len()), (None, again.len()));
}

fn is_caught(fault: &str) -> bool {
    (0..SEEDS).any(|seed| live_with(seed, Box::new(Node::start(Some(fault)))).is_err())
}

#[test]
fn a_session_that_forgets_what_was_under_way_is_caught() {
    assert!(is_caught("forget-on-drop"));
}

#[test]
fn a_session_that_leaves_behind_what_an_earlier_tab_kept_is_caught() {
    assert!(is_caught("leave-behind"));
}
