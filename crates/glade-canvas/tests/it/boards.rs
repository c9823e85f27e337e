//! Whole boards, as people drew them: everything is done with each that is ever done with a file, and nothing of it
//! gets lost on the way through a document.
//!
//! The boards of `tests/corpus` run always. `GLADE_BOARDS=FOLDER` runs a folder of your own, and says of each file how
//! much of it we would place elsewhere than its editor did, and what the lints say.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

use glade_canvas::file::{self, FileError, Loaded, from_any, from_library};
use glade_canvas::render::{Options, to_svg};
use glade_canvas::{Scene, derive, lint};
use glade_doc::schema::NOT_STORED;
use glade_doc::{ElementId, PageDoc, same_value};
use serde_json::{Value, json};

fn boards(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder of boards");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn load(bytes: &[u8]) -> Result<Loaded, FileError> {
    match from_any(bytes) {
        Err(FileError::Library) => from_library(bytes).map(file::Library::laid_out),
        loaded => loaded,
    }
}

/// What the page holds after the file went through a document.
fn through_a_document(loaded: &Loaded) -> Scene {
    let doc = PageDoc::new();
    doc.commit(7, None, &loaded.edits())
        .expect("what is read fits the document");
    Scene::from_doc(&doc)
}

/// The properties of the file's own elements that came back other than they were, what we said of set aside.
fn lost(bytes: &[u8], loaded: &Loaded, written: &Value) -> Vec<String> {
    let before: Value = serde_json::from_slice(bytes).unwrap_or_default();
    let said: Vec<String> = loaded.notes.iter().map(ToString::to_string).collect();
    let after = |id: &str| {
        let elements = written["elements"].as_array()?;
        elements.iter().find(|element| element["id"] == id)
    };
    let mut lost = Vec::new();
    for element in before["elements"].as_array().unwrap_or(&Vec::new()) {
        let id = element["id"].as_str().unwrap_or("");
        let told = said.iter().any(|note| note.contains(&format!("{id:?}")));
        let Some(after) = after(id).filter(|_| !told) else {
            continue;
        };
        for (key, value) in element.as_object().unwrap() {
            let made_anew = NOT_STORED.contains(&key.as_str()) || key == "index";
            if !made_anew && !same_value(value, &after[key]) {
                lost.push(format!("{id}.{key}: {value} became {}", after[key]));
            }
        }
    }
    lost
}

#[test]
fn boards_go_through_a_document_and_lose_nothing() {
    let own = std::env::var("GLADE_BOARDS").ok();
    let folder = own.clone().map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus"),
        PathBuf::from,
    );
    let mut wrong = Vec::new();
    for path in boards(&folder) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let bytes = std::fs::read(&path).unwrap();
        let started = Instant::now();
        let loaded = match load(&bytes) {
            Ok(loaded) => loaded,
            Err(error) => {
                wrong.push(format!("{name}: {error}"));
                continue;
            }
        };
        let scene = through_a_document(&loaded);
        let written =
            file::to_excalidraw_with(&scene, json!(loaded.app_state), json!(loaded.files));
        let lost = lost(&bytes, &loaded, &written);
        if !lost.is_empty() {
            wrong.push(format!(
                "{name}: {} lost: {:?}",
                lost.len(),
                &lost[..lost.len().min(3)]
            ));
        }
        let again = load(written.to_string().as_bytes()).expect("what is written can be read");
        if again.elements.len() != scene.live_count() || !again.notes.is_empty() {
            wrong.push(format!("{name}: read again: {:?}", &again.notes));
        }
        let svg = to_svg(&scene, &Options::default());
        if svg.contains("NaN") {
            wrong.push(format!("{name}: a number that is none"));
        }
        if own.is_some() {
            let ids: BTreeSet<ElementId> = scene.live().map(|one| one.id.clone()).collect();
            let moved = derive(&scene, &ids);
            let lints = lint::lints(&scene);
            eprintln!(
                "{name}: {} elements, {} of them elsewhere by ours, {} notes, {} lints, {} ms",
                ids.len(),
                moved.len(),
                loaded.notes.len(),
                lints.len(),
                started.elapsed().as_millis()
            );
            for edit in moved.iter().take(3) {
                eprintln!(
                    "    moved {edit:?} from {:?}",
                    scene.get(edit.id()).map(|one| one.rect())
                );
            }
            for lint in lints.iter().take(6) {
                eprintln!("    {lint:?}");
            }
            for note in loaded.notes.iter().take(3) {
                eprintln!("    note: {note}");
            }
        }
    }
    assert!(wrong.is_empty(), "{} boards: {wrong:#?}", wrong.len());
}
