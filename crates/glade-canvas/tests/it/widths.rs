//! Text widths against a browser's: `web/tests/compare/widths.mjs` recorded the fixture.

use std::borrow::Cow;
use std::path::Path;

use glade_canvas::FontFamily;
use glade_canvas::text::{line_width, provide_cjk};
use serde_json::Value;

const XIAOLAI: &str = "../../web/node_modules/@excalidraw/excalidraw/dist/prod/fonts/Xiaolai";

/// What the shipped fonts have themselves; the other strings are set with the fonts of whatever machine it is.
const SHIPPED: [&str; 5] = ["latin", "kerning", "accents", "central", "code"];
const CJK: [&str; 3] = ["chinese", "japanese", "korean"];

fn xiaolai(name: &str) -> Option<Cow<'static, [u8]>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(XIAOLAI);
    std::fs::read(folder.join(name)).ok().map(Cow::Owned)
}

/// The fonts that the recording machine had beside the shipped ones.
fn is_like_the_recording_machine() -> bool {
    [
        "dejavu/DejaVuSans.ttf",
        "liberation/LiberationSans-Regular.ttf",
    ]
    .iter()
    .all(|font| Path::new("/usr/share/fonts/truetype").join(font).is_file())
}

#[test]
fn widths_are_the_browsers_in_every_font_and_script() {
    provide_cjk(xiaolai);
    let rows: Vec<Value> = serde_json::from_str(include_str!("fixtures/widths.json")).unwrap();
    let has_cjk = Path::new(env!("CARGO_MANIFEST_DIR")).join(XIAOLAI).is_dir();
    let like = is_like_the_recording_machine();
    let mut wrong = Vec::new();
    let mut compared = 0;
    for row in &rows {
        let script = row["script"].as_str().unwrap();
        let family = FontFamily::from_number(row["font"].as_i64().unwrap());
        let known = SHIPPED.contains(&script)
            || (CJK.contains(&script) && has_cjk && family == FontFamily::Excalifont)
            || like;
        if !known {
            continue;
        }
        compared += 1;
        let size = row["size"].as_f64().unwrap();
        let ours = line_width(row["text"].as_str().unwrap(), family, size);
        let theirs = row["width"].as_f64().unwrap();
        if (ours - theirs).abs() >= 0.5 {
            wrong.push(format!(
                "{family:?} {size} {script}: {ours:.2}, the browser {theirs:.2}"
            ));
        }
    }
    assert!(compared >= 100, "only {compared} widths were compared");
    assert!(
        wrong.is_empty(),
        "{} of {compared} differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
