//! Pictures of a page: SVG, PNG and JPEG, as the editor would draw them, without a browser.
//!
//! ```text
//!  Scene ──▶ prepare ──▶ page ──┬──────────▶ svg
//!               │                 └──▶ List ──▶ raster ──▶ PNG, JPEG
//!               ├ draw: shape, arrowhead, freehand, sticky, words: rough strokes, glyph runs
//!               └ style: properties with the editor's defaults
//! ```
//!
//! - [`rough`] makes the hand-drawn strokes and fills, number for number those of the editor.
//! - `prepare` finds how each element looks and where it lies; `page` puts them in order under their frames' clips.
//! - What is drawn is paths, glyphs and images only; the writers know nothing of elements.
//! - Text is drawn as outlines, emoji as pictures ([`stamp`]). In an SVG every glyph that is used is written once and
//!   referred to, so the picture is the same in every viewer, with no font to load and nothing to subset; the words
//!   stand beside it for readers that do not look.
//!
//! **Same scene, same bytes**: no clock, no chance, no order of a hash map. **Bounded**: pictures have at most
//! [`MAX_PIXELS`] a side, fills and strokes a largest number of lines and points; odd numbers were clamped when read.

mod arrowhead;
mod clip;
mod color;
mod decimal;
mod draw;
mod freehand;
mod glyph;
mod laser;
mod lettering;
mod list;
mod look;
mod page;
mod parallel;
mod picture;
mod pool;
mod prepare;
mod raster;
pub mod rough;
mod shape;
mod stamp;
mod sticky;
mod style;
mod svg;
mod words;

pub(crate) use color::Rgba;
pub(crate) use look::Look;
pub(crate) use shape::{heads, is_loop, shaft};
pub use svg::Svg;

use std::collections::BTreeMap;

use base64::Engine;

use crate::geometry::Rect;
use crate::scene::Scene;

/// The longest side of a PNG or JPEG; a larger scale is lowered to keep it.
pub const MAX_PIXELS: u32 = 8000;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    #[default]
    Light,
    Dark,
}

/// An image that elements refer to by its id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageFile {
    pub mime: String,
    pub data: Vec<u8>,
}

impl ImageFile {
    /// From `data:image/png;base64,…`, or with the bytes as they are or percent by percent.
    pub fn from_data_url(url: &str) -> Option<Self> {
        let (head, body) = url.strip_prefix("data:")?.split_once(',')?;
        let mime = head.split(';').next()?.trim().to_ascii_lowercase();
        let data = if head.trim_end().ends_with(";base64") {
            base64::engine::general_purpose::STANDARD
                .decode(body.trim())
                .ok()?
        } else {
            unescaped(body)
        };
        Some(Self { mime, data })
    }

    /// Whether anyone can show it: we, or whoever opens an SVG that holds it.
    pub(crate) fn is_known(&self) -> bool {
        picture::is_known(self)
    }

    pub fn data_url(&self) -> String {
        let data = base64::engine::general_purpose::STANDARD.encode(&self.data);
        format!("data:{};base64,{data}", self.mime)
    }
}

/// `%3C` as the byte it stands for.
fn unescaped(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        let code = digits.and_then(|two| u8::from_str_radix(two, 16).ok());
        match code.filter(|_| *first == b'%') {
            Some(code) => {
                bytes.push(code);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    bytes
}

/// What to draw and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    pub theme: Theme,
    /// Pixels a unit of the page.
    pub scale: f64,
    /// The part of the page to show; all of it, with [`Options::padding`] around, when none is given.
    pub bounds: Option<Rect>,
    pub padding: f64,
    /// The page's colour as CSS has it; none leaves it transparent (a JPEG is white then).
    pub background: Option<String>,
    /// Image data by file id. An image whose data is missing or not understood shows the editor's sign for that.
    pub files: BTreeMap<String, ImageFile>,
    /// The year in which sticky notes leave the year out of their date.
    pub this_year: Option<i64>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            theme: Theme::Light,
            scale: 1.0,
            bounds: None,
            padding: 10.0,
            background: Some("#ffffff".to_owned()),
            files: BTreeMap::new(),
            this_year: None,
        }
    }
}

impl Options {
    /// What outlined arrowheads are filled with, before the theme.
    fn paper(&self) -> Rgba {
        let background = self.background.as_deref().map(Rgba::parse);
        background.unwrap_or(Rgba::WHITE)
    }

    fn background_color(&self) -> Option<Rgba> {
        let color = Rgba::parse(self.background.as_deref()?);
        (!color.is_transparent()).then(|| self.theme.apply(color))
    }

    fn usable_scale(&self) -> f64 {
        if self.scale.is_finite() && self.scale > 0.0 {
            self.scale.clamp(1e-3, 1e3)
        } else {
            1.0
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    #[error(
        "there is no memory for a picture of {width} × {height} pixels; ask for a smaller scale or part"
    )]
    TooLarge { width: u32, height: u32 },
    #[error("the picture could not be written: {0}")]
    Encode(String),
}

/// The page as an SVG document.
pub fn to_svg(scene: &Scene, options: &Options) -> Svg {
    let sizes = picture::Sizes::of(&options.files);
    let mut prepared = page::prepared(scene, options, &sizes);
    let layout = page::layout(&mut prepared, options);
    let svg = svg::write(&layout, options, &sizes);
    layout.put_away();
    page::put_away(prepared);
    svg
}

/// The page as a PNG file.
pub fn to_png(scene: &Scene, options: &Options) -> Result<Vec<u8>, RenderError> {
    raster::png(&list(scene, options), options)
}

/// The page as a JPEG file, on white where it would be transparent.
pub fn to_jpeg(scene: &Scene, options: &Options) -> Result<Vec<u8>, RenderError> {
    raster::jpeg(&list(scene, options), options)
}

fn list(scene: &Scene, options: &Options) -> list::List {
    let sizes = picture::Sizes::of(&options.files);
    let mut prepared = page::prepared(scene, options, &sizes);
    let list = page::layout(&mut prepared, options).into_list();
    page::put_away(prepared);
    list
}
