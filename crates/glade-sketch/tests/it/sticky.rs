//! Sticky notes.

use glade_canvas::ElementKind;
use proptest::prelude::*;

use crate::page::Page;

#[test]
fn a_list_becomes_sticky_notes() {
    let mut page = Page::new();
    page.ask("Sticky notes: plan, build, test");
    assert_eq!(page.said, "Here are 3 sticky notes.");
    for text in ["plan", "build", "test"] {
        assert_eq!(page.shape(text).kind(), ElementKind::StickyNote);
    }
    assert_eq!(page.overlaps(), []);
}

#[test]
fn notes_keep_clear_of_a_flow() {
    let mut page = Page::new();
    page.ask("Draw a flow: Order -> Pay -> Ship");
    page.ask("- one\n- two\n- three");
    page.ask("add a green sticky note saying hello");
    assert_eq!(page.of_kind(ElementKind::StickyNote).len(), 4);
    assert_eq!(page.overlaps(), []);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn notes_of_any_length_never_overlap(texts in proptest::collection::vec("[a-z]{1,8}( [a-z]{1,12}){0,50}", 1..10)) {
        let mut page = Page::new();
        page.ask("Draw a flow: A -> B -> C");
        let list: Vec<String> = texts.iter().map(|text| format!("- {text}")).collect();
        page.ask(&format!("Stickies:\n{}", list.join("\n")));
        prop_assert_eq!(page.of_kind(ElementKind::StickyNote).len(), texts.len());
        prop_assert_eq!(page.overlaps(), vec![]);
        prop_assert_eq!(page.spilling(), Vec::<String>::new());
    }
}
