//! The words for kinds, directions, lines and forms: one table each, read both ways.

use glade_layout::{Direction, Kind, Routing};

use super::Form;
use crate::geo::GeoKind;

pub const KINDS: [(&str, Kind); 9] = [
    ("flow", Kind::Layered),
    ("tree", Kind::Tree),
    ("mind-map", Kind::MindMap),
    ("radial", Kind::Radial),
    ("sequence", Kind::Sequence),
    ("timeline", Kind::Timeline),
    ("grid", Kind::Grid),
    ("board", Kind::Board),
    ("lanes", Kind::Lanes),
];

pub const DIRECTIONS: [(&str, Direction); 4] = [
    ("down", Direction::Down),
    ("up", Direction::Up),
    ("right", Direction::Right),
    ("left", Direction::Left),
];

pub const LINES: [(&str, Routing); 3] = [
    ("straight", Routing::Straight),
    ("curved", Routing::Curved),
    ("elbow", Routing::Elbow),
];

/// Forms that are no shape.
pub const FORMS: [(&str, Form); 2] = [("note", Form::Note), ("text", Form::Words)];

fn find<T: Copy>(table: &[(&str, T)], name: &str) -> Option<T> {
    let found = table.iter().find(|(known, _)| *known == name);
    found.map(|(_, value)| *value)
}

fn name<T: PartialEq>(table: &[(&'static str, T)], value: &T) -> &'static str {
    let found = table.iter().find(|(_, known)| known == value);
    found.map_or(table[0].0, |(name, _)| name)
}

pub fn kind_named(name: &str) -> Option<Kind> {
    find(&KINDS, name)
}

pub fn name_of_kind(kind: Kind) -> &'static str {
    name(&KINDS, &kind)
}

pub fn direction_named(name: &str) -> Option<Direction> {
    find(&DIRECTIONS, name)
}

pub fn name_of_direction(direction: Direction) -> &'static str {
    name(&DIRECTIONS, &direction)
}

pub fn line_named(name: &str) -> Option<Routing> {
    find(&LINES, name)
}

pub fn name_of_line(lines: Routing) -> &'static str {
    name(&LINES, &lines)
}

pub fn form_named(name: &str) -> Option<Form> {
    find(&FORMS, name).or_else(|| GeoKind::from_name(name).map(Form::Shape))
}
