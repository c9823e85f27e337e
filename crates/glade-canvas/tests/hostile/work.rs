//! All that is ever done with a file, and with a picture inside of one. Nothing may panic, hang or make numbers that are
//! none. The tests do it with files mangled by a seed, the fuzzer with whatever it comes to.

use std::collections::{BTreeMap, BTreeSet};

use glade_canvas::file::{FileError, Loaded, Onto, from_any, from_library, to_excalidraw};
use glade_canvas::hit::{Pick, Within, at_point, in_rect};
use glade_canvas::render::{ImageFile, Options, Theme, to_jpeg, to_png, to_svg};
use glade_canvas::{Element, Point, Rect, Scene, bounds, derive, lint, view};
use glade_doc::{ElementId, PageDoc};
use serde_json::{Value, json};

const WINDOW: Rect = Rect {
    x: -100.0,
    y: -100.0,
    w: 500.0,
    h: 400.0,
};

fn finite(rect: &Rect) -> bool {
    [rect.x, rect.y, rect.w, rect.h]
        .iter()
        .all(|side| side.is_finite())
}

/// All that is ever done with a file.
pub fn open(bytes: &[u8]) {
    let loaded: Loaded = match from_any(bytes) {
        Ok(loaded) => loaded,
        Err(FileError::Library) => match from_library(bytes) {
            Ok(library) => library.laid_out(),
            Err(error) => return assert!(!error.to_string().is_empty()),
        },
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    assert!(loaded.notes.iter().all(|note| !note.to_string().is_empty()));
    draw(&loaded);
    let mut scene = loaded.scene();
    PageDoc::new()
        .commit(7, None, &loaded.edits())
        .expect("what is read fits the document");
    let ids: BTreeSet<ElementId> = scene.live().map(|element| element.id.clone()).collect();
    let edits = derive(&scene, &ids);
    scene.apply(&edits);
    assert!(
        scene
            .live()
            .all(|one| finite(&bounds::bounds(one)) && finite(&bounds::drawn(&scene, one)))
    );
    let seen = view::blurry(&scene, &WINDOW).len() + view::peripheral(&scene, &WINDOW).len();
    let listed: Vec<ElementId> = ids.iter().take(20).cloned().collect();
    let told = glade_canvas::full::full(&scene, &listed).len() + lint::lints(&scene).len();
    let hit = at_point(&scene, Point::new(50.0, 50.0), Pick::default()).is_some();
    let inside = in_rect(&scene, &WINDOW, Within::Touching).len();
    assert!(seen + told + inside + usize::from(hit) < usize::MAX);
    glade_canvas::layout::distribute(&scene, &listed, glade_canvas::layout::Direction::Horizontal);
    glade_canvas::layout::rotate(&scene, &listed, 30.0, Point::new(10.0, 1e6));
    let svg = to_svg(&scene, &seen_through_the_window());
    let written = to_excalidraw(&scene).to_string();
    let spelt = written.contains("NaN");
    assert!(spelt || !svg.contains("NaN"), "a number that is none");
    let again = from_any(written.as_bytes()).expect("what is written can be read");
    assert_eq!(again.elements.len(), scene.live_count());
    let page: Scene = again.scene();
    assert!(again.edits_onto(&page, Onto::Append).len() >= again.elements.len());
}

fn seen_through_the_window() -> Options {
    Options {
        bounds: Some(WINDOW),
        ..Options::default()
    }
}

/// The file as it is, with its pictures: all of it in lines, a part of it in pixels.
fn draw(loaded: &Loaded) {
    let scene = loaded.as_drawn();
    let mut options = Options {
        files: loaded.images(),
        background: loaded.background().map(str::to_owned),
        ..Options::default()
    };
    to_svg(&scene, &options);
    options.bounds = Some(WINDOW);
    options.scale = 0.25;
    to_png(&scene, &options).expect("a small picture");
    to_jpeg(&scene, &options).expect("a small picture");
}

/// All that is ever done with a picture inside of a page: drawn whole, and drawn in part, turned over and dark.
pub fn picture(bytes: &[u8]) {
    let is_markup = bytes.trim_ascii_start().starts_with(b"<");
    let mime = if is_markup {
        "image/svg+xml"
    } else {
        "image/png"
    };
    let file = ImageFile {
        mime: mime.to_owned(),
        data: bytes.to_vec(),
    };
    for (theme, look) in [
        (Theme::Light, json!({})),
        (
            Theme::Dark,
            json!({
                "scale": [-1, 1], "angle": 0.3,
                "crop": {"x": 3, "y": 2, "width": 5, "height": 4, "naturalWidth": 16, "naturalHeight": 12},
            }),
        ),
    ] {
        let mut props = json!({
            "type": "image", "fileId": "f", "status": "saved", "x": 0, "y": 0, "width": 60, "height": 40,
        });
        if let (Value::Object(props), Value::Object(look)) = (&mut props, look) {
            props.extend(look);
        }
        let Value::Object(props) = props else { return };
        let scene = Scene::from_iter([Element::new("seen", props)]);
        let options = Options {
            theme,
            files: BTreeMap::from([("f".to_owned(), file.clone())]),
            ..Options::default()
        };
        to_svg(&scene, &options);
        to_png(&scene, &options).expect("a small picture");
    }
}
