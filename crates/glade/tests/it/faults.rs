//! A disk that loses, refuses or fills up: nothing that was acknowledged is lost, and no right that
//! was taken away comes back.
//!
//! The process runs behind a library (`tests/faults/shim.c`, put before libc) that keeps a copy of
//! every file as it was last synced, and makes writes and syncs fail when told to.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::task::JoinHandle;

use crate::client::{Client, OK};
use crate::server::Server;

/// The library, made once; `None` where there is no C compiler.
#[allow(clippy::print_stdout, reason = "a test that is skipped says so")]
fn shim() -> Option<&'static Path> {
    static SHIM: OnceLock<Option<(TempDir, PathBuf)>> = OnceLock::new();
    let made = SHIM.get_or_init(|| {
        let dir = tempfile::tempdir().unwrap();
        let library = dir.path().join("shim.so");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults/shim.c");
        let compiled = Command::new("cc")
            .args(["-shared", "-fPIC", "-O1", "-o"])
            .arg(&library)
            .arg(&source)
            .args(["-ldl", "-lpthread"])
            .status();
        match compiled {
            Ok(status) => {
                assert!(status.success(), "the library does not compile");
                Some((dir, library))
            }
            Err(error) => {
                eprintln!("skipped: there is no C compiler ({error})");
                None
            }
        }
    });
    made.as_ref().map(|(_, library)| library.as_path())
}

struct Disk {
    shim: &'static Path,
    dir: TempDir,
}

impl Disk {
    fn new() -> Option<Self> {
        let (shim, dir) = (shim()?, tempfile::tempdir().unwrap());
        fs::create_dir(dir.path().join("synced")).unwrap();
        let disk = Self { shim, dir };
        disk.say("");
        Some(disk)
    }

    fn data(&self) -> PathBuf {
        self.dir.path().join("data")
    }

    /// What survives a power cut.
    fn synced(&self) -> PathBuf {
        self.dir.path().join("synced")
    }

    /// What the disk is to do from now on.
    fn say(&self, word: &str) {
        say(self.dir.path(), word);
    }

    /// The same, in a while.
    fn say_after(&self, wait: Duration, word: &'static str) -> JoinHandle<()> {
        let dir = self.dir.path().to_owned();
        tokio::spawn(async move {
            tokio::time::sleep(wait).await;
            say(&dir, word);
        })
    }

    fn serve(&self) -> Server {
        self.serve_with(&[])
    }

    fn serve_with(&self, flags: &[&str]) -> Server {
        let variables = self.variables();
        let variables: Vec<(&str, &str)> = variables
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        Server::in_environment(&self.data(), flags, &variables)
    }

    /// Ends the machine's power: it starts again with what was synced, and nothing else.
    fn cut(&self) {
        fs::remove_dir_all(self.data()).unwrap();
        fs::rename(self.synced(), self.data()).unwrap();
        fs::create_dir(self.synced()).unwrap();
        copy(&self.data(), &self.synced());
    }

    /// What puts the library before a process.
    fn variables(&self) -> [(&'static str, String); 5] {
        let (data, synced) = (self.data(), self.synced());
        let (spare, control) = (data.join("reserve"), self.dir.path().join("control"));
        let text = |path: &Path| path.to_str().unwrap().to_owned();
        [
            ("LD_PRELOAD", text(self.shim)),
            ("FAULT_DIR", text(&data)),
            ("FAULT_SYNCED", text(&synced)),
            ("FAULT_SPARE", text(&spare)),
            ("FAULT_CONTROL", text(&control)),
        ]
    }
}

fn say(dir: &Path, word: &str) {
    let (draft, control) = (dir.join("draft"), dir.join("control"));
    fs::write(&draft, word).unwrap();
    fs::rename(draft, control).unwrap();
}

fn link_for(server: &Server, name: &str) -> String {
    let wish = json!({"subject": format!("person:{name}")});
    let (status, made) = server.ask("POST", "/api/tokens/attenuate", &server.token, &wish);
    assert_eq!(status, 201, "{made}");
    made["token"].as_str().unwrap().to_owned()
}

fn revoke(server: &Server, token: &str) -> u16 {
    let wish = json!({"token": token});
    server
        .ask("POST", "/api/tokens/revoke", &server.token, &wish)
        .0
}

fn opens(server: &Server, token: &str) -> u16 {
    server.ask("GET", "/api/session", token, &Value::Null).0
}

fn ready(server: &Server) -> (u16, Value) {
    server.ask("GET", "/readyz", "", &Value::Null)
}

fn first_page(server: &Server) -> String {
    let (_, workspace) = server.ask("GET", "/api/workspaces/main", &server.token, &Value::Null);
    workspace["pages"][0]["id"].as_str().unwrap().to_owned()
}

async fn join(server: &Server, page: &str) -> Client {
    let mut client = Client::connect(server.address, page, rand::random_range(1..u64::MAX)).await;
    client.join(&server.token).await.unwrap();
    client
}

/// Where an element is, as a server says.
fn place(server: &Server, page: &str, id: &str) -> Value {
    let path = format!("/api/pages/{page}/export?format=json");
    let (_, found) = server.ask("GET", &path, &server.token, &Value::Null);
    found["elements"][id]["x"].clone()
}

async fn eventually(what: &str, holds: impl Fn() -> bool) {
    let patience = Instant::now() + Duration::from_secs(10);
    while !holds() {
        assert!(Instant::now() < patience, "{what}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

fn rounds() -> u64 {
    match std::env::var_os("GLADE_SOAK") {
        Some(_) => 40,
        None => 2,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_acknowledged_or_revoked_survives_a_power_cut() {
    let Some(disk) = Disk::new() else { return };
    let mut last = 0;
    let mut revoked: Vec<String> = Vec::new();
    // Logs are folded, and pasts archived, all the time.
    let often = [
        ["--fold-updates", "3"],
        ["--compact-operations", "20"],
        ["--compact-quiet-seconds", "1"],
    ];
    for round in 0..rounds() {
        let server = disk.serve_with(often.as_flattened());
        let page = first_page(&server);
        for token in &revoked {
            assert_eq!(
                opens(&server, token),
                401,
                "round {round}: a right came back"
            );
        }
        if last > 0 {
            assert_eq!(place(&server, &page, "box"), json!(last), "round {round}");
        }
        let guest = link_for(&server, "anna");
        let mut client = join(&server, &page).await;
        if last > 0 {
            client.sees("box", last).await;
        }
        for _ in 0..5 + round % 7 {
            last += 1;
            assert_eq!(client.edit("box", last).await, OK);
        }
        assert_eq!(revoke(&server, &guest), 204);
        revoked.push(guest);
        // Every other time in the middle of what is done while nobody writes.
        let wait = if round % 2 == 0 { 1_100 } else { 0 };
        tokio::time::sleep(Duration::from_millis(wait)).await;
        server.kill();
        disk.cut();
        let verified = Command::new(env!("CARGO_BIN_EXE_glade"))
            .args(["audit", "verify", "--data"])
            .arg(disk.data())
            .output()
            .unwrap();
        assert!(verified.status.success(), "round {round}: {verified:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pictures_settings_and_words_left_for_a_server_survive_a_power_cut() {
    let Some(disk) = Disk::new() else { return };
    let server = disk.serve();
    let picture = b"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1\" height=\"1\"/>";
    let (status, kept) = server.send("POST", "/api/blobs", "image/svg+xml", picture);
    assert_eq!(status, 201, "{kept}");
    let set_up = |url: &str| {
        let wish = json!({"provider": "local", "baseUrl": url});
        server.ask("PUT", "/api/models", &server.token, &wish).0
    };
    // The second replaces the file of the first.
    assert_eq!(set_up("http://127.0.0.1:1/v1"), 200);
    assert_eq!(set_up("http://127.0.0.1:2/v1"), 200);
    let wish = json!({"name": "New", "kind": "text"});
    let (status, page) = server.ask("POST", "/api/workspaces/main/pages", &server.token, &wish);
    assert_eq!(status, 201, "{page}");
    let anna = link_for(&server, "anna");
    server.kill();
    let revoked = Command::new(env!("CARGO_BIN_EXE_glade"))
        .args(["token", "revoke", &anna, "--data"])
        .arg(disk.data())
        .envs(disk.variables())
        .output()
        .unwrap();
    assert!(revoked.status.success(), "{revoked:?}");
    disk.cut();

    let server = disk.serve();
    assert_eq!(opens(&server, &anna), 401);
    let path = format!("/api/blobs/{}", kept["id"].as_str().unwrap());
    let read = |path: &str| server.ask("GET", path, &server.token, &Value::Null);
    assert_eq!(read(&path).0, 200);
    let path = format!(
        "/api/pages/{}/export?format=json",
        page["id"].as_str().unwrap()
    );
    assert_eq!(read(&path).0, 200);
    let models = fs::read_to_string(disk.data().join("models.json")).unwrap();
    assert!(models.contains("127.0.0.1:2"), "{models}");
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_that_cannot_be_written_stay_as_they_were() {
    let Some(disk) = Disk::new() else { return };
    let server = disk.serve();
    let set_up = |url: &str| {
        let wish = json!({"provider": "local", "baseUrl": url});
        server.ask("PUT", "/api/models", &server.token, &wish).0
    };
    assert_eq!(set_up("http://127.0.0.1:1/v1"), 200);
    let file = disk.data().join("models.json");
    let before = fs::read_to_string(&file).unwrap();
    disk.say("full");
    assert_ne!(set_up("http://127.0.0.1:2/v1"), 200);
    disk.say("");
    assert_eq!(fs::read_to_string(&file).unwrap(), before);
    assert_eq!(set_up("http://127.0.0.1:3/v1"), 200);
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap().map(|entry| entry.unwrap()) {
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            fs::create_dir_all(&target).unwrap();
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_fails_to_sync_is_believed_once_and_nothing_more_is_acknowledged() {
    let Some(disk) = Disk::new() else { return };
    let server = disk.serve();
    let page = first_page(&server);
    let guest = link_for(&server, "anna");
    let mut client = join(&server, &page).await;
    assert_eq!(client.edit("box", 1).await, OK);
    assert_eq!(ready(&server).0, 200);
    disk.say("sync");
    assert_ne!(client.edit("box", 2).await, OK);
    // It works again, but what it said about the write before is not known any more.
    disk.say("");
    eventually("the server says so", || ready(&server).0 == 503).await;
    // Not kept, but it holds for as long as the server runs.
    assert_eq!(revoke(&server, &guest), 500);
    assert_eq!(opens(&server, &guest), 401);
    server.kill();
    let server = disk.serve();
    let found = place(&server, &page, "box");
    assert!(found == json!(1) || found == json!(2), "{found}");
    assert_eq!(ready(&server).0, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_refuses_edits_lets_rights_be_taken_away_and_recovers() {
    let Some(disk) = Disk::new() else { return };
    let server = disk.serve();
    let page = first_page(&server);
    let (anna, ben) = (link_for(&server, "anna"), link_for(&server, "ben"));
    let mut client = join(&server, &page).await;
    assert_eq!(client.edit("box", 1).await, OK);
    disk.say("full");
    assert_ne!(client.edit("box", 2).await, OK);
    eventually("the server says so", || ready(&server).0 == 503).await;
    let (_, why) = ready(&server);
    assert!(why["detail"].as_str().unwrap().contains("full"), "{why}");
    // Reading goes on; writing is put off.
    let mut reader = join(&server, &page).await;
    assert_ne!(reader.edit("box", 3).await, OK);
    assert_eq!(place(&server, &page, "box"), json!(1));
    // Rights are taken away all the same, one after the other.
    for token in [&anna, &ben] {
        assert_eq!(revoke(&server, token), 204);
        assert_eq!(opens(&server, token), 401);
    }
    assert!(
        !disk.data().join("reserve").exists(),
        "the reserve was used"
    );
    assert_ne!(
        reader.edit("box", 4).await,
        OK,
        "the reserve is not for edits"
    );
    // And that lasts, whatever happens next.
    server.kill();
    let server = disk.serve();
    for token in [&anna, &ben] {
        assert_eq!(opens(&server, token), 401);
    }
    disk.say("");
    eventually("the disk has space again", || ready(&server).0 == 200).await;
    let mut client = join(&server, &page).await;
    client.sees("box", 1).await;
    assert_eq!(client.edit("box", 5).await, OK);
    assert_eq!(place(&server, &page, "box"), json!(5));
    assert!(
        disk.data().join("reserve").exists(),
        "it is held back again"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_fills_up_at_any_moment_loses_nothing_that_was_acknowledged() {
    let Some(disk) = Disk::new() else { return };
    let server = disk.serve();
    let page = first_page(&server);
    let mut last = 0;
    for round in 0..rounds() {
        let mut client = join(&server, &page).await;
        if last > 0 {
            client.sees("box", last).await;
        }
        let filling = disk.say_after(Duration::from_millis(7 * (round % 11)), "full");
        for x in last + 1..last + 200 {
            if client.edit("box", x).await != OK {
                break;
            }
            last = x;
        }
        filling.await.unwrap();
        disk.say("");
        eventually("the disk has space again", || ready(&server).0 == 200).await;
        let found = place(&server, &page, "box");
        assert_eq!(found, if last == 0 { Value::Null } else { json!(last) });
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_set_back_and_forth_revives_no_session_and_no_revoked_link() {
    let Some(disk) = Disk::new() else { return };
    let server = disk.serve();
    let guest = link_for(&server, "anna");
    assert_eq!(revoke(&server, &guest), 204);
    let day = 24 * 60 * 60;
    for seconds in [-400 * day, 400 * day, 0] {
        disk.say(&format!("clock {seconds}"));
        assert_eq!(opens(&server, &guest), 401, "{seconds}");
        assert_eq!(opens(&server, &server.token), 200, "{seconds}");
    }
    server.kill();
    disk.say(&format!("clock {}", -400 * day));
    let server = disk.serve();
    assert_eq!(opens(&server, &guest), 401);
}
