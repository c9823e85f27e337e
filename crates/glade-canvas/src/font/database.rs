//! The shipped fonts where libraries look for fonts: by the names that pages call them.

use std::sync::{Arc, LazyLock};

use fontdb::{Database, FaceInfo, ID, Language, Source, Stretch, Style, Weight};

use super::file::FontFile;
use super::shipped;

/// What stands in for a family that is not among them, and for those that only a kind is said of.
pub(crate) const PLAIN: &str = "Nunito";
const HANDWRITTEN: &str = "Excalifont";
const MONOSPACE: &str = "Cascadia";
const FANCY: &str = "Lilita One";

/// Decoded when first asked for, and kept.
pub(crate) fn database() -> Arc<Database> {
    static DATABASE: LazyLock<Arc<Database>> = LazyLock::new(|| {
        let mut database = Database::new();
        for (family, files) in shipped::ALL {
            let faces = files.iter().filter_map(|file| face(family, file));
            for face in faces {
                database.push_face_info(face);
            }
        }
        database.set_serif_family(PLAIN);
        database.set_sans_serif_family(PLAIN);
        database.set_cursive_family(HANDWRITTEN);
        database.set_monospace_family(MONOSPACE);
        database.set_fantasy_family(FANCY);
        Arc::new(database)
    });
    DATABASE.clone()
}

/// By our name for it: the file's own name may be that of a part.
fn face(family: &str, file: &FontFile) -> Option<FaceInfo> {
    Some(FaceInfo {
        id: ID::dummy(),
        source: Source::Binary(Arc::new(file.bytes()?)),
        index: 0,
        families: vec![(family.to_owned(), Language::English_UnitedStates)],
        post_script_name: family.to_owned(),
        style: Style::Normal,
        weight: Weight::NORMAL,
        stretch: Stretch::Normal,
        monospaced: family == MONOSPACE,
    })
}

#[cfg(test)]
mod tests {
    use fontdb::{Family, Query};
    use rustybuzz::ttf_parser::Face;

    use super::*;

    #[test]
    fn every_family_and_every_kind_is_found() {
        let database = database();
        let named = shipped::ALL.map(|(name, _)| Family::Name(name));
        let kinds = [
            Family::Serif,
            Family::SansSerif,
            Family::Cursive,
            Family::Fantasy,
            Family::Monospace,
        ];
        for family in named.into_iter().chain(kinds) {
            let query = Query {
                families: &[family],
                ..Query::default()
            };
            let found = database.query(&query);
            let has_letters = |data: &[u8], index: u32| {
                let face = Face::parse(data, index).unwrap();
                face.glyph_index('a').is_some()
            };
            let found = found.and_then(|id| database.with_face_data(id, has_letters));
            assert_eq!(found, Some(true), "{family:?}");
        }
    }
}
