//! Colours as the editor stores them (what CSS takes), and what its dark theme makes of them.

/// A colour; the alpha from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rgba {
    pub r: u8,
    pub g: u8,
    pub b: u8,
    pub a: f64,
}

/// CSS's names and what they stand for.
const NAMES: &str = "\
    aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc \
    bisque ffe4c4 black 000000 blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a \
    burlywood deb887 burntsienna ea7e5d cadetblue 5f9ea0 chartreuse 7fff00 chocolate d2691e \
    coral ff7f50 cornflowerblue 6495ed cornsilk fff8dc crimson dc143c cyan 00ffff darkblue 00008b \
    darkcyan 008b8b darkgoldenrod b8860b darkgray a9a9a9 darkgreen 006400 darkgrey a9a9a9 \
    darkkhaki bdb76b darkmagenta 8b008b darkolivegreen 556b2f darkorange ff8c00 darkorchid 9932cc \
    darkred 8b0000 darksalmon e9967a darkseagreen 8fbc8f darkslateblue 483d8b darkslategray 2f4f4f \
    darkslategrey 2f4f4f darkturquoise 00ced1 darkviolet 9400d3 deeppink ff1493 deepskyblue 00bfff \
    dimgray 696969 dimgrey 696969 dodgerblue 1e90ff firebrick b22222 floralwhite fffaf0 \
    forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc ghostwhite f8f8ff gold ffd700 \
    goldenrod daa520 gray 808080 green 008000 greenyellow adff2f grey 808080 honeydew f0fff0 \
    hotpink ff69b4 indianred cd5c5c indigo 4b0082 ivory fffff0 khaki f0e68c lavender e6e6fa \
    lavenderblush fff0f5 lawngreen 7cfc00 lemonchiffon fffacd lightblue add8e6 lightcoral f08080 \
    lightcyan e0ffff lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90 \
    lightgrey d3d3d3 lightpink ffb6c1 lightsalmon ffa07a lightseagreen 20b2aa lightskyblue 87cefa \
    lightslategray 778899 lightslategrey 778899 lightsteelblue b0c4de lightyellow ffffe0 \
    lime 00ff00 limegreen 32cd32 linen faf0e6 magenta ff00ff maroon 800000 mediumaquamarine 66cdaa \
    mediumblue 0000cd mediumorchid ba55d3 mediumpurple 9370db mediumseagreen 3cb371 \
    mediumslateblue 7b68ee mediumspringgreen 00fa9a mediumturquoise 48d1cc mediumvioletred c71585 \
    midnightblue 191970 mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead \
    navy 000080 oldlace fdf5e6 olive 808000 olivedrab 6b8e23 orange ffa500 orangered ff4500 \
    orchid da70d6 palegoldenrod eee8aa palegreen 98fb98 paleturquoise afeeee palevioletred db7093 \
    papayawhip ffefd5 peachpuff ffdab9 peru cd853f pink ffc0cb plum dda0dd powderblue b0e0e6 \
    purple 800080 rebeccapurple 663399 red ff0000 rosybrown bc8f8f royalblue 4169e1 \
    saddlebrown 8b4513 salmon fa8072 sandybrown f4a460 seagreen 2e8b57 seashell fff5ee \
    sienna a0522d silver c0c0c0 skyblue 87ceeb slateblue 6a5acd slategray 708090 slategrey 708090 \
    snow fffafa springgreen 00ff7f steelblue 4682b4 tan d2b48c teal 008080 thistle d8bfd8 \
    tomato ff6347 turquoise 40e0d0 violet ee82ee wheat f5deb3 white ffffff whitesmoke f5f5f5 \
    yellow ffff00 yellowgreen 9acd32";

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
        if let Some(hex) = text.strip_prefix('#') {
            return hexadecimal(hex);
        }
        if text.is_empty() || text.eq_ignore_ascii_case("transparent") {
            return Some(Self::TRANSPARENT);
        }
        let text = text.to_ascii_lowercase();
        if let Some(arguments) = text.strip_suffix(')') {
            let (name, arguments) = arguments.split_once('(')?;
            return function(name.trim(), arguments);
        }
        let mut words = NAMES.split_ascii_whitespace();
        while let (Some(name), Some(hex)) = (words.next(), words.next()) {
            if name == text {
                return hexadecimal(hex);
            }
        }
        None
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

fn hexadecimal(hex: &str) -> Option<Rgba> {
    let mut digits = [0; 8];
    let count = hex.len();
    for (place, letter) in digits.get_mut(..count)?.iter_mut().zip(hex.bytes()) {
        *place = u8::try_from(char::from(letter).to_digit(16)?).ok()?;
    }
    let [r, g, b, a] = match count {
        3 | 4 => [0, 1, 2, 3].map(|at: usize| digits[at] * 17),
        6 | 8 => [0, 2, 4, 6].map(|at: usize| digits[at] * 16 + digits[at + 1]),
        _ => return None,
    };
    let alpha = match count {
        4 | 8 => f64::from(a) / 255.0,
        _ => 1.0,
    };
    Some(Rgba::new(r, g, b, alpha))
}

fn function(name: &str, arguments: &str) -> Option<Rgba> {
    let parts: Vec<&str> = arguments
        .split(|character: char| character == ',' || character == '/' || character.is_whitespace())
        .filter(|part| !part.is_empty())
        .collect();
    // A number, or a share of `whole`.
    let number = |at: usize, whole: f64| {
        let part = parts.get(at)?;
        let value: f64 = match part.strip_suffix('%') {
            Some(share) => share.parse::<f64>().ok()? / 100.0 * whole,
            None => part.trim_end_matches("deg").parse().ok()?,
        };
        value.is_finite().then_some(value)
    };
    let alpha = if parts.len() > 3 {
        number(3, 1.0)?
    } else {
        1.0
    }
    .clamp(0.0, 1.0);
    match name {
        "rgb" | "rgba" => Some(Rgba::new(
            to_byte(number(0, 255.0)?),
            to_byte(number(1, 255.0)?),
            to_byte(number(2, 255.0)?),
            alpha,
        )),
        "hsl" | "hsla" => {
            let (hue, saturation, lightness) =
                (number(0, 360.0)?, number(1, 1.0)?, number(2, 1.0)?);
            let (saturation, lightness) = (saturation.clamp(0.0, 1.0), lightness.clamp(0.0, 1.0));
            let channel = |shift: f64| {
                let turn = (shift + hue / 30.0).rem_euclid(12.0);
                let reach = saturation * lightness.min(1.0 - lightness);
                let value = lightness - reach * (turn - 3.0).min(9.0 - turn).clamp(-1.0, 1.0);
                to_byte(value * 255.0)
            };
            Some(Rgba::new(channel(0.0), channel(8.0), channel(4.0), alpha))
        }
        _ => None,
    }
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
        ] {
            assert_eq!(Rgba::try_parse(text), red, "{text}");
        }
        assert_eq!(
            Rgba::try_parse("#ff000080"),
            Some(Rgba::new(255, 0, 0, 128.0 / 255.0))
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
                "#ŕ00"
            ]
            .map(Rgba::try_parse),
            [None; 7]
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
