//! The machine's own fonts, for the scripts and signs that no shipped font has, and for Arial's like.
//!
//! A browser does the same: what it finds depends on the machine, and so does what is found here. They are looked at
//! only when a character comes up that is in no shipped font, or an emoji: those have a font of their own, which is the
//! last to be asked for anything else.
//!
//! **Bounded**: a font is read once to learn which characters it has, and once more if it has one that is wanted; no
//! more than [`MAX_FACES`] of them, none larger than [`MAX_BYTES`], no more than [`MAX_READ`] together.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{OnceLock, PoisonError, RwLock};

use fontdb::{Database, FaceInfo, Style, Weight};
use rustybuzz::ttf_parser;

use super::file::{FontFile, Source, kept};

/// A font that is larger is not read.
const MAX_BYTES: usize = 64 << 20;
/// A font of emoji holds a picture for each: Apple's is the largest.
const MAX_EMOJI_BYTES: usize = 256 << 20;
const MAX_READ: u64 = 512 << 20;
const MAX_FACES: usize = 400;
/// Answers that are remembered.
const MAX_ANSWERS: usize = 65_536;

/// Fonts that browsers take for Arial, Helvetica and `sans-serif`: all as wide as Arial.
const ARIALS: [&str; 4] = ["Arial", "Liberation Sans", "Arimo", "Helvetica"];
/// Then the widest cover and the plainest look.
const WIDE: [&str; 2] = ["DejaVu Sans", "Noto Sans"];
const MONOSPACE: [&str; 3] = ["DejaVu Sans Mono", "Liberation Mono", "Noto Sans Mono"];

/// Fonts of emoji, in the order in which Linux asks for them.
const EMOJI: [&str; 9] = [
    "Noto Color Emoji",
    "Apple Color Emoji",
    "Segoe UI Emoji",
    "Twitter Color Emoji",
    "Twemoji",
    "EmojiOne Mozilla",
    "JoyPixels",
    "Emoji One",
    "Noto Emoji",
];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Generic {
    SansSerif,
    Monospace,
}

/// A font of the machine's that has this character.
pub(super) fn file_of(character: char, generic: Generic) -> Option<&'static FontFile> {
    let fonts = system_fonts();
    let known = fonts
        .answers
        .read()
        .unwrap_or_else(PoisonError::into_inner)
        .get(&(character, generic))
        .copied();
    if let Some(known) = known {
        return known;
    }
    let mut faces = fonts.order(generic).iter().map(|at| &fonts.faces[*at]);
    let shown = |face: &Face| fonts.shown(face, character);
    // The family that was asked for puts letters together from their marks; those behind it have them or not.
    let first = faces.next().and_then(|face| {
        let composed = || fonts.file(face).filter(|file| file.composes(character));
        shown(face).or_else(composed)
    });
    let found = first.or_else(|| faces.find_map(shown));
    let mut answers = fonts
        .answers
        .write()
        .unwrap_or_else(PoisonError::into_inner);
    if answers.len() < MAX_ANSWERS {
        answers.insert((character, generic), found);
    }
    found
}

/// The font that stands for a kind of fonts, if it has this character itself.
pub(super) fn named(character: char, generic: Generic) -> Option<&'static FontFile> {
    let fonts = system_fonts();
    let first = fonts.order(generic).first()?;
    fonts.shown(&fonts.faces[*first], character)
}

/// What the machine has for Arial.
pub(super) fn arial() -> Option<&'static FontFile> {
    static ARIAL: OnceLock<Option<&'static FontFile>> = OnceLock::new();
    *ARIAL.get_or_init(|| {
        let fonts = system_fonts();
        let mut faces = fonts.sans.iter().map(|at| &fonts.faces[*at]);
        let face = faces.find(|face| ARIALS.contains(&face.family.as_str()))?;
        fonts.file(face)
    })
}

/// The machine's font of emoji.
pub(super) fn emoji() -> Option<&'static FontFile> {
    static EMOJI: OnceLock<Option<&'static FontFile>> = OnceLock::new();
    *EMOJI.get_or_init(|| {
        let fonts = system_fonts();
        let rank = |face: &&Face| face.emoji_rank();
        let faces = fonts.faces.iter().filter(|face| rank(face).is_some());
        fonts.file(faces.min_by_key(rank)?)
    })
}

struct SystemFonts {
    database: Database,
    faces: Vec<Face>,
    /// Places among the faces, the preferred first.
    sans: Vec<usize>,
    monospace: Vec<usize>,
    /// Bytes so far.
    read: AtomicU64,
    answers: RwLock<HashMap<(char, Generic), Option<&'static FontFile>>>,
}

struct Face {
    id: fontdb::ID,
    family: String,
    /// The first and the last of each stretch of characters.
    covered: OnceLock<Vec<(u32, u32)>>,
    file: OnceLock<Option<&'static FontFile>>,
}

impl Face {
    /// Among fonts of emoji; none for another.
    fn emoji_rank(&self) -> Option<usize> {
        EMOJI.iter().position(|one| *one == self.family)
    }
}

fn system_fonts() -> &'static SystemFonts {
    static FONTS: OnceLock<SystemFonts> = OnceLock::new();
    FONTS.get_or_init(|| {
        let mut database = Database::new();
        database.load_system_fonts();
        SystemFonts::new(database)
    })
}

impl SystemFonts {
    fn new(database: Database) -> Self {
        let name = |face: &FaceInfo| {
            face.families
                .first()
                .map_or(String::new(), |(name, _)| name.clone())
        };
        let is_plain =
            |face: &&FaceInfo| face.style == Style::Normal && face.weight == Weight::NORMAL;
        let mut infos: Vec<&FaceInfo> = database.faces().filter(is_plain).collect();
        // By name: the same order in every run. Condensed cuts come after their family's ordinary one.
        infos.sort_by_cached_key(|face| {
            let is_stretched = face.stretch != fontdb::Stretch::Normal;
            (
                name(face),
                is_stretched,
                face.post_script_name.clone(),
                face.index,
            )
        });
        let faces: Vec<Face> = infos
            .into_iter()
            .map(|face| Face {
                id: face.id,
                family: name(face),
                covered: OnceLock::new(),
                file: OnceLock::new(),
            })
            .collect();
        let order = |preferred: &[&str]| {
            let rank = |at: &usize| {
                let place = preferred.iter().position(|one| *one == faces[*at].family);
                let is_emoji = faces[*at].emoji_rank().is_some();
                (is_emoji, place.unwrap_or(preferred.len()), *at)
            };
            let mut order: Vec<usize> = (0..faces.len()).collect();
            order.sort_by_key(rank);
            order.truncate(MAX_FACES);
            order
        };
        let sans = order(&[&ARIALS[..], &WIDE].concat());
        let monospace = order(&[&MONOSPACE[..], &WIDE, &ARIALS].concat());
        Self {
            database,
            sans,
            monospace,
            faces,
            read: AtomicU64::new(0),
            answers: RwLock::default(),
        }
    }

    fn order(&self, generic: Generic) -> &[usize] {
        match generic {
            Generic::SansSerif => &self.sans,
            Generic::Monospace => &self.monospace,
        }
    }

    fn shown(&self, face: &Face, character: char) -> Option<&'static FontFile> {
        if self.covers(face, character) {
            self.file(face).filter(|file| file.shows(character))
        } else {
            None
        }
    }

    /// Hands a face's bytes over, if reading them is not too much.
    fn with_data<T>(&self, face: &Face, work: impl FnOnce(&[u8], u32) -> Option<T>) -> Option<T> {
        let most = match face.emoji_rank() {
            Some(_) => MAX_EMOJI_BYTES,
            None => MAX_BYTES,
        };
        if self.read.load(Ordering::Relaxed) >= MAX_READ || self.size(face)? > most as u64 {
            return None;
        }
        self.database.with_face_data(face.id, |data, index| {
            self.read.fetch_add(data.len() as u64, Ordering::Relaxed);
            work(data, index)
        })?
    }

    /// Of the face's file, before it is read.
    fn size(&self, face: &Face) -> Option<u64> {
        match self.database.face_source(face.id)?.0 {
            fontdb::Source::Binary(data) => Some(data.as_ref().as_ref().len() as u64),
            fontdb::Source::File(path) => Some(std::fs::metadata(path).ok()?.len()),
        }
    }

    fn covers(&self, face: &Face, character: char) -> bool {
        let covered = face.covered.get_or_init(|| {
            let read = self.with_data(face, |data, index| {
                Some(stretches(&ttf_parser::Face::parse(data, index).ok()?))
            });
            read.unwrap_or_default()
        });
        let code = u32::from(character);
        let after = covered.partition_point(|(first, _)| *first <= code);
        let before = after.checked_sub(1).and_then(|at| covered.get(at));
        before.is_some_and(|(_, last)| code <= *last)
    }

    fn file(&self, face: &Face) -> Option<&'static FontFile> {
        *face.file.get_or_init(|| {
            let bytes = self.with_data(face, |data, index| {
                Some(Source::System(kept(data.to_vec()), index))
            });
            let file: &'static FontFile = Box::leak(Box::new(FontFile::new(bytes?)));
            Some(file)
        })
    }
}

/// Which characters a font has.
fn stretches(face: &ttf_parser::Face) -> Vec<(u32, u32)> {
    let mut codes = Vec::new();
    for table in face
        .tables()
        .cmap
        .into_iter()
        .flat_map(|cmap| cmap.subtables)
    {
        if table.is_unicode() {
            table.codepoints(|code| codes.push(code));
        }
    }
    codes.sort_unstable();
    let mut stretches: Vec<(u32, u32)> = Vec::new();
    for code in codes {
        match stretches.last_mut() {
            Some((_, last)) if code <= last.saturating_add(1) => *last = code,
            _ => stretches.push((code, code)),
        }
    }
    stretches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_without_fonts_has_no_characters() {
        let fonts = SystemFonts::new(Database::new());
        assert!(fonts.faces.is_empty() && fonts.sans.is_empty() && fonts.monospace.is_empty());
    }

    #[test]
    fn the_same_character_is_always_found_in_the_same_font() {
        for character in ['\u{5e9}', '\u{2713}', '\u{4f60}', '\u{1f600}', '\u{e000}'] {
            let again = || file_of(character, Generic::SansSerif).map(std::ptr::from_ref);
            assert_eq!(again(), again());
        }
    }
}
