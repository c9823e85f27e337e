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

/// The fonts of this machine, as far as the recordings tell them apart.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Machine {
    /// DejaVu and Liberation, and no others.
    Plain,
    /// Noto's emoji beside them.
    WithEmoji,
    Another,
}

fn machine() -> Machine {
    let names = |path: &Path| -> Vec<String> {
        let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
        let mut names: Vec<String> = entries
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    };
    let fonts = Path::new("/usr/share/fonts");
    let truetype = fonts.join("truetype");
    let folders = names(&truetype);
    let folders: Vec<&str> = folders.iter().map(String::as_str).collect();
    match folders.as_slice() {
        _ if names(fonts) != ["truetype"] => Machine::Another,
        ["dejavu", "liberation"] => Machine::Plain,
        ["dejavu", "liberation", "noto"]
            if names(&truetype.join("noto")) == ["NotoColorEmoji.ttf"] =>
        {
            Machine::WithEmoji
        }
        _ => Machine::Another,
    }
}

/// What of a recording is not as wide here, and how many were compared.
fn differing(
    recording: &str,
    is_compared: impl Fn(&str, FontFamily) -> bool,
) -> (Vec<String>, usize) {
    let rows: Vec<Value> = serde_json::from_str(recording).unwrap();
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for row in &rows {
        let script = row["script"].as_str().unwrap();
        let family = FontFamily::from_number(row["font"].as_i64().unwrap());
        let size = row["size"].as_f64().unwrap();
        if !is_compared(script, family) {
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
    (wrong, compared)
}

#[test]
fn widths_are_the_browsers_in_every_font_and_script() {
    let has_cjk = Path::new(env!("CARGO_MANIFEST_DIR")).join(XIAOLAI).is_dir();
    // The font comes with the studio's packages, which `cargo xtask test` installs first.
    if has_cjk {
        provide_cjk(xiaolai);
    }
    let machine = machine();
    let is_fixed = |script: &str, family: FontFamily| match family {
        // Not shipped: what the machine has for them.
        FontFamily::Helvetica | FontFamily::LiberationSans => false,
        _ => {
            SHIPPED.contains(&script)
                || (CJK.contains(&script) && has_cjk && family == FontFamily::Excalifont)
        }
    };
    // Beside the shipped fonts we have the hand-drawn one for Chinese, Japanese and Korean still.
    let is_alike = |script: &str| match machine {
        Machine::Plain => !CJK.contains(&script),
        Machine::WithEmoji => !CJK.contains(&script) && script != "emoji",
        Machine::Another => false,
    };
    let (wrong, compared) = differing(include_str!("fixtures/widths.json"), |script, family| {
        is_fixed(script, family) || is_alike(script)
    });
    assert!(compared >= 70, "only {compared} widths were compared");
    assert!(
        wrong.is_empty(),
        "{} of {compared} differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn emoji_are_as_wide_as_the_browsers() {
    if machine() != Machine::WithEmoji {
        eprintln!(
            "skipped: this needs the fonts DejaVu, Liberation and Noto Color Emoji and no others \
             (on Debian: fonts-dejavu, fonts-liberation, fonts-noto-color-emoji)"
        );
        return;
    }
    provide_cjk(xiaolai);
    let (wrong, compared) = differing(include_str!("fixtures/emoji_widths.json"), |_, _| true);
    assert!(compared >= 160, "only {compared} widths were compared");
    assert!(
        wrong.is_empty(),
        "{} of {compared} differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
