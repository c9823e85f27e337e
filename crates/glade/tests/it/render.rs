//! `glade render`: pictures of files, through the real binary.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

fn render(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_glade"));
    command.current_dir(folder).env_clear().stdin(Stdio::null());
    command.arg("render").args(args).output().unwrap()
}

fn rectangle(id: &str) -> Value {
    json!({"id": id, "type": "rectangle", "x": 0, "y": 0, "width": 100, "height": 60, "strokeColor": "#1e1e1e",
        "backgroundColor": "#ff0000", "fillStyle": "solid", "roughness": 0, "seed": 1})
}

fn write(folder: &Path, name: &str, value: &Value) {
    std::fs::write(folder.join(name), value.to_string()).unwrap();
}

/// Width and height of a PNG.
fn size(png: &[u8]) -> (u32, u32) {
    assert!(png.starts_with(b"\x89PNG"));
    let side = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    (side(16), side(20))
}

fn scene(elements: &[Value]) -> Value {
    json!({"type": "excalidraw", "version": 2, "elements": elements})
}

#[test]
fn many_files_become_pictures_and_a_broken_one_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder, "plan.excalidraw", &scene(&[rectangle("r")]));
    let item = json!([rectangle("r")]);
    write(
        folder,
        "shapes.excalidrawlib",
        &json!({"type": "excalidrawlib", "version": 1, "library": [item, item, item]}),
    );
    std::fs::write(folder.join("broken.excalidraw"), "{\"elements\": [").unwrap();
    let files = [
        "plan.excalidraw",
        "broken.excalidraw",
        "shapes.excalidrawlib",
    ];
    let said = render(
        folder,
        &[&files[..], &["--out", "pics", "--format", "png"]].concat(),
    );
    assert!(!said.status.success());
    let words = String::from_utf8(said.stderr).unwrap();
    assert!(
        words.contains("broken.excalidraw") && words.contains("1 of 3"),
        "{words}"
    );
    let picture = |name: &str| std::fs::read(folder.join("pics").join(name)).unwrap();
    assert_eq!(size(&picture("plan.png")), (120, 80));
    // Three items in one row.
    assert_eq!(size(&picture("shapes.png")), (520, 80));
}

#[test]
fn the_theme_the_part_and_the_scale_are_as_asked() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder, "plan.excalidraw", &scene(&[rectangle("r")]));
    let draw = |out: &str, more: &[&str]| {
        let said = render(folder, &[&["plan.excalidraw", "--out", out], more].concat());
        assert!(
            said.status.success(),
            "{:?}",
            String::from_utf8(said.stderr)
        );
        std::fs::read(folder.join(out)).unwrap()
    };
    let part = draw("part.png", &["--bounds", "-10,-20,30,50", "--scale", "2"]);
    assert_eq!(size(&part), (60, 100));
    let light = draw("light.svg", &[]);
    assert_eq!(draw("again.svg", &[]), light);
    assert_ne!(draw("dark.svg", &["--dark"]), light);
    assert!(draw("plan.jpg", &[]).starts_with(&[0xff, 0xd8, 0xff]));
}

#[test]
fn a_picture_that_holds_a_drawing_is_drawn_from_it() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let embedded = glade_canvas::file::write_svg(
        "<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>",
        scene(&[rectangle("r")]).to_string().as_bytes(),
    );
    std::fs::write(folder.join("held.svg"), embedded).unwrap();
    let said = render(folder, &["held.svg", "--out", "out.png"]);
    assert!(
        said.status.success(),
        "{:?}",
        String::from_utf8(said.stderr)
    );
    let picture = std::fs::read(folder.join("out.png")).unwrap();
    assert_eq!(size(&picture), (120, 80));
}

#[test]
fn a_picture_is_never_drawn_over_the_scene_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let file = scene(&[rectangle("r")]).to_string();
    let carrier = glade_canvas::file::write_svg(
        "<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>",
        file.as_bytes(),
    );
    std::fs::write(folder.join("plan.svg"), &carrier).unwrap();
    write(folder, "other.excalidraw", &scene(&[rectangle("r")]));
    let said = render(folder, &["plan.svg", "other.excalidraw", "--out", "."]);
    assert!(!said.status.success());
    let words = String::from_utf8(said.stderr).unwrap();
    assert!(words.contains("drawn over itself"), "{words}");
    assert_eq!(
        std::fs::read_to_string(folder.join("plan.svg")).unwrap(),
        carrier
    );
    assert!(folder.join("other.svg").is_file());
}

#[test]
fn a_dash_is_standard_input_and_output() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_glade"));
    let mut child = command
        .env_clear()
        .args(["render", "-", "--out", "-", "--format", "png"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let file = scene(&[rectangle("r")]).to_string();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), file.as_bytes()).unwrap();
    let said = child.wait_with_output().unwrap();
    assert!(said.status.success());
    assert_eq!(size(&said.stdout), (120, 80));
}

#[test]
fn a_folder_and_a_page_without_anything_are_said() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::create_dir(folder.join("boards")).unwrap();
    write(folder, "empty.excalidraw", &scene(&[]));
    let said = render(folder, &["boards", "empty.excalidraw", "--out", "pics/"]);
    let words = String::from_utf8(said.stderr).unwrap();
    assert_eq!(
        words,
        "glade: boards is a folder; name the files in it, as in boards/*.excalidraw\n\
         glade: empty.excalidraw: there is nothing on it\n\
         glade: 1 of 2 files were not drawn; the lines above say why\n"
    );
    assert!(folder.join("pics/empty.svg").is_file());
}
