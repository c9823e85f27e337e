//! `glade draw`: a fairy and a file, through the real binary.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

const FLOW: &str = "Draw a flow: Order -> Pay -> Ship";

fn glade(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_glade"));
    command.current_dir(folder).env_clear().stdin(Stdio::null());
    command
}

fn draw(folder: &Path, args: &[&str]) -> Output {
    glade(folder).arg("draw").args(args).output().unwrap()
}

fn said(output: &Output) -> String {
    assert!(output.stdout.is_empty(), "stdout is nobody's here");
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn read(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// The texts of the live elements, sorted.
fn texts(file: &Value) -> Vec<&str> {
    let elements = file["elements"].as_array().unwrap().iter();
    let mut texts: Vec<&str> = elements.filter_map(|it| it["text"].as_str()).collect();
    texts.sort_unstable();
    texts
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_new_file_is_made_and_said_to_be_new() {
    let folder = tempfile::tempdir().unwrap();
    let output = draw(folder.path(), &["plan.excalidraw", FLOW]);
    assert!(output.status.success());
    assert_eq!(
        said(&output),
        "plan.excalidraw is not there yet: this begins with an empty page\n\
         Here comes a flow of 3 steps.\n  \
           ✏️ drew Order\n  ✏️ drew Pay\n  ✏️ drew an arrow\n  ✏️ drew Ship\n  ✏️ drew an arrow\n\
         Shapes: 5 new (sketch: {in} tokens in, {out} out).\nWrote plan.excalidraw.\n"
            .replace("{in}", &number_before(&output, " tokens in"))
            .replace("{out}", &number_before(&output, " out)"))
    );
    assert_eq!(names(folder.path()), ["plan.excalidraw"]);
    let file = read(&folder.path().join("plan.excalidraw"));
    assert_eq!(texts(&file), ["Order", "Pay", "Ship"]);
    assert_eq!(file["type"], "excalidraw");
}

/// Token counts follow the prompt, which is not this test's business.
fn number_before(output: &Output, words: &str) -> String {
    let said = said(output);
    let head = said.split(words).next().unwrap();
    head.rsplit(' ').next().unwrap().to_owned()
}

/// A file with an app state, a picture and a shape that Glade knows nothing about.
fn foreign(folder: &Path) -> PathBuf {
    let path = folder.join("old.excalidraw");
    let shape = |id: &str, kind: &str, x: i32| {
        json!({"id": id, "type": kind, "x": x, "y": 0, "width": 100, "height": 60, "version": 41, "versionNonce": 7,
               "updated": 99, "strokeColor": "#1e1e1e", "groupIds": [], "isDeleted": false, "index": format!("a{x:04}")})
    };
    let mut strange = shape("strange", "hologram", 400);
    strange["depth"] = json!({"of": [1, 2, 3]});
    let file = json!({"type": "excalidraw", "version": 2, "source": "elsewhere", "elements": [
        shape("box", "rectangle", 0), strange,
    ], "appState": {"viewBackgroundColor": "#fff9db", "theme": "dark"},
       "files": {"f1": {"id": "f1", "mimeType": "image/png", "dataURL": "data:image/png;base64,AA=="}},
       "plugin": {"of": ["another", {"app": null}]}});
    std::fs::write(&path, serde_json::to_vec(&file).unwrap()).unwrap();
    path
}

#[test]
fn what_the_fairy_does_not_touch_stays_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = foreign(folder.path());
    let before = read(&path);
    assert!(
        draw(folder.path(), &["old.excalidraw", FLOW])
            .status
            .success()
    );
    let after = read(&path);
    assert_eq!(texts(&after), ["Order", "Pay", "Ship"]);
    assert_eq!(after["appState"], before["appState"]);
    assert_eq!(after["files"], before["files"]);
    assert_eq!(after["plugin"], before["plugin"]);
    for was in before["elements"].as_array().unwrap() {
        let elements = after["elements"].as_array().unwrap();
        let is = elements.iter().find(|it| it["id"] == was["id"]).unwrap();
        for (key, value) in was.as_object().unwrap() {
            if key != "index" {
                assert_eq!(&is[key], value, "{key}");
            }
        }
    }
}

#[test]
fn a_changed_shape_goes_on_counting_its_versions() {
    let folder = tempfile::tempdir().unwrap();
    let path = foreign(folder.path());
    let output = draw(
        folder.path(),
        &["old.excalidraw", "make all rectangles red"],
    );
    assert!(
        said(&output).contains("Shapes: 1 changed"),
        "{}",
        said(&output)
    );
    let after = read(&path);
    let red = &after["elements"][0];
    assert_eq!((&red["id"], &red["version"]), (&json!("box"), &json!(42)));
    assert_ne!(red["strokeColor"], "#1e1e1e");
}

#[test]
fn with_out_the_file_stays_and_the_ending_says_what_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = foreign(folder.path());
    let before = std::fs::read(&path).unwrap();
    let begins: [(&str, &[u8]); 4] = [
        ("new.excalidraw", b"{"),
        ("new.svg", b"<svg"),
        ("new.png", b"\x89PNG"),
        ("new.jpg", b"\xff\xd8\xff"),
    ];
    for (name, begins) in begins {
        let output = draw(folder.path(), &["old.excalidraw", FLOW, "--out", name]);
        assert!(output.status.success(), "{}", said(&output));
        let bytes = std::fs::read(folder.path().join(name)).unwrap();
        assert!(bytes.starts_with(begins), "{name}");
    }
    assert_eq!(std::fs::read(&path).unwrap(), before);
    assert_eq!(
        names(folder.path()),
        [
            "new.excalidraw",
            "new.jpg",
            "new.png",
            "new.svg",
            "old.excalidraw"
        ]
    );
}

#[test]
fn a_dry_run_says_what_would_change_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let output = draw(folder.path(), &["plan.excalidraw", FLOW, "--dry-run"]);
    let said = said(&output);
    assert!(output.status.success());
    for line in [
        "  + rectangle \"Order\"\n",
        "  + rectangle \"Pay\"\n",
        "  + rectangle \"Ship\"\n",
        "A dry run: nothing was written.\n",
    ] {
        assert!(said.contains(line), "{said}");
    }
    assert!(names(folder.path()).is_empty());
}

#[test]
fn what_cannot_be_meant_is_refused_before_a_model_is_asked() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("no.excalidraw"), b"{\"type\": 3}").unwrap();
    for (args, words) in [
        (
            &["no.excalidraw", FLOW][..],
            "no.excalidraw was not understood",
        ),
        (&["a.excalidraw", "  "], "say what to do"),
        (
            &["a.excalidraw", FLOW, "--out", "a.pdf"],
            "use .excalidraw, .svg, .png or .jpg",
        ),
        (
            &["a.excalidraw", FLOW, "--out", "there/a.png"],
            "the folder there is not there",
        ),
        (&["a.png", FLOW], "say --out F.excalidraw"),
        (
            &["a.excalidraw", FLOW, "--model", "openai/x"],
            "there is no model `openai/x`",
        ),
    ] {
        let output = draw(folder.path(), args);
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        assert!(said(&output).contains(words), "{args:?}: {}", said(&output));
    }
    assert_eq!(names(folder.path()), ["no.excalidraw"]);
}

/// An address where a model ought to be; each call is answered with this and closed, or with silence.
fn model_that_says(answer: Option<&'static str>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        let mut held = Vec::new();
        for socket in listener.incoming() {
            let mut socket = socket.unwrap();
            let _bytes = socket.read(&mut [0; 4096]).unwrap();
            match answer {
                Some(answer) => socket.write_all(answer.as_bytes()).unwrap(),
                None => held.push(socket),
            }
        }
    });
    address.to_string()
}

#[test]
fn when_the_model_fails_the_file_is_as_it_was_and_the_words_say_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let path = foreign(folder.path());
    let before = std::fs::read(&path).unwrap();
    let refusal = "HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    let output = glade(folder.path())
        .args(["draw", "old.excalidraw", FLOW, "--model", "local/x"])
        .env("OLLAMA_HOST", model_that_says(Some(refusal)))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = said(&output);
    assert!(said.contains("refused the key for local/x"), "{said}");
    assert!(said.contains("Nothing was written."), "{said}");
    assert_eq!(std::fs::read(&path).unwrap(), before);
    assert_eq!(names(folder.path()), ["old.excalidraw"]);
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_the_file_as_it_was_and_no_litter() {
    let folder = tempfile::tempdir().unwrap();
    let scratch = tempfile::tempdir().unwrap();
    let path = foreign(folder.path());
    let before = std::fs::read(&path).unwrap();
    let mut child = glade(folder.path())
        .args(["draw", "old.excalidraw", FLOW, "--model", "local/x"])
        .env("OLLAMA_HOST", model_that_says(None))
        .env("TMPDIR", scratch.path())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let started = Instant::now();
    while names(scratch.path()).is_empty() {
        assert!(
            started.elapsed() < Duration::from_secs(20),
            "it never began"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let mut said = String::new();
    child.stderr.unwrap().read_to_string(&mut said).unwrap();
    assert!(said.contains("stopped; nothing was written"), "{said}");
    assert_eq!(std::fs::read(&path).unwrap(), before);
    assert_eq!(names(folder.path()), ["old.excalidraw"]);
    assert!(
        names(scratch.path()).is_empty(),
        "the scratch folder stayed"
    );
}

#[cfg(unix)]
#[test]
fn a_link_leads_to_the_file_that_is_replaced_and_its_permissions_stay() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = foreign(folder.path());
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).unwrap();
    let link = folder.path().join("link.excalidraw");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    assert!(
        draw(folder.path(), &["link.excalidraw", FLOW])
            .status
            .success()
    );
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(texts(&read(&path)), ["Order", "Pay", "Ship"]);
    let mode = std::fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}

#[test]
fn nothing_that_sketch_draws_is_noticed_as_untidy() {
    let folder = tempfile::tempdir().unwrap();
    let prompts = [
        "graph LR\n Client --> Gateway\n Gateway --> Auth\n Gateway --> Orders\n Orders --> Database\n Auth --> Database",
        "graph TD\n A[Start] --> B{Is it raining?}\n B -->|yes| C[Take an umbrella]\n B -->|no| D[Go out]\n C --> D",
        "sticky notes: buy milk, call the dentist, write the report, water the plants",
        "mind map of Transport:\n- Land\n  - Car\n  - Train\n- Water\n  - Ship\n- Air\n  - Plane",
        "timeline: 1969 moon landing, 1989 fall of the wall, 2007 first iPhone, 2020 pandemic",
        "a cycle: Plan -> Do -> Check -> Act -> Plan",
        "Requirements and analysis of the whole system -> Design -> Implementation and unit tests",
    ];
    for (at, prompt) in prompts.into_iter().enumerate() {
        let name = format!("{at}.excalidraw");
        assert!(draw(folder.path(), &[&name, prompt]).status.success());
        let bytes = std::fs::read(folder.path().join(name)).unwrap();
        let scene = glade_canvas::file::from_any(&bytes).unwrap().scene();
        assert!(scene.live_count() > 3, "{prompt}");
        assert_eq!(glade_canvas::lint::lints(&scene), [], "{prompt}");
        let all = scene.live().map(|element| element.id.clone()).collect();
        assert_eq!(glade_canvas::derive(&scene, &all), [], "{prompt}");
    }
}
