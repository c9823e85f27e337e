//! Emoji in finished pictures.

use crate::font::{Glyph, sample};
use crate::geometry::{Point, Rect};
use crate::render::color::Rgba;
use crate::render::list::{Ink, Item, List, PlacedGlyph, Spot, Transform};
use crate::render::page::{DrawItem, Layout, What};
use crate::render::picture::Sizes;
use crate::render::{Options, raster, svg};

/// A view from (-50, -50) to (50, 50).
fn sheet() -> List {
    List {
        view: Rect::new(-50.0, -50.0, 100.0, 100.0),
        background: Some(Rgba::WHITE),
        ..List::default()
    }
}

fn spot(angle: f64, opacity: f64) -> Spot {
    Spot {
        transform: Transform::placed(Point::default(), Point::default(), angle),
        opacity,
        clip: None,
    }
}

/// Emoji of 100 pixels with their origins in the middle.
fn text(glyph: Glyph, times: usize, color: Rgba) -> Ink {
    let placed = || PlacedGlyph {
        glyph,
        at: Point::default(),
        size: 100.0,
        stretch: 1.0,
    };
    Ink::Text {
        glyphs: (0..times).map(|_| placed()).collect(),
        color,
        words: "😀".repeat(times),
    }
}

fn pixel(angle: f64, opacity: f64, color: Rgba, at: (u32, u32)) -> [u8; 4] {
    let list = List {
        items: vec![Item {
            spot: spot(angle, opacity),
            ink: text(sample::picture(), 1, color),
        }],
        ..sheet()
    };
    let png = raster::png(&list, &Options::default()).unwrap();
    let image = image::load_from_memory(&png).unwrap().into_rgba8();
    image.get_pixel(at.0, at.1).0
}

const RED: [u8; 4] = [255, 0, 0, 255];
const WHITE: [u8; 4] = [255; 4];

#[test]
fn an_emoji_keeps_its_colours_whatever_the_texts_are() {
    for color in [Rgba::BLACK, Rgba::parse("#1971c2")] {
        // The picture reaches from 10 left of the origin and 8 above it; its right half is clear.
        assert_eq!(pixel(0.0, 1.0, color, (41, 43)), RED);
        assert_eq!(pixel(0.0, 1.0, color, (48, 50)), RED);
        assert_eq!(pixel(0.0, 1.0, color, (55, 46)), WHITE);
        assert_eq!(pixel(0.0, 1.0, color, (45, 54)), WHITE);
    }
}

#[test]
fn an_emoji_turns_and_fades_with_its_text() {
    let half_a_turn = std::f64::consts::PI;
    assert_eq!(pixel(half_a_turn, 1.0, Rgba::BLACK, (56, 54)), RED);
    assert_eq!(pixel(half_a_turn, 1.0, Rgba::BLACK, (44, 46)), WHITE);
    let [r, g, b, a] = pixel(0.0, 0.5, Rgba::BLACK, (45, 46));
    assert!(r == 255 && g.abs_diff(128) < 3 && b == g && a == 255);
    // The colour's own transparency counts, too.
    let [_, g, ..] = pixel(0.0, 0.5, Rgba::parse("#00000080"), (45, 46));
    assert!(g.abs_diff(191) < 3);
    let clear = Rgba::parse("transparent");
    assert_eq!(pixel(0.0, 1.0, clear, (45, 46)), WHITE);
}

fn document(glyph: Glyph, times: usize, opacity: f64) -> String {
    let layout = Layout {
        list: sheet(),
        steps: vec![DrawItem {
            spot: spot(0.0, opacity),
            what: What::Ink(text(glyph, times, Rgba::BLACK)),
        }],
    };
    let options = Options::default();
    svg::write(&layout, &options, &Sizes::of(&options.files)).to_string()
}

#[test]
fn an_svg_holds_each_emoji_once() {
    for glyph in [sample::picture(), sample::layered(), sample::gradient()] {
        let svg = document(glyph, 5_000, 1.0);
        assert_eq!(svg.matches("<image id=\"g0\"").count(), 1);
        assert_eq!(svg.matches("data:image/png;base64,").count(), 1);
        assert_eq!(svg.matches("<use href=\"#g0\" x=").count(), 5_000);
    }
    let svg = document(sample::picture(), 1, 1.0);
    assert!(svg.contains(" x=\"-100\" y=\"-80\" width=\"200\" height=\"100\" href="));
}

#[test]
fn an_emoji_fades_in_an_svg_too() {
    let svg = document(sample::picture(), 2, 0.4);
    let faded = "<use href=\"#g0\" opacity=\"0.4\" x=";
    assert_eq!(svg.matches(faded).count(), 2);
}
