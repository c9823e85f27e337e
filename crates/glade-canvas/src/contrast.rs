//! Whether words can be read on what they stand on, in the light and in the dark theme: the one check that labels,
//! lints and layouts share. Contrast is WCAG's, from 1 to 21.

use crate::element::{Element, ElementKind};
use crate::geo::polygon_kind;
use crate::geometry::Point;
use crate::outline::{Outline, outline};
use crate::render::{Rgba, is_loop};

/// What words need at least.
pub const READABLE: f64 = 4.5;
/// What large words need at least.
pub const READABLE_LARGE: f64 = 3.0;
/// Words of this size are large.
pub const LARGE: f64 = 24.0;

const INK: Rgba = Rgba::new(0x1e, 0x1e, 0x1e, 1.0);
/// In so many steps a colour becomes black.
const SHADES: u32 = 20;
/// A colour that is darker than this shade of it is no longer told from black.
const DARKEST: u32 = 12;

/// The contrast that words of this size need.
pub fn needed(font_size: f64) -> f64 {
    if font_size >= LARGE {
        READABLE_LARGE
    } else {
        READABLE
    }
}

/// What words stand on: a colour, or the several of a pattern.
#[derive(Clone, Debug, PartialEq)]
pub struct Ground(Vec<Rgba>);

impl Default for Ground {
    /// The bare page.
    fn default() -> Self {
        Self(vec![Rgba::WHITE])
    }
}

impl Ground {
    /// One colour, over the bare page.
    pub fn of(color: &str) -> Self {
        Self(vec![over(Rgba::parse(color), Rgba::WHITE)])
    }

    /// Lines of a colour on the bare page.
    pub fn hatched(color: &str) -> Self {
        Self(vec![over(Rgba::parse(color), Rgba::WHITE), Rgba::WHITE])
    }

    /// What shows at a point of the page where these elements lie upon each other, from the lowest up. None for a
    /// picture: nobody knows its colours.
    pub fn at<'e>(point: Point, elements: impl IntoIterator<Item = &'e Element>) -> Option<Self> {
        let mut ground = Some(Self::default());
        for element in elements {
            if element.kind() == ElementKind::Image && outline(element, 0.0).contains(point) {
                ground = None;
            } else if covers(element, point) {
                ground = match ground {
                    Some(ground) => Some(ground.under(element)),
                    None if is_opaque(element) => Some(Self::default().under(element)),
                    None => None,
                };
            }
        }
        ground
    }

    /// This ground with the fill of an element over it.
    pub fn under(self, element: &Element) -> Self {
        let fill = fill_color(element);
        if fill.is_transparent() {
            return self;
        }
        let mut colors: Vec<Rgba> = self.0.iter().map(|below| over(fill, *below)).collect();
        if !is_plain(element) {
            colors.extend(self.0); // the lines have gaps
        }
        colors.dedup();
        Self(colors)
    }

    /// How well an ink is read on it, where that is worst.
    pub fn contrast(&self, ink: &str) -> f64 {
        Rgba::try_parse(ink).map_or(1.0, |ink| self.worst(ink))
    }

    /// The wanted ink, or that shade of it which can be read: black or white where none can.
    pub fn ink(&self, wanted: &str) -> String {
        let wanted_color = Rgba::try_parse(wanted).unwrap_or(INK);
        if self.worst(wanted_color) >= READABLE {
            return wanted.to_owned();
        }
        let shades = (1..=DARKEST).map(|step| mix(wanted_color, step));
        let fit = shades
            .chain([INK, Rgba::WHITE])
            .find(|ink| self.worst(*ink) >= READABLE);
        let best = || {
            [INK, Rgba::WHITE, Rgba::BLACK]
                .into_iter()
                .max_by(|a, b| self.worst(*a).total_cmp(&self.worst(*b)))
        };
        let Rgba { r, g, b, .. } = fit.or_else(best).unwrap_or(INK);
        format!("#{r:02x}{g:02x}{b:02x}")
    }

    fn worst(&self, ink: Rgba) -> f64 {
        let worst = |ground: &Rgba| {
            let shown = over(ink, *ground);
            contrast(shown, *ground).min(contrast(shown.dark(), ground.dark()))
        };
        self.0.iter().map(worst).fold(f64::INFINITY, f64::min)
    }
}

fn covers(element: &Element, point: Point) -> bool {
    if fill_color(element).is_transparent() {
        return false;
    }
    match element.kind() {
        ElementKind::Rectangle
        | ElementKind::Diamond
        | ElementKind::Ellipse
        | ElementKind::StickyNote => outline(element, 0.0).contains(point),
        ElementKind::Line if polygon_kind(element).is_some() => {
            outline(element, 0.0).contains(point)
        }
        ElementKind::Line | ElementKind::Freedraw if is_loop(&element.points()) => {
            Outline::Polygon(crate::bounds::page_points(element)).contains(point)
        }
        _ => false,
    }
}

fn is_opaque(element: &Element) -> bool {
    is_plain(element) && fill_color(element).a >= 1.0
}

/// Filled all over, not hatched.
fn is_plain(element: &Element) -> bool {
    element.kind() == ElementKind::StickyNote || element.fill_style() == "solid"
}

fn fill_color(element: &Element) -> Rgba {
    let color = Rgba::parse(element.background_color());
    let opacity = element.number("opacity").unwrap_or(100.0).clamp(0.0, 100.0) / 100.0;
    Rgba::new(color.r, color.g, color.b, color.a * opacity)
}

fn over(top: Rgba, below: Rgba) -> Rgba {
    let blend = |top_value: u8, value: u8| {
        let blended = f64::from(top_value) * top.a + f64::from(value) * (1.0 - top.a);
        blended.round().clamp(0.0, 255.0) as u8
    };
    Rgba::new(
        blend(top.r, below.r),
        blend(top.g, below.g),
        blend(top.b, below.b),
        1.0,
    )
}

/// A shade of a colour.
fn mix(color: Rgba, step: u32) -> Rgba {
    let share = f64::from(step) / f64::from(SHADES);
    over(Rgba { a: share, ..INK }, Rgba { a: 1.0, ..color })
}

fn contrast(one: Rgba, other: Rgba) -> f64 {
    let (a, b) = (luminance(one), luminance(other));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

fn luminance(color: Rgba) -> f64 {
    let linear = |value: u8| {
        let value = f64::from(value) / 255.0;
        if value <= 0.04045 {
            value / 12.92
        } else {
            ((value + 0.055) / 1.055).powf(2.4)
        }
    };
    0.2126 * linear(color.r) + 0.7152 * linear(color.g) + 0.0722 * linear(color.b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::palette::{Color, Fill};

    #[test]
    fn contrast_is_that_of_the_standard() {
        let page = Ground::default();
        let round = |ink: &str| (page.contrast(ink) * 10.0).round() / 10.0;
        assert_eq!(
            [round("#ffffff"), round("#1971c2"), round("#868e96")],
            [1.0, 5.0, 3.3]
        );
        assert_eq!(round("no colour"), 1.0);
    }

    #[test]
    fn every_label_can_be_read_in_both_themes() {
        for color in Color::ALL {
            for fill in Fill::ALL {
                let ground = color.ground(fill);
                let ink = color.label(fill);
                assert!(
                    ground.contrast(&ink) >= READABLE,
                    "{color:?} {fill:?} {ink}: {}",
                    ground.contrast(&ink)
                );
            }
            let paper = Ground::of(color.paper());
            assert!(
                paper.contrast(color.ink_on_paper()) >= READABLE,
                "{color:?}"
            );
        }
    }

    #[test]
    fn a_shade_keeps_its_colour_and_black_and_white_are_the_last_resort() {
        assert_eq!(Ground::default().ink("#69db7c"), "#447d4d");
        assert_eq!(Color::Blue.ground(Fill::Solid).ink("#1971c2"), "#ffffff");
        assert_eq!(Ground::default().ink("#ffffff"), "#1e1e1e");
    }
}
