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

/// The widths of these scripts that are off by half a pixel or more, and how many were compared.
fn compared(scripts: &[&str], is_meant: impl Fn(FontFamily) -> bool) -> (Vec<String>, usize) {
    let rows: Vec<Value> = serde_json::from_str(include_str!("fixtures/widths.json")).unwrap();
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for row in &rows {
        let script = row["script"].as_str().unwrap();
        let family = FontFamily::from_number(row["font"].as_i64().unwrap());
        if !scripts.contains(&script) || !is_meant(family) {
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
    (wrong, compared)
}

#[test]
fn letters_of_shipped_fonts_are_as_wide_as_in_the_browser() {
    // Helvetica and Liberation Sans are not shipped: only plain Latin is as wide there.
    let is_shipped = |family| !matches!(family, FontFamily::Helvetica | FontFamily::LiberationSans);
    let (wrong, compared) = compared(&SHIPPED, is_shipped);
    assert!(compared >= 70, "only {compared} widths were compared");
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn chinese_japanese_and_korean_are_as_wide_as_in_the_browser() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(XIAOLAI);
    if !folder.is_dir() {
        // The font comes with the studio's packages, which `cargo xtask test` installs first.
        return;
    }
    provide_cjk(xiaolai);
    let (wrong, compared) = compared(&CJK, |family| family == FontFamily::Excalifont);
    assert!(compared >= 9, "only {compared} widths were compared");
    assert_eq!(wrong, [""; 0]);
}
