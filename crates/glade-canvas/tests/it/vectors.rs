//! What the studio is tested against too (`vectors/`): elements that leave things out, and their order.

use glade_canvas::order::key_between;
use glade_canvas::render::{Options, to_svg};
use glade_canvas::{Element, Scene};
use serde_json::Value;

fn cases(text: &str) -> Vec<Value> {
    let cases: Vec<Value> = serde_json::from_str(text).unwrap();
    assert!(!cases.is_empty());
    cases
}

fn keys(name: &str) -> Vec<Value> {
    let text = include_str!("../../../../vectors/order-keys.json");
    let all: Value = serde_json::from_str(text).unwrap();
    cases(&all[name].to_string())
}

fn element(id: &Value, props: &Value) -> Element {
    let props = serde_json::from_value(props.clone()).unwrap();
    Element::new(id.as_str().unwrap(), props)
}

#[test]
fn what_an_element_leaves_out_is_drawn_as_the_studio_reads_it() {
    let drawn = |case: &Value, props: &str| {
        let scene: Scene = [element(&case["id"], &case[props])].into_iter().collect();
        to_svg(&scene, &Options::default())
    };
    let cases = cases(include_str!("../../../../vectors/elements.json"));
    let others: Vec<&Value> = cases
        .iter()
        .filter(|case| drawn(case, "raw") != drawn(case, "full"))
        .map(|case| &case["raw"])
        .collect();
    assert_eq!(others, Vec::<&Value>::new());
}

#[test]
fn keys_between_two_are_the_editors() {
    for case in keys("canvas") {
        let key = key_between(case["below"].as_str(), case["above"].as_str()).unwrap();
        assert_eq!(key, case["key"], "{case}");
    }
}

#[test]
fn elements_lie_in_the_order_that_the_studio_has_them_in() {
    for case in keys("heights") {
        let elements = case["elements"].as_array().unwrap();
        let scene: Scene = elements
            .iter()
            .map(|one| {
                let props = serde_json::json!({"type": "rectangle", "index": one[1]});
                element(&one[0], &props)
            })
            .collect();
        let order: Vec<&str> = scene.live().map(|one| one.id.as_str()).collect();
        assert_eq!(serde_json::json!(order), case["order"], "{case}");
    }
}
