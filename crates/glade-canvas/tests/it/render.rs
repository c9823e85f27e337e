//! Pictures through the public door: what they hold, that they are the same every time, that nothing breaks them.

use glade_canvas::render::{ImageFile, MAX_PIXELS, Options, Theme, to_jpeg, to_png, to_svg};
use glade_canvas::{Element, Rect, Scene};
use proptest::prelude::*;
use serde_json::{Value, json};

pub fn scene(elements: Value) -> Scene {
    let element = |(at, value): (usize, &Value)| {
        let mut props = value.as_object().unwrap().clone();
        props.insert("index".to_owned(), json!(format!("a{at}")));
        let id = props
            .remove("id")
            .and_then(|id| id.as_str().map(str::to_owned))
            .unwrap_or_else(|| format!("e{at}"));
        Element::new(id.as_str(), props.into_iter().collect())
    };
    elements
        .as_array()
        .unwrap()
        .iter()
        .enumerate()
        .map(element)
        .collect()
}

/// Width, height and pixels of a PNG.
pub fn pixels(png: &[u8]) -> (u32, u32, Vec<[u8; 4]>) {
    let image = image::load_from_memory(png).unwrap().into_rgba8();
    let pixels = image.pixels().map(|pixel| pixel.0).collect();
    (image.width(), image.height(), pixels)
}

pub fn pixel_at((width, _, pixels): &(u32, u32, Vec<[u8; 4]>), x: usize, y: usize) -> [u8; 4] {
    pixels[y * usize::try_from(*width).unwrap() + x]
}

pub fn exactly(bounds: Rect) -> Options {
    Options {
        bounds: Some(bounds),
        ..Options::default()
    }
}

#[test]
fn a_picture_does_not_depend_on_what_was_drawn_before_it() {
    let small = scene(json!([{"type": "ellipse", "width": 90, "height": 40, "seed": 7}]));
    let boxes = |at: u32| json!({"type": "rectangle", "x": at * 30, "width": 200, "height": 300, "seed": at});
    let large = scene((0..300).map(boxes).collect());
    let clear = Options {
        background: None,
        ..exactly(Rect::new(0.0, 0.0, 300.0, 300.0))
    };
    let drawn = || {
        let svg = to_svg(&small, &clear).to_string();
        (svg, to_jpeg(&small, &clear).unwrap())
    };
    let first = drawn();
    for options in [Options::default(), clear.clone()] {
        drop(to_svg(&large, &options));
        to_jpeg(&large, &options).unwrap();
        assert_eq!(drawn(), first);
    }
}

#[test]
fn the_same_scene_gives_the_same_bytes() {
    let scene = || {
        scene(json!([
            {"type": "rectangle", "width": 100, "height": 60, "seed": 7, "backgroundColor": "#a5d8ff", "fillStyle": "hachure"},
            {"type": "text", "text": "Hello, wood", "width": 100, "height": 25, "y": 80},
            {"type": "arrow", "points": [[0, 0], [80, 30]], "x": 120, "seed": 3},
        ]))
    };
    let options = Options::default();
    assert_eq!(to_svg(&scene(), &options), to_svg(&scene(), &options));
    assert_eq!(
        to_png(&scene(), &options).unwrap(),
        to_png(&scene(), &options).unwrap()
    );
    assert_eq!(
        to_jpeg(&scene(), &options).unwrap(),
        to_jpeg(&scene(), &options).unwrap()
    );
}

#[test]
fn a_page_of_many_elements_is_the_same_drawn_whole_and_in_parts() {
    // Enough for several threads and bands, each element where no other is.
    let kinds = ["rectangle", "ellipse", "diamond", "text", "freedraw"];
    let elements: Vec<Value> = (0..600)
        .map(|at| {
            json!({
                "type": kinds[at % 5], "x": at % 20 * 60, "y": at / 20 * 40, "width": 40, "height": 25, "seed": at,
                "text": "tea", "fontSize": 16, "backgroundColor": "#a5d8ff", "fillStyle": "hachure",
                "points": [[0, 0], [20, 15], [40, 5]],
            })
        })
        .collect();
    let page = scene(json!(elements));
    let whole = Rect::new(-20.0, -20.0, 1240.0, 1240.0);
    let picture = pixels(&to_png(&page, &exactly(whole)).unwrap());
    assert_eq!(picture, pixels(&to_png(&page, &exactly(whole)).unwrap()));
    // A strip across several bands, drawn by itself.
    let strip = pixels(&to_png(&page, &exactly(Rect::new(-20.0, 100.0, 1240.0, 250.0))).unwrap());
    let far = |one: [u8; 4], other: [u8; 4]| {
        let mut pairs = one.into_iter().zip(other);
        pairs.any(|(one, other)| one.abs_diff(other) > 24)
    };
    let unlike = (0..1240 * 250)
        .filter(|at| far(strip.2[*at], picture.2[at + 120 * 1240]))
        .count();
    assert!(unlike < 200, "{unlike} pixels differ");
    let svg = to_svg(&page, &Options::default());
    assert_eq!(svg.matches("aria-label=\"tea\"").count(), 120);
    assert_eq!(svg, to_svg(&page, &Options::default()));
}

#[test]
fn a_picture_is_as_large_as_its_content_with_room_around() {
    let scene = scene(json!([{"type": "rectangle", "x": 5, "y": 5, "width": 200, "height": 100}]));
    let (width, height, _) = pixels(&to_png(&scene, &Options::default()).unwrap());
    assert_eq!((width, height), (220, 120));
    let twice = Options {
        scale: 2.0,
        ..Options::default()
    };
    let (width, height, _) = pixels(&to_png(&scene, &twice).unwrap());
    assert_eq!((width, height), (440, 240));
}

#[test]
fn a_picture_never_grows_beyond_the_largest_side() {
    let scene = scene(json!([{"type": "rectangle", "width": 100_000, "height": 100, "seed": 1}]));
    let (width, height, _) = pixels(&to_png(&scene, &Options::default()).unwrap());
    assert!(width <= MAX_PIXELS && width > MAX_PIXELS - 2 && height <= 20);
}

#[test]
fn an_empty_page_is_a_small_blank_picture() {
    let (_, _, pixels) = pixels(&to_png(&Scene::new(), &Options::default()).unwrap());
    assert!(pixels.iter().all(|pixel| *pixel == [255, 255, 255, 255]));
    assert!(to_svg(&Scene::new(), &Options::default()).starts_with("<svg"));
}

#[test]
fn what_lies_higher_covers_what_lies_lower() {
    let square = |color: &str| json!({"type": "rectangle", "width": 100, "height": 100, "fillStyle": "solid", "backgroundColor": color, "seed": 1});
    let picture = pixels(
        &to_png(
            &scene(json!([square("#ff0000"), square("#0000ff")])),
            &exactly(Rect::new(0.0, 0.0, 100.0, 100.0)),
        )
        .unwrap(),
    );
    assert_eq!(pixel_at(&picture, 50, 50), [0, 0, 255, 255]);
}

#[test]
fn a_frame_cuts_off_what_reaches_out_of_it() {
    let page = scene(json!([
        {"type": "rectangle", "x": 50, "width": 100, "height": 100, "backgroundColor": "#ff0000", "fillStyle": "solid", "frameId": "f", "seed": 1},
        {"id": "f", "type": "frame", "width": 100, "height": 100, "name": "F"},
    ]));
    let picture = pixels(&to_png(&page, &exactly(Rect::new(0.0, 0.0, 150.0, 100.0))).unwrap());
    assert_eq!(pixel_at(&picture, 75, 50), [255, 0, 0, 255]);
    assert_eq!(pixel_at(&picture, 130, 50), [255, 255, 255, 255]);
}

#[test]
fn a_frame_leaves_whole_what_only_its_bounding_box_touches() {
    // A slanted line past the frame's corner, then one across it.
    let slanted = |x: f64| {
        let scene = scene(json!([
            {"type": "line", "x": x, "y": -60, "width": 60, "height": 80, "points": [[0, 0], [60, 80]], "frameId": "f",
                "strokeColor": "#ff0000", "strokeWidth": 4, "roughness": 0, "seed": 1},
            {"id": "f", "type": "frame", "width": 100, "height": 100, "name": "F"},
        ]));
        let bounds = Rect::new(0.0, -100.0, 200.0, 200.0);
        pixels(&to_png(&scene, &exactly(bounds)).unwrap())
    };
    let is_red = |pixel: [u8; 4]| pixel[0] > 200 && pixel[1] < 80;
    assert!(is_red(pixel_at(&slanted(90.0), 120, 80)));
    let across = slanted(40.0);
    assert!(!is_red(pixel_at(&across, 70, 80)));
    assert!(is_red(pixel_at(&across, 94, 112)));
}

#[test]
fn an_arrow_leaves_room_for_its_label() {
    let page = scene(json!([
        {"id": "a", "type": "arrow", "points": [[0, 0], [300, 0]], "width": 300, "height": 0, "strokeWidth": 4, "seed": 1, "roughness": 0},
        {"type": "text", "containerId": "a", "text": "i", "width": 60, "height": 25, "x": 120, "y": -12.5, "strokeColor": "#ffffff"},
    ]));
    let picture = pixels(&to_png(&page, &exactly(Rect::new(0.0, -20.0, 300.0, 40.0))).unwrap());
    assert_eq!(pixel_at(&picture, 50, 20)[0], 30);
    assert_eq!(pixel_at(&picture, 125, 20), [255, 255, 255, 255]);
}

#[test]
fn opacity_lets_the_page_through() {
    let page = scene(
        json!([{"type": "rectangle", "width": 100, "height": 100, "opacity": 50, "backgroundColor": "#000000", "fillStyle": "solid", "seed": 1}]),
    );
    let picture = pixels(&to_png(&page, &exactly(Rect::new(0.0, 0.0, 100.0, 100.0))).unwrap());
    assert!((126..=129).contains(&pixel_at(&picture, 50, 50)[0]));
}

#[test]
fn the_dark_theme_turns_the_page_dark() {
    let options = Options {
        theme: Theme::Dark,
        ..Options::default()
    };
    let (_, _, pixels) = pixels(&to_png(&Scene::new(), &options).unwrap());
    assert_eq!(pixels[0], [0x12, 0x12, 0x12, 255]);
}

#[test]
fn no_background_is_transparent_but_for_a_jpeg() {
    let options = Options {
        background: None,
        ..Options::default()
    };
    assert_eq!(
        pixels(&to_png(&Scene::new(), &options).unwrap()).2[0],
        [0, 0, 0, 0]
    );
    assert_eq!(
        pixels(&to_jpeg(&Scene::new(), &options).unwrap()).2[0],
        [255, 255, 255, 255]
    );
}

#[test]
fn an_svg_holds_each_glyph_once_and_the_words_beside() {
    let page = scene(json!([{"type": "text", "text": "aab <&\"", "width": 50, "height": 25}]));
    let svg = to_svg(&page, &Options::default());
    // a, b, <, & and "; a space has no outline.
    assert_eq!(svg.matches("<path id=\"g").count(), 5);
    assert_eq!(svg.matches("<use ").count(), 6);
    assert!(svg.contains("aria-label=\"aab &lt;&amp;&quot;\""));
}

#[test]
fn stored_lines_are_drawn_only_while_they_say_what_the_text_says() {
    let labelled = |text: &str, original: &str| {
        let page = scene(
            json!([{"type": "text", "text": text, "originalText": original, "width": 50, "height": 50}]),
        );
        to_svg(&page, &Options::default())
    };
    assert!(labelled("one\ntwo", "one two").contains("aria-label=\"one&#10;two\""));
    assert!(labelled("one\ntwo", "three").contains("aria-label=\"three\""));
}

#[test]
fn an_image_is_drawn_from_its_file_cropped_and_mirrored() {
    // Left half red, right half blue.
    let mut file = image::RgbaImage::new(4, 2);
    for (x, _, pixel) in file.enumerate_pixels_mut() {
        pixel.0 = if x < 2 {
            [255, 0, 0, 255]
        } else {
            [0, 0, 255, 255]
        };
    }
    let mut data = std::io::Cursor::new(Vec::new());
    file.write_to(&mut data, image::ImageFormat::Png).unwrap();
    let mut options = exactly(Rect::new(0.0, 0.0, 100.0, 50.0));
    let image = ImageFile {
        mime: "image/png".to_owned(),
        data: data.into_inner(),
    };
    options.files.insert("f1".to_owned(), image);
    let element = |more: Value| {
        let mut element = json!({"type": "image", "fileId": "f1", "width": 100, "height": 50});
        element
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        pixels(&to_png(&scene(json!([element])), &options).unwrap())
    };
    let (red, blue) = ([255, 0, 0, 255], [0, 0, 255, 255]);
    let whole = element(json!({}));
    assert_eq!(
        (pixel_at(&whole, 10, 25), pixel_at(&whole, 90, 25)),
        (red, blue)
    );
    let mirrored = element(json!({"scale": [-1, 1]}));
    assert_eq!(
        (pixel_at(&mirrored, 10, 25), pixel_at(&mirrored, 90, 25)),
        (blue, red)
    );
    let cropped = element(json!({"crop": {"x": 2, "y": 0, "width": 2, "height": 2}}));
    assert_eq!(
        (pixel_at(&cropped, 20, 25), pixel_at(&cropped, 90, 25)),
        (blue, blue)
    );
    let svg = to_svg(
        &scene(json!([{"type": "image", "fileId": "f1", "width": 100, "height": 50}])),
        &options,
    );
    assert!(svg.contains("data:image/png;base64,"));
}

#[test]
fn an_image_that_is_none_is_a_grey_area() {
    let mut options = exactly(Rect::new(0.0, 0.0, 100.0, 50.0));
    let page = scene(json!([{"type": "image", "fileId": "f1", "width": 100, "height": 50}]));
    let grey = [0xe7, 0xe7, 0xe7, 255];
    assert_eq!(
        pixel_at(&pixels(&to_png(&page, &options).unwrap()), 5, 5),
        grey
    );
    let broken = ImageFile {
        mime: "text/html".to_owned(),
        data: b"<script>".to_vec(),
    };
    options.files.insert("f1".to_owned(), broken);
    assert_eq!(
        pixel_at(&pixels(&to_png(&page, &options).unwrap()), 5, 5),
        grey
    );
    assert!(!to_svg(&page, &options).contains("script"));
}

#[test]
fn a_stroke_of_a_million_points_is_drawn_in_bounded_time() {
    let points: Vec<[f64; 2]> = (0..1_000_000_u32)
        .map(|at| [f64::from(at % 1000), f64::from(at / 1000 % 7) * 40.0])
        .collect();
    let page = scene(json!([
        {"type": "freedraw", "points": points, "seed": 1},
    ]));
    let small = Options {
        scale: 0.1,
        ..Options::default()
    };
    assert!(to_png(&page, &small).is_ok());
}

#[test]
fn a_fill_too_fine_to_leave_a_shade_leaves_none_and_takes_no_time() {
    let drawn = |color: &str| {
        let page = scene(
            json!([{"type": "rectangle", "width": 8e6, "height": 8e6, "strokeWidth": 0.001, "roughness": 0,
            "backgroundColor": color, "fillStyle": "cross-hatch"}]),
        );
        let options = Options {
            scale: 1e-3,
            ..exactly(Rect::new(-1e5, -1e5, 1e6, 1e6))
        };
        to_png(&page, &options).unwrap()
    };
    let start = std::time::Instant::now();
    assert_eq!(drawn("#ff0000"), drawn("transparent"));
    assert!(start.elapsed().as_secs() < 20);
}

fn odd_number() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!(0)),
        Just(json!(-1)),
        Just(json!(1e300)),
        Just(json!(-1e300)),
        Just(json!(1e-300)),
        Just(json!("NaN")),
        Just(Value::Null),
        (-500.0..500.0).prop_map(|number| json!(number)),
    ]
}

fn odd_element() -> impl Strategy<Value = Value> {
    let kinds = prop::sample::select(vec![
        "rectangle",
        "diamond",
        "ellipse",
        "line",
        "arrow",
        "text",
        "freedraw",
        "image",
        "frame",
        "magicframe",
        "iframe",
        "embeddable",
        "stickynote",
        "unheard-of",
    ]);
    let heads = prop::sample::select(vec![
        "arrow",
        "bar",
        "circle",
        "triangle_outline",
        "diamond",
        "cardinality_zero_or_many",
        "odd",
    ]);
    let fills = prop::sample::select(vec!["hachure", "cross-hatch", "zigzag", "solid", "dots"]);
    let numbers = prop::collection::vec(odd_number(), 12);
    let points = prop::collection::vec((odd_number(), odd_number()), 0..6);
    (kinds, heads, fills, numbers, points, any::<[bool; 4]>()).prop_map(
        |(kind, head, fill, n, points, [round, elbowed, framed, simulate])| {
            json!({
                "type": kind, "x": n[0], "y": n[1], "width": n[2], "height": n[3], "angle": n[4],
                "strokeWidth": n[5], "roughness": n[6], "opacity": n[7], "seed": n[8],
                "fontSize": n[9], "lineHeight": n[10], "created": n[11],
                "points": points, "pressures": [n[0], n[1]], "simulatePressure": simulate,
                "backgroundColor": "#ffc9c9", "fillStyle": fill, "endArrowhead": head, "startArrowhead": head,
                "roundness": if round { json!({"type": 3, "value": n[2]}) } else { Value::Null },
                "elbowed": elbowed, "frameId": if framed { "e0" } else { "" },
                "containerId": if round { "e1" } else { "" }, "strokeStyle": if elbowed { "dashed" } else { "solid" },
                "text": "a \u{1f600} é 漢\u{0}", "groupIds": [7, "g"], "scale": [n[0], n[1]], "crop": {"x": n[0]},
            })
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn no_element_is_too_odd_to_be_drawn(elements in prop::collection::vec(odd_element(), 1..4)) {
        let page = scene(json!(elements));
        let options = Options { bounds: Some(Rect::new(-50.0, -50.0, 200.0, 150.0)), ..Options::default() };
        let svg = to_svg(&page, &options);
        prop_assert!(!svg.contains("NaN") && !svg.contains("inf"));
        prop_assert!(to_png(&page, &options).is_ok());
        // Everything at once, wherever it lies.
        let whole = to_svg(&page, &Options::default());
        prop_assert!(!whole.contains("NaN") && !whole.contains("inf"));
    }
}

#[test]
fn what_is_cut_out_to_be_drawn_looks_as_it_does_in_its_scene() {
    let whole = scene(json!([
        {"id": "f", "type": "frame", "name": "Plan", "x": 0, "y": 0, "width": 300, "height": 200},
        {"id": "a", "type": "rectangle", "frameId": "f", "x": 200, "y": 50, "width": 200, "height": 60, "seed": 7, "backgroundColor": "#a5d8ff", "fillStyle": "hachure"},
        {"id": "aw", "type": "text", "containerId": "a", "frameId": "f", "originalText": "Cut at the edge", "x": 210, "y": 60, "width": 180, "height": 25, "fontSize": 20},
        {"id": "b", "type": "ellipse", "x": 900, "y": 40, "width": 120, "height": 90, "seed": 3},
        {"id": "ab", "type": "arrow", "x": 410, "y": 80, "width": 480, "height": 0, "points": [[0, 0], [480, 0]], "seed": 4,
            "startBinding": {"elementId": "a", "fixedPoint": [0.5, 0.5], "mode": "orbit"}, "endBinding": {"elementId": "b", "fixedPoint": [0.5, 0.5], "mode": "orbit"}},
        {"id": "abw", "type": "text", "containerId": "ab", "originalText": "goes on", "x": 600, "y": 68, "width": 80, "height": 25, "fontSize": 20},
        {"id": "far", "type": "diamond", "x": 5000, "y": 4000, "width": 100, "height": 100, "seed": 9},
    ]));
    for area in [
        Rect::new(150.0, 0.0, 300.0, 200.0),
        Rect::new(500.0, 0.0, 300.0, 200.0),
        Rect::new(850.0, 0.0, 300.0, 200.0),
    ] {
        let cut = whole.seen_in(&area);
        assert!(cut.live_count() < whole.live_count());
        let options = exactly(area);
        assert_eq!(
            to_png(&cut, &options).unwrap(),
            to_png(&whole, &options).unwrap(),
            "{area:?}"
        );
    }
}
