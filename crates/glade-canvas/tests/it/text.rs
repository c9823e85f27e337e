use glade_canvas::text::{line_width, measure, measure_with};
use glade_canvas::{FontFamily, Size, text};
use proptest::prelude::*;

/// Measured by a browser's canvas with the same font files.
const WIDTHS: [(&str, f64, f64); 24] = [
    ("Order", 20.0, 54.659942626953125),
    ("Order", 28.0, 76.5242919921875),
    ("Pay", 20.0, 35.27996826171875),
    ("Ship", 20.0, 39.39996337890625),
    ("Ship", 28.0, 55.16023254394531),
    ("Hello world", 20.0, 101.89991760253906),
    (
        "The quick brown fox jumps over the lazy dog",
        20.0,
        439.919677734375,
    ),
    (
        "The quick brown fox jumps over the lazy dog",
        28.0,
        615.8905639648438,
    ),
    ("AVATAR To Yo", 20.0, 144.0798797607422),
    ("AVATAR To Yo", 28.0, 201.712890625),
    ("fi fl ffi", 20.0, 68.19993591308594),
    ("Zażółć gęślą jaźń", 20.0, 173.0198516845703),
    ("Zażółć gęślą jaźń", 28.0, 242.22900390625),
    ("Привет, мир", 20.0, 109.81991577148438),
    ("Привет, мир", 28.0, 153.7486114501953),
    ("Καλημέρα κόσμε", 20.0, 143.61990356445312),
    ("naïve café", 20.0, 98.71989440917969),
    ("naïve café", 28.0, 138.2085723876953),
    ("1234567890", 20.0, 121.29986572265625),
    ("(a+b)*c = d/e", 28.0, 183.5687713623047),
    ("“quoted” — dash…", 20.0, 178.1398468017578),
    ("“quoted” — dash…", 28.0, 249.3970184326172),
    ("i", 28.0, 6.83203125),
    ("W", 20.0, 15.719985961914062),
];

#[test]
fn widths_are_the_browsers_within_half_a_pixel() {
    for (words, size, browser) in WIDTHS {
        let ours = line_width(words, FontFamily::Excalifont, size);
        assert!(
            (ours - browser).abs() < 0.5,
            "{words:?} at {size}: ours {ours}, the browser's {browser}"
        );
    }
}

#[test]
fn height_counts_lines_and_width_is_the_widest() {
    let one = measure("Order", FontFamily::Excalifont, 20.0);
    assert_eq!(
        measure("a\nOrder\n", FontFamily::Excalifont, 20.0),
        Size::new(one.w, 75.0)
    );
    assert_eq!(
        measure_with("x\r\ny", FontFamily::Excalifont, 10.0, 2.0).h,
        40.0
    );
}

#[test]
fn an_empty_text_has_room_for_a_caret() {
    let space = line_width(" ", FontFamily::Excalifont, 20.0);
    assert_eq!(
        measure("", FontFamily::Excalifont, 20.0),
        Size::new(space, 25.0)
    );
}

fn words() -> impl Strategy<Value = String> {
    proptest::collection::vec(
        prop_oneof![
            4 => "[a-zA-Z,.()-]{1,12}",
            2 => Just(" ".to_owned()),
            1 => Just("\n".to_owned()),
            1 => "[漢字たカ。「」é👍ж]{1,3}",
        ],
        0..20,
    )
    .prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn wrapping_loses_nothing_but_spaces_and_lines_fit(words in words(), size in 8.0..40.0f64, width in 1.0..300.0f64) {
        let wrapped = text::wrap(&words, FontFamily::Excalifont, size, width);
        let visible = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        prop_assert_eq!(visible(&wrapped), visible(&words));
        for line in wrapped.split('\n') {
            let own = line_width(line.trim_end(), FontFamily::Excalifont, size);
            // The editor adds up single characters without their kerning, so a line may stand out by that much.
            let unkerned: f64 = line.trim_end().chars().map(|c| line_width(c.encode_utf8(&mut [0; 4]), FontFamily::Excalifont, size)).sum();
            let fits = own.min(unkerned) <= width + 0.05 * size;
            prop_assert!(fits || line.trim().chars().count() <= 2, "{line:?} is {own} wide of {width}");
        }
    }

    #[test]
    fn wrapping_what_is_wrapped_changes_nothing_visible(words in words(), width in 20.0..300.0f64) {
        let once = text::wrap(&words, FontFamily::Excalifont, 20.0, width);
        let lines = |text: &str| text.split('\n').map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
        let twice = text::wrap(&once, FontFamily::Excalifont, 20.0, width + 2.0);
        prop_assert_eq!(lines(&twice), lines(&once));
    }
}
