//! The fonts in the program: a family is a few files, one a script, in the editor's order.

use super::file::{FontFile, Source};
use crate::text::FontFamily;

macro_rules! packed {
    ($path:literal) => {
        FontFile::new(Source::Woff2(include_bytes!(concat!(
            "../../fonts/",
            $path,
            ".woff2"
        ))))
    };
}

pub(super) static EXCALIFONT: [FontFile; 7] = [
    packed!("excalifont/latin"),
    packed!("excalifont/latin-ext"),
    packed!("excalifont/cyrillic"),
    packed!("excalifont/greek"),
    packed!("excalifont/diacritics"),
    packed!("excalifont/cyrillic-ext"),
    packed!("excalifont/combining"),
];
static NUNITO: [FontFile; 5] = [
    packed!("nunito/latin"),
    packed!("nunito/latin-ext"),
    packed!("nunito/vietnamese"),
    packed!("nunito/cyrillic"),
    packed!("nunito/cyrillic-ext"),
];
static LILITA: [FontFile; 2] = [packed!("lilita-one/latin"), packed!("lilita-one/latin-ext")];
static COMIC_SHANNS: [FontFile; 4] = [
    packed!("comic-shanns/latin"),
    packed!("comic-shanns/latin-ext"),
    packed!("comic-shanns/symbols"),
    packed!("comic-shanns/lambda"),
];
static CASCADIA: [FontFile; 1] = [packed!("cascadia/all")];
static VIRGIL: [FontFile; 1] = [packed!("virgil/all")];
/// Where a character is looked for last, so that it is at least readable.
pub(super) static OTHERS: [&[FontFile]; 4] = [&EXCALIFONT, &NUNITO, &CASCADIA, &COMIC_SHANNS];

/// By the names that the editor's own SVG files call them.
pub(super) static ALL: [(&str, &[FontFile]); 6] = [
    ("Excalifont", &EXCALIFONT),
    ("Nunito", &NUNITO),
    ("Lilita One", &LILITA),
    ("Comic Shanns", &COMIC_SHANNS),
    ("Cascadia", &CASCADIA),
    ("Virgil", &VIRGIL),
];

pub(super) fn files(family: FontFamily) -> &'static [FontFile] {
    match family {
        FontFamily::Virgil => &VIRGIL,
        FontFamily::Cascadia => &CASCADIA,
        FontFamily::LilitaOne => &LILITA,
        FontFamily::ComicShanns => &COMIC_SHANNS,
        FontFamily::Nunito
        | FontFamily::Helvetica
        | FontFamily::LiberationSans
        | FontFamily::Assistant => &NUNITO,
        FontFamily::Excalifont | FontFamily::Other(_) => &EXCALIFONT,
    }
}
