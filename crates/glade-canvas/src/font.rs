//! The fonts that are shipped: decoded once, shaped with kerning, widths in em.

use std::sync::OnceLock;

use rustybuzz::ttf_parser::GlyphId;
use rustybuzz::{Direction, Face, Script, ShapePlan, UnicodeBuffer, script, shape_with_plan};

/// Excalifont as the editor ships it: one file a script, the editor's order.
const EXCALIFONT: [(&[u8], Script); 7] = [
    (
        include_bytes!("../fonts/excalifont/latin.woff2"),
        script::LATIN,
    ),
    (
        include_bytes!("../fonts/excalifont/latin-ext.woff2"),
        script::LATIN,
    ),
    (
        include_bytes!("../fonts/excalifont/cyrillic.woff2"),
        script::CYRILLIC,
    ),
    (
        include_bytes!("../fonts/excalifont/greek.woff2"),
        script::GREEK,
    ),
    (
        include_bytes!("../fonts/excalifont/diacritics.woff2"),
        script::LATIN,
    ),
    (
        include_bytes!("../fonts/excalifont/cyrillic-ext.woff2"),
        script::CYRILLIC,
    ),
    (
        include_bytes!("../fonts/excalifont/combining.woff2"),
        script::LATIN,
    ),
];

struct Subset {
    face: Face<'static>,
    plan: ShapePlan,
    script: Script,
    units_per_em: f64,
}

/// The decoded font files; kept apart from the faces, which borrow from them.
fn files() -> &'static [Vec<u8>] {
    static FILES: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    FILES.get_or_init(|| {
        let decode = |(data, _): &(&[u8], Script)| wuff::decompress_woff2(data).unwrap_or_default();
        EXCALIFONT.iter().map(decode).collect()
    })
}

fn subsets() -> &'static [Subset] {
    static SUBSETS: OnceLock<Vec<Subset>> = OnceLock::new();
    SUBSETS.get_or_init(|| {
        let load = |(data, (_, script)): (&'static Vec<u8>, &(&[u8], Script))| {
            let face = Face::from_slice(data, 0)?;
            let plan = ShapePlan::new(&face, Direction::LeftToRight, Some(*script), None, &[]);
            let units_per_em = f64::from(face.units_per_em());
            Some(Subset {
                face,
                plan,
                script: *script,
                units_per_em,
            })
        };
        files().iter().zip(&EXCALIFONT).filter_map(load).collect()
    })
}

/// The width of one line of text in em, kerning included.
pub(crate) fn line_width_em(line: &str) -> f64 {
    let mut width = 0.0;
    let mut run = String::new();
    let mut run_subset: Option<usize> = None;
    for character in line.chars() {
        let subset = subset_of(character);
        if subset != run_subset {
            width += run_width_em(run_subset, &run);
            run.clear();
            run_subset = subset;
        }
        match subset {
            Some(_) => run.push(character),
            None => width += fallback_width_em(character),
        }
    }
    width + run_width_em(run_subset, &run)
}

fn subset_of(character: char) -> Option<usize> {
    let has_glyph = |subset: &Subset| {
        subset
            .face
            .glyph_index(character)
            .is_some_and(|glyph| glyph != GlyphId(0))
    };
    subsets().iter().position(has_glyph)
}

fn run_width_em(subset: Option<usize>, run: &str) -> f64 {
    let Some(subset) = subset.and_then(|at| subsets().get(at)) else {
        return 0.0;
    };
    if run.is_empty() {
        return 0.0;
    }
    let mut buffer = UnicodeBuffer::new();
    buffer.push_str(run);
    buffer.set_direction(Direction::LeftToRight);
    buffer.set_script(subset.script);
    let shaped = shape_with_plan(&subset.face, &subset.plan, buffer);
    let units: i32 = shaped
        .glyph_positions()
        .iter()
        .map(|position| position.x_advance)
        .sum();
    f64::from(units) / subset.units_per_em
}

/// What a character without a glyph here takes up, near what a browser's fallback fonts take: it decides how
/// much room is kept, not how it looks.
fn fallback_width_em(character: char) -> f64 {
    match u32::from(character) {
        // Control, joiners, variation selectors, combining marks.
        0..=0x1f
        | 0x7f..=0x9f
        | 0x200b..=0x200f
        | 0x2060
        | 0xfe00..=0xfe0f
        | 0xfeff
        | 0x300..=0x36f => 0.0,
        0x1f3fb..=0x1f3ff | 0xe0000..=0xe01ef => 0.0,
        // The ideographic and full-width blocks: one em square.
        0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xfe30..=0xfe6f => {
            1.0
        }
        0xff00..=0xff60 | 0xffe0..=0xffe6 | 0x20000..=0x3fffd => 1.0,
        // Emoji and pictographs.
        0x2600..=0x27bf | 0x1f000..=0x1faff => 1.25,
        _ => 0.6,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_file_decodes_and_holds_the_script_it_is_for() {
        assert_eq!(subsets().len(), EXCALIFONT.len());
        let samples = ['a', 'ł', 'ж', 'λ', '˘', 'ѣ', '\u{301}'];
        assert_eq!(samples.map(subset_of), [0, 1, 2, 3, 4, 5, 6].map(Some));
    }

    #[test]
    fn characters_without_a_glyph_still_take_room() {
        assert_eq!(line_width_em("漢字"), 2.0);
        assert_eq!(line_width_em("\u{200d}"), 0.0);
    }
}
