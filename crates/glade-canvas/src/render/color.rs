//! Colours as the editor stores them (what CSS takes), and what its dark theme makes of them.

/// A colour; the alpha from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rgba {
    pub r: u8,
    pub g: u8,
    pub b: u8,
    pub a: f64,
}

impl Rgba {
    pub(crate) const BLACK: Rgba = Rgba::new(0, 0, 0, 1.0);
    pub(crate) const WHITE: Rgba = Rgba::new(255, 255, 255, 1.0);
    const TRANSPARENT: Rgba = Rgba::new(0, 0, 0, 0.0);

    pub(crate) const fn new(r: u8, g: u8, b: u8, a: f64) -> Self {
        Self { r, g, b, a }
    }

    /// What a canvas draws for this text; something that is no colour draws black.
    pub(crate) fn parse(text: &str) -> Rgba {
        Self::try_parse(text).unwrap_or(Self::BLACK)
    }

    pub(crate) fn try_parse(text: &str) -> Option<Rgba> {
        let text = text.trim();
        if text.is_empty() {
            return Some(Self::TRANSPARENT);
        }
        // Digits without their sign are a colour to the library, and none to a browser.
        if text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let color = csscolorparser::parse(text).ok()?;
        let [r, g, b, _] = color.to_rgba8();
        Some(Rgba::new(r, g, b, f64::from(color.a)))
    }

    pub(crate) fn is_transparent(self) -> bool {
        self.a <= 0.0
    }

    /// The colour in the dark theme: `invert(93%) hue-rotate(180deg)`, rounded where the editor rounds.
    pub(crate) fn dark(self) -> Rgba {
        let invert = |value: u8| {
            let value = f64::from(value);
            (value * (1.0 - 0.93) + (255.0 - value) * 0.93 + 0.5).floor() / 255.0
        };
        let (r, g, b) = (invert(self.r), invert(self.g), invert(self.b));
        let (s, c) = std::f64::consts::PI.sin_cos();
        let byte = |value: f64| to_byte(value.clamp(0.0, 1.0) * 255.0);
        Rgba {
            r: byte(
                r * (0.213 + c * 0.787 - s * 0.213)
                    + g * (0.715 - c * 0.715 - s * 0.715)
                    + b * (0.072 - c * 0.072 + s * 0.928),
            ),
            g: byte(
                r * (0.213 - c * 0.213 + s * 0.143)
                    + g * (0.715 + c * 0.285 + s * 0.14)
                    + b * (0.072 - c * 0.072 - s * 0.283),
            ),
            b: byte(
                r * (0.213 - c * 0.213 - s * 0.787)
                    + g * (0.715 - c * 0.715 + s * 0.715)
                    + b * (0.072 + c * 0.928 + s * 0.072),
            ),
            a: self.a,
        }
    }
}

/// As JavaScript rounds.
fn to_byte(value: f64) -> u8 {
    // In range by the clamp; a NaN becomes 0.
    (value + 0.5).floor().clamp(0.0, 255.0) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_write_a_colour_is_read() {
        let red = Some(Rgba::new(255, 0, 0, 1.0));
        for text in [
            "#f00",
            "#FF0000",
            "red",
            "rgb(255, 0, 0)",
            "rgb(100% 0% 0%)",
            "hsl(0, 100%, 50%)",
            "hsl(0deg 100% 50% / 1)",
            "hwb(0 0% 0%)",
        ] {
            assert_eq!(Rgba::try_parse(text), red, "{text}");
        }
        assert_eq!(
            Rgba::try_parse("#ff000080"),
            Some(Rgba::new(255, 0, 0, f64::from(128.0_f32 / 255.0)))
        );
        assert_eq!(
            Rgba::try_parse("rgba(0,0,0,.5)"),
            Some(Rgba::new(0, 0, 0, 0.5))
        );
        assert_eq!(
            ["", "transparent", "Transparent"].map(Rgba::try_parse),
            [Some(Rgba::TRANSPARENT); 3]
        );
        assert_eq!(["#f00f", "#FF0000ff"].map(Rgba::try_parse), [red; 2]);
        assert_eq!(
            [
                "#ff",
                "nonsense",
                "rgb(1)",
                "rgb(NaN,0,0)",
                "#ff00gg",
                "#fffffffff",
                "#ŕ00",
                "ff0000",
                "rgb(1, 2, 3",
                "url(#red)",
            ]
            .map(Rgba::try_parse),
            [None; 10]
        );
    }

    #[test]
    fn the_dark_theme_is_the_editors() {
        // What the editor's own function answers.
        let pairs = [
            ("#1e1e1e", "#d3d3d3"),
            ("#ffffff", "#121212"),
            ("#e03131", "#ff8383"),
            ("#a5d8ff", "#154162"),
        ];
        for (light, dark) in pairs {
            assert_eq!(Rgba::parse(light).dark(), Rgba::parse(dark));
        }
    }
}
