//! Changing what is on the page in plain words.

use glade_canvas::{ElementKind, palette};

use crate::page::Page;

fn flow() -> Page {
    let mut page = Page::new();
    page.ask("Draw a flow: Order -> Pay -> Ship");
    page
}

fn color(page: &Page, name: &str) -> &'static str {
    let shape = page.shape(name);
    palette::read_paint(
        shape.stroke_color(),
        shape.background_color(),
        shape.fill_style(),
    )
    .0
    .name()
}

#[test]
fn a_named_shape_is_recoloured() {
    let mut page = flow();
    page.ask("make Pay red");
    assert_eq!(
        (color(&page, "Pay"), color(&page, "Order")),
        ("red", "blue")
    );
    assert_eq!(page.said, "Pay is red now.");
    page.ask("turn Order and Ship light green");
    assert_eq!(
        (
            color(&page, "Ship"),
            color(&page, "Order"),
            color(&page, "Pay")
        ),
        ("light-green", "light-green", "red")
    );
}

#[test]
fn the_selection_is_what_it_means() {
    let mut page = flow();
    let id = page.shape("Ship").id;
    page.ask_about("make it violet", &[id]);
    assert_eq!(
        (color(&page, "Ship"), color(&page, "Pay")),
        ("violet", "blue")
    );
    page.ask("make it green");
    assert_eq!(
        page.said,
        "Nothing is selected. Select a shape, or tell me its name."
    );
}

#[test]
fn deleting_takes_the_arrows_along() {
    let mut page = flow();
    page.ask("delete Ship");
    assert!(!page.says("Ship"));
    assert_eq!(page.arrows(), [("Order".to_owned(), "Pay".to_owned())]);
    page.ask("delete Ship");
    assert_eq!(page.said, "I see no shape called \"Ship\" here.");
    page.ask("clear the page");
    assert_eq!(page.scene.live_count(), 0);
}

#[test]
fn renaming_keeps_the_shape() {
    let mut page = flow();
    let id = page.shape("Pay").id;
    page.ask("rename Pay to Checkout");
    assert_eq!(page.shape("Checkout").id, id);
    assert!(!page.says("Pay"));
}

#[test]
fn moving_keeps_clear_of_others_and_arrows_follow() {
    let mut page = flow();
    let before = page.shape("Pay").rect();
    page.ask("move Pay down");
    let after = page.shape("Pay").rect();
    assert_eq!((after.x, after.y), (before.x, before.y + 200.0));
    page.ask("move Order right");
    assert_eq!(page.overlaps(), []);
    page.ask("move Ship below Pay");
    let (ship, pay) = (page.shape("Ship").rect(), page.shape("Pay").rect());
    assert!(
        ship.y > pay.bottom() && (ship.center().x - pay.center().x).abs() < 1.0,
        "{ship:?} {pay:?}"
    );
    assert_eq!((page.arrows().len(), page.overlaps()), (2, vec![]));
}

#[test]
fn all_of_a_kind_can_be_meant() {
    let mut page = flow();
    page.ask("sticky notes: a, b");
    page.ask("delete all the arrows");
    assert_eq!(page.of_kind(ElementKind::Arrow), []);
    page.ask("delete the notes");
    assert_eq!(
        (
            page.of_kind(ElementKind::StickyNote),
            page.of_kind(ElementKind::Rectangle).len()
        ),
        (vec![], 3)
    );
}

#[test]
fn a_locked_shape_is_left_alone_and_that_is_said() {
    let mut page = flow();
    let mut pay = page.shape("Pay");
    pay.props.insert("locked".to_owned(), true.into());
    page.scene.put(pay.clone());
    page.ask("make Pay red");
    assert_eq!(page.shape("Pay"), pay);
    assert!(page.said.contains("is locked"), "{}", page.said);
}
