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
