//! Text widths against a browser's: `web/tests/compare/widths.mjs` recorded the fixture.

use std::borrow::Cow;
use std::path::Path;

use glade_canvas::FontFamily;
use glade_canvas::text::{line_width, provide_cjk};
use serde_json::Value;

const XIAOLAI: &str = "../../web/node_modules/@excalidraw/excalidraw/dist/prod/fonts/Xiaolai";

/// What every shipped family has itself. The other strings are set with the fonts of whatever machine it is.
const SHIPPED: [&str; 4] = ["latin", "kerning", "accents", "code"];
const CJK: [&str; 3] = ["chinese", "japanese", "korean"];

fn xiaolai(name: &str) -> Option<Cow<'static, [u8]>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(XIAOLAI);
    std::fs::read(folder.join(name)).ok().map(Cow::Owned)
}

/// The fonts that the recording machine had beside the shipped ones, and no others.
fn is_like_the_recording_machine() -> bool {
    let folders = |path: &Path| -> Vec<String> {
        let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
        let mut names: Vec<String> = entries
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    };
    let fonts = Path::new("/usr/share/fonts");
    folders(fonts) == ["truetype"] && folders(&fonts.join("truetype")) == ["dejavu", "liberation"]
}

#[test]
fn widths_are_the_browsers_in_every_font_and_script() {
    let has_cjk = Path::new(env!("CARGO_MANIFEST_DIR")).join(XIAOLAI).is_dir();
    // The font comes with the studio's packages, which `cargo xtask test` installs first.
    if has_cjk {
        provide_cjk(xiaolai);
    }
    let like = is_like_the_recording_machine();
    let is_fixed = |script: &str, family: FontFamily| match family {
        // Not shipped: what the machine has for them.
        FontFamily::Helvetica | FontFamily::LiberationSans => false,
        _ => {
            SHIPPED.contains(&script)
                || (CJK.contains(&script) && has_cjk && family == FontFamily::Excalifont)
        }
    };
    let rows: Vec<Value> = serde_json::from_str(include_str!("fixtures/widths.json")).unwrap();
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for row in &rows {
        let script = row["script"].as_str().unwrap();
        let family = FontFamily::from_number(row["font"].as_i64().unwrap());
        let size = row["size"].as_f64().unwrap();
        // Beside the shipped fonts we have the hand-drawn one for Chinese, Japanese and Korean still.
        let is_alike = like && !CJK.contains(&script);
        if !is_fixed(script, family) && !is_alike {
            continue;
        }
        compared += 1;
        let ours = line_width(row["text"].as_str().unwrap(), family, size);
        let theirs = row["width"].as_f64().unwrap();
        if (ours - theirs).abs() >= 0.5 {
            wrong.push(format!(
                "{family:?} {size} {script}: {ours:.2}, the browser {theirs:.2}"
            ));
        }
    }
    assert!(compared >= 70, "only {compared} widths were compared");
    assert!(
        wrong.is_empty(),
        "{} of {compared} differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
