//! Images inside of a page: every format, broken ones, hostile ones.

use std::time::{Duration, Instant};

use glade_canvas::Rect;
use glade_canvas::render::{ImageFile, Options, Theme, to_png, to_svg};
use serde_json::{Value, json};

use crate::render::{exactly, pixel_at, pixels, scene};
use crate::support::PIXEL;

const GREY: [u8; 4] = [0xe7, 0xe7, 0xe7, 255];

/// A page of 100 × 50 that is one image.
fn drawn_with(mime: &str, data: &[u8], options: Options) -> (u32, u32, Vec<[u8; 4]>) {
    let mut options = Options {
        bounds: Some(Rect::new(0.0, 0.0, 100.0, 50.0)),
        ..options
    };
    let file = ImageFile {
        mime: mime.to_owned(),
        data: data.to_vec(),
    };
    options.files.insert("f1".to_owned(), file);
    let page = scene(json!([{"type": "image", "fileId": "f1", "width": 100, "height": 50}]));
    pixels(&to_png(&page, &options).unwrap())
}

fn drawn(mime: &str, data: &[u8]) -> (u32, u32, Vec<[u8; 4]>) {
    drawn_with(mime, data, Options::default())
}

fn svg(body: &str) -> Vec<u8> {
    format!("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"20\" height=\"10\">{body}</svg>")
        .into_bytes()
}

const HALVES: &str = "<rect width=\"10\" height=\"10\" fill=\"#f00\"/><rect x=\"10\" width=\"10\" height=\"10\" fill=\"#00f\"/>";

#[test]
fn every_raster_format_is_drawn() {
    let two = image::RgbaImage::from_fn(4, 2, |x, _| {
        image::Rgba(if x < 2 {
            [255, 0, 0, 255]
        } else {
            [0, 0, 255, 255]
        })
    });
    let formats = [
        ("image/png", image::ImageFormat::Png),
        ("image/gif", image::ImageFormat::Gif),
        ("image/webp", image::ImageFormat::WebP),
        ("image/jpeg", image::ImageFormat::Jpeg),
    ];
    for (mime, format) in formats {
        let mut bytes = std::io::Cursor::new(Vec::new());
        let image = image::DynamicImage::ImageRgba8(two.clone());
        let image = match format {
            image::ImageFormat::Jpeg => image::DynamicImage::ImageRgb8(image.to_rgb8()),
            _ => image,
        };
        image.write_to(&mut bytes, format).unwrap();
        let picture = drawn(mime, bytes.get_ref());
        let [left, right] = [pixel_at(&picture, 10, 25), pixel_at(&picture, 90, 25)];
        assert!(left[0] > 150 && left[2] < 110, "{mime}: {left:?}");
        assert!(right[2] > 150 && right[0] < 110, "{mime}: {right:?}");
    }
}

#[test]
fn an_svg_image_is_drawn_in_pixels() {
    let picture = drawn("image/svg+xml", &svg(HALVES));
    assert_eq!(pixel_at(&picture, 10, 25), [255, 0, 0, 255]);
    assert_eq!(pixel_at(&picture, 90, 25), [0, 0, 255, 255]);
    let dark = Options {
        theme: Theme::Dark,
        ..Options::default()
    };
    let black = "<rect width=\"20\" height=\"10\" fill=\"#000\"/>";
    let turned = pixel_at(&drawn_with("image/svg+xml", &svg(black), dark), 50, 25);
    assert!(
        turned[..3].iter().all(|channel| *channel > 200),
        "{turned:?}"
    );
}

#[test]
fn an_svg_image_is_cropped_by_its_own_units() {
    let mut options = exactly(Rect::new(0.0, 0.0, 100.0, 50.0));
    let file = ImageFile {
        mime: "image/svg+xml".to_owned(),
        data: svg(HALVES),
    };
    options.files.insert("f1".to_owned(), file);
    let crop = json!({"x": 10, "y": 0, "width": 10, "height": 10});
    let page =
        scene(json!([{"type": "image", "fileId": "f1", "width": 100, "height": 50, "crop": crop}]));
    let picture = pixels(&to_png(&page, &options).unwrap());
    assert_eq!(pixel_at(&picture, 10, 25), [0, 0, 255, 255]);
    assert!(to_svg(&page, &options).contains("viewBox=\"10 0 10 10\""));
}

#[test]
fn an_svg_image_reaches_nothing_outside_of_itself() {
    let path = std::env::temp_dir().join(format!("glade-canvas-secret-{}.svg", std::process::id()));
    std::fs::write(
        &path,
        svg("<rect width=\"20\" height=\"10\" fill=\"#0f0\"/>"),
    )
    .unwrap();
    let image = format!(
        "<image href=\"{}\" width=\"20\" height=\"10\"/>",
        path.display()
    );
    let entity = format!(
        "<!DOCTYPE svg [<!ENTITY x SYSTEM \"file://{}\">]><svg xmlns=\"http://www.w3.org/2000/svg\" width=\"20\" height=\"10\">&x;</svg>",
        path.display()
    );
    for bytes in [svg(&image), entity.into_bytes()] {
        let picture = drawn("image/svg+xml", &bytes);
        assert!(!picture.2.contains(&[0, 255, 0, 255]));
    }
    std::fs::remove_file(path).unwrap();
}

#[test]
fn words_in_an_svg_image_are_drawn_in_a_shipped_font() {
    let dark = |family: &str, words: &str| {
        let text = format!(
            "<text x=\"1\" y=\"8\" font-size=\"8\" font-family=\"{family}\">{words}</text>"
        );
        let (_, _, pixels) = drawn("image/svg+xml", &svg(&text));
        pixels.iter().filter(|pixel| pixel[0] < 100).count()
    };
    let families = [
        "Excalifont",
        "Arial, sans-serif",
        "monospace",
        "No such font",
    ];
    let counts = families.map(|family| dark(family, "Tea"));
    assert!(counts.iter().all(|count| *count > 50), "{counts:?}");
    // In fonts of their own; a family that nobody has is set like any plain one.
    assert_ne!(counts[0], counts[1]);
    assert_ne!(counts[1], counts[2]);
    assert_eq!(counts[1], counts[3]);
    // Another file of the family has these.
    assert!(dark("Nunito", "Чай") > 50);
}

#[test]
fn a_text_that_is_used_over_and_over_is_drawn_so_often_and_no_more() {
    let started = Instant::now();
    let words = "tea ".repeat(500);
    let mut bomb = format!("<defs><g id=\"a0\"><text>{words}</text></g>");
    for level in 1..16 {
        let before = level - 1;
        bomb.push_str(&format!(
            "<g id=\"a{level}\"><use href=\"#a{before}\"/><use href=\"#a{before}\"/></g>"
        ));
    }
    bomb.push_str("</defs><use href=\"#a15\"/>");
    drawn("image/svg+xml", &svg(&bomb));
    assert!(started.elapsed() < Duration::from_secs(60));
}

#[test]
fn hostile_svg_images_end_soon_and_show_the_sign_of_a_broken_one() {
    let started = Instant::now();
    let deep = format!("{}{}", "<g>".repeat(200_000), "</g>".repeat(200_000));
    let mut bomb = String::from("<defs><g id=\"a0\"><rect width=\"1\" height=\"1\"/></g>");
    for level in 1..30 {
        let before = level - 1;
        bomb.push_str(&format!(
            "<g id=\"a{level}\"><use href=\"#a{before}\"/><use href=\"#a{before}\"/></g>"
        ));
    }
    bomb.push_str("</defs><use href=\"#a29\"/>");
    let laughs = "<!DOCTYPE svg [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;\"><!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;\"><!ENTITY d \"&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;\"><!ENTITY e \"&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;\"><!ENTITY f \"&e;&e;&e;&e;&e;&e;&e;&e;&e;&e;\"><!ENTITY g \"&f;&f;&f;&f;&f;&f;&f;&f;&f;&f;\">]><svg xmlns=\"http://www.w3.org/2000/svg\" width=\"20\" height=\"10\"><title>&g;</title></svg>";
    let hostile = [
        b"<svg".to_vec(),
        b"not a drawing".to_vec(),
        vec![0xff; 64],
        svg(&deep),
        svg(&bomb),
        laughs.as_bytes().to_vec(),
        svg(&" ".repeat(8 << 20)),
    ];
    for bytes in &hostile[..3] {
        assert_eq!(pixel_at(&drawn("image/svg+xml", bytes), 5, 5), GREY);
    }
    for bytes in &hostile[3..] {
        drawn("image/svg+xml", bytes);
    }
    assert!(started.elapsed() < Duration::from_secs(60));
}

#[test]
fn an_image_that_unpacks_to_more_than_fits_is_not_unpacked() {
    // A head that promises 60,000 × 60,000 pixels.
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::DynamicImage::new_rgba8(4, 4)
        .write_to(&mut bytes, image::ImageFormat::Png)
        .unwrap();
    let mut bytes = bytes.into_inner();
    bytes[16..24].copy_from_slice(&[0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60]);
    assert_eq!(pixel_at(&drawn("image/png", &bytes), 5, 5), GREY);
}

#[test]
fn an_image_that_shows_nothing_is_said() {
    let image = |name: &str, file: &str| json!({"id": name, "type": "image", "x": 0, "y": 0, "width": 10, "height": 10, "fileId": file});
    let pixel = ImageFile {
        mime: "image/png".to_owned(),
        data: PIXEL.to_vec(),
    };
    let file = json!({"type": "excalidraw", "version": 2,
        "elements": [image("good", "pixel"), image("gone", "nowhere"), image("torn", "torn"),
            {"id": "unset", "type": "image", "fileId": null}],
        "files": {"pixel": {"dataURL": pixel.data_url()}, "torn": {"dataURL": "data:image/png;base64,AAAA"}}});
    let loaded = glade_canvas::file::from_any(file.to_string().as_bytes()).unwrap();
    let said: Vec<String> = loaded.notes.iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "brought the image \"gone\" as an empty one, since its data is not in the file",
            "brought the image \"torn\" as an empty one, since its data is broken or too large",
        ]
    );
}

#[test]
fn a_grey_image_that_would_be_four_times_as_large_in_colour_is_not_unpacked() {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 9000, 9000);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::One);
    let mut writer = encoder.write_header().unwrap();
    writer
        .write_image_data(&vec![0xff; 9000 / 8 * 9000])
        .unwrap();
    writer.finish().unwrap();
    assert!(bytes.len() < 100_000);
    assert_eq!(pixel_at(&drawn("image/png", &bytes), 5, 5), GREY);
}

#[test]
fn an_svg_image_that_asks_for_a_days_work_is_drawn_in_fewer_pixels_or_not_at_all() {
    let noise = "<filter id=\"f\"><feTurbulence baseFrequency=\".1\" numOctaves=\"1000000\"/></filter>\
        <rect width=\"20\" height=\"10\" filter=\"url(#f)\"/>";
    assert_eq!(pixel_at(&drawn("image/svg+xml", &svg(noise)), 5, 5), GREY);
    let layers = 300;
    let deep = format!(
        "{}{HALVES}{}",
        "<g style=\"isolation:isolate\">".repeat(layers),
        "</g>".repeat(layers)
    );
    let wide = Options {
        scale: 8.0,
        ..Options::default()
    };
    let picture = drawn_with("image/svg+xml", &svg(&deep), wide);
    assert_eq!(pixel_at(&picture, 80, 200), [255, 0, 0, 255]);
}

#[test]
fn patterns_painted_with_patterns_end_soon() {
    let pattern = |at: usize, kind: &str| {
        let square = format!(
            "<rect width=\"9\" height=\"9\" {kind}=\"url(#p{})\"/>",
            at + 1
        );
        let size = "width=\"9\" height=\"9\" patternUnits=\"userSpaceOnUse\"";
        match kind {
            "fill" => format!(
                "<pattern id=\"p{at}\" {size}>{}</pattern>",
                square.repeat(4)
            ),
            "mask" => format!("<mask id=\"p{at}\">{}</mask>", square.repeat(4)),
            _ => format!("<clipPath id=\"p{at}\">{}</clipPath>", square.repeat(4)),
        }
    };
    for kind in ["fill", "mask", "clip-path"] {
        let mut body: String = (0..25).map(|at| pattern(at, kind)).collect();
        body.push_str(&format!(
            "<rect width=\"20\" height=\"10\" {kind}=\"url(#p0)\"/>"
        ));
        let started = Instant::now();
        drawn("image/svg+xml", &svg(&body));
        assert!(started.elapsed() < Duration::from_secs(20), "{kind}");
    }
}

#[test]
fn an_image_that_many_elements_show_is_written_once() {
    let file = ImageFile {
        mime: "image/svg+xml".to_owned(),
        data: svg(HALVES),
    };
    let options = Options {
        files: [("f1".to_owned(), file.clone())].into(),
        ..Options::default()
    };
    let image = |id: &str, more: Value| {
        let mut image =
            json!({"id": id, "type": "image", "fileId": "f1", "width": 100, "height": 50});
        image
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        image
    };
    let crop = json!({"x": 10, "y": 0, "width": 10, "height": 10, "naturalWidth": 20, "naturalHeight": 10});
    let page = scene(json!([
        image("a", json!({})),
        image("b", json!({"x": 200})),
        image("c", json!({"x": 400, "crop": crop})),
    ]));
    let written = to_svg(&page, &options);
    assert_eq!(written.matches(&file.data_url()).count(), 1);
    assert_eq!(written.matches("<use href=\"#i0\"").count(), 3);
    // It looks as the page does.
    let ours = pixels(&to_png(&page, &options).unwrap());
    let tree = resvg::usvg::Tree::from_str(&written, &resvg::usvg::Options::default()).unwrap();
    let mut theirs = tiny_skia::Pixmap::new(ours.0, ours.1).unwrap();
    resvg::render(
        &tree,
        tiny_skia::Transform::identity(),
        &mut theirs.as_mut(),
    );
    for x in [20, 80, 220, 280, 420, 480] {
        let pixel = theirs.pixel(x, 35).unwrap();
        let theirs = [pixel.red(), pixel.green(), pixel.blue(), pixel.alpha()];
        assert_eq!(pixel_at(&ours, x as usize, 35), theirs, "at {x}");
    }
}
