//! `docs/shapes.md` says what the code does.

use glade_canvas::factory::{self, Style};
use glade_canvas::full::{FullShape, full};
use glade_canvas::palette::read_paint;
use glade_canvas::{Color, Element, Fill, GeoKind, Rect};

use crate::support::{id, scene};

const PAGE: &str = include_str!("../../../../docs/shapes.md");

/// The cells of the table under this heading, head and rule left out, code marks stripped.
fn table(heading: &str) -> Vec<Vec<String>> {
    let section = PAGE.split("\n## ").find(|part| part.starts_with(heading));
    let rows = section.expect("the section is there").lines();
    let rows = rows.filter(|line| line.starts_with('|')).skip(2);
    let cells = |line: &str| {
        let cells = line.trim_matches('|').split('|');
        cells.map(|cell| cell.trim().replace('`', "")).collect()
    };
    rows.map(cells).collect()
}

const FILLS: [(&str, Fill); 5] = [
    ("none", Fill::None),
    ("tint", Fill::Tint),
    ("background", Fill::Background),
    ("solid", Fill::Solid),
    ("pattern", Fill::Pattern),
];

#[test]
fn the_page_lists_the_colours_as_they_are_painted() {
    let expected: Vec<Vec<String>> = Color::ALL
        .iter()
        .map(|color| {
            let paint = |fill| color.paint(fill).background_color.to_owned();
            vec![
                color.name().to_owned(),
                color.stroke().to_owned(),
                paint(Fill::Tint),
                paint(Fill::Solid),
                paint(Fill::Pattern),
                color.paper().to_owned(),
            ]
        })
        .collect();
    assert_eq!(table("Colours"), expected);
}

#[test]
fn the_page_lists_the_fills_as_they_are_painted() {
    let expected: Vec<Vec<String>> = FILLS
        .iter()
        .map(|(name, fill)| {
            let paint = Color::Red.paint(*fill);
            let background = match paint.background_color {
                "#ffc9c9" => "the colour's tint",
                "#e03131" => "the colour's solid",
                "#ffa8a8" => "the colour's hatch",
                other => other,
            };
            [*name, background, paint.fill_style]
                .map(str::to_owned)
                .to_vec()
        })
        .collect();
    assert_eq!(table("Fills"), expected);
}

#[test]
fn the_page_lists_all_kinds_by_how_they_are_drawn() {
    let rows = table("Kinds");
    let words = |at: usize| -> Vec<String> { rows[at][0].split(", ").map(str::to_owned).collect() };
    let kinds = |native: bool| -> Vec<String> {
        let mut kinds: Vec<String> = GeoKind::ALL
            .iter()
            .filter(|kind| kind.native().is_some() == native)
            .map(|kind| kind.name().to_owned())
            .collect();
        kinds.sort();
        kinds
    };
    let sorted = |mut words: Vec<String>| {
        words.sort();
        words
    };
    assert_eq!(sorted(words(0)), kinds(true));
    assert_eq!(sorted(words(1)), kinds(false));
}

#[test]
fn every_kind_colour_and_fill_reads_back_as_written() {
    for (kind, color) in GeoKind::ALL
        .iter()
        .flat_map(|kind| Color::ALL.map(|color| (*kind, color)))
    {
        for (name, fill) in FILLS {
            let style = Style::new(color, fill);
            let rect = Rect::new(1.0, 2.0, 30.0, 40.0);
            let shape = Element::new("s", factory::geo(kind, rect, style, 1, "a0"));
            let read = read_paint(
                shape.stroke_color(),
                shape.background_color(),
                shape.fill_style(),
            );
            assert_eq!(read, (color, fill), "{kind:?} {color:?} {name}");
            let seen = full(&scene([shape]), &[id("s")]);
            let FullShape::Geo(seen) = &seen[0] else {
                panic!("{seen:?}")
            };
            assert_eq!((seen.kind, seen.color, seen.fill), (kind, color, fill));
        }
    }
    for color in Color::ALL {
        let note = Element::new("n", factory::sticky_note(Rect::default(), color, 1, "a0"));
        let FullShape::Note(note) = &full(&scene([note]), &[id("n")])[0] else {
            panic!("a note")
        };
        assert_eq!(
            Color::from_paper(note.color.paper()),
            Color::from_paper(color.paper())
        );
    }
}
