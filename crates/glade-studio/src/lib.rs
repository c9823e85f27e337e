//! The studio as the binary has it: one file to copy, nothing to install.
//!
//! `web/dist` is embedded at compile time, in debug builds too, so that what is tested is what is shipped. When it has
//! not been built yet, the build script puts a page there that says how. A crate of its own, which only the command line
//! knows: a change of the studio compiles nothing of the server again, and the server compiles while the studio is built.
//!
//! Invariant: nothing but the files. How they are sent is the server's.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

use std::borrow::Cow;

use rust_embed::{EmbeddedFile, RustEmbed};

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
struct Studio;

/// A file of the studio by its path below its root.
pub fn file(name: &str) -> Option<EmbeddedFile> {
    Studio::get(name)
}

/// A part of the hand-drawn font for Chinese, Japanese and Korean, which the studio has.
pub fn cjk_font(name: &str) -> Option<Cow<'static, [u8]>> {
    file(&format!("fonts/Xiaolai/{name}")).map(|file| file.data)
}

#[test]
fn the_embedded_studio_has_a_page() {
    let page = file("index.html").unwrap().data.into_owned();
    assert!(String::from_utf8(page).unwrap().contains("<html"));
    assert!(file("no-such-file").is_none());
}
