//! What a model can say of how shapes look, where they belong and where arrows meet them.

use glade_agent::history::Remembered;
use glade_canvas::contrast::{Ground, READABLE};
use glade_canvas::{Element, ElementKind, FontFamily, Rect, TextAlign};
use serde_json::{Value, json};

use crate::room::{Room, a_box, an_arrow};

fn drawn(actions: Value) -> Room {
    let mut room = Room::asked("draw");
    room.answer(actions);
    room
}

fn create(shape: Value) -> Value {
    json!({"_type": "create", "intent": "", "shape": shape})
}

fn shape(room: &Room, id: &str) -> Element {
    let own = room
        .live()
        .into_iter()
        .find(|element| element.kind() != ElementKind::Text && element.id.as_str().starts_with(id));
    own.unwrap_or_else(|| panic!("no {id}"))
}

fn text(room: &Room, words: &str) -> Element {
    let found = room
        .live()
        .into_iter()
        .find(|own| own.original_text() == words);
    found.unwrap_or_else(|| panic!("nothing says {words}"))
}

/// What the history tells of how the last action came out.
fn adjusted(room: &Room) -> String {
    let items = room.agent.history().items().iter().rev();
    let mut told = items.filter_map(|item| match &item.what {
        Remembered::Action { adjusted, .. } => Some(adjusted.join("; ")),
        _ => None,
    });
    told.next().unwrap_or_default()
}

#[test]
fn a_look_is_said_when_a_shape_is_made() {
    let room = drawn(json!([create(json!({
        "_type": "rectangle", "shapeId": "pay", "x": 0, "y": 0, "w": 200, "h": 120, "color": "red",
        "dash": "dashed", "strokeWidth": 4, "opacity": 60, "link": "https://example.org/pay", "fontSize": 28,
        "textAlign": "left", "verticalAlign": "top", "text": "Pay",
    }))]));
    let pay = shape(&room, "pay");
    let look = ["strokeStyle", "strokeWidth", "opacity", "link"].map(|key| pay.props[key].clone());
    let link = json!("https://example.org/pay");
    assert_eq!(look, [json!("dashed"), json!(4.0), json!(60.0), link]);
    let label = text(&room, "Pay");
    assert_eq!(
        (label.font_size(), label.text_align()),
        (28.0, TextAlign::Left)
    );
    let air = (label.x() - pay.x(), label.y() - pay.y());
    assert!(air.0 < 10.0 && air.1 < 10.0, "{air:?}");
}

#[test]
fn words_decide_the_size_of_a_shape_that_was_given_none() {
    let words = "The customer sends the whole order back to the warehouse in Leipzig";
    for kind in [
        "rectangle",
        "ellipse",
        "diamond",
        "cloud",
        "cylinder",
        "person",
    ] {
        let room = drawn(json!([create(json!({
            "_type": kind, "shapeId": "fit", "x": 10, "y": 20, "text": words,
        }))]));
        let (own, label) = (shape(&room, "fit"), text(&room, words));
        let area = glade_canvas::bounds::local_rect(&own);
        assert_eq!((area.x, area.y), (1010.0, 2020.0), "{kind}");
        assert!(
            area.contains_rect(&label.rect()),
            "{kind}: {label:?} in {area:?}"
        );
        assert!(area.w < 700.0 && area.h < 500.0, "{kind}: {area:?}");
        assert_eq!(adjusted(&room), "", "{kind}");
    }
}

#[test]
fn a_frame_takes_in_what_lies_in_it_and_what_is_drawn_there_later() {
    let room = drawn(json!([
        a_box("before", 100, 100, "Before"),
        a_box("outside", 900, 100, "Outside"),
        create(
            json!({"_type": "frame", "shapeId": "cloud", "x": 50, "y": 50, "w": 700, "h": 400, "text": "Our cloud"})
        ),
        a_box("after", 400, 100, "After"),
    ]));
    let frame = shape(&room, "cloud");
    assert_eq!(
        (frame.kind(), &frame.props["name"]),
        (ElementKind::Frame, &json!("Our cloud"))
    );
    let belongs = |words: &str| text(&room, words).frame_id() == Some(frame.id.clone());
    assert_eq!(
        ["Before", "After", "Outside"].map(belongs),
        [true, true, false]
    );
    assert_eq!(shape(&room, "before").frame_id(), Some(frame.id.clone()));
}

#[test]
fn a_new_shape_looks_as_those_around_it_do() {
    let mut room = Room::new();
    for at in 0..3 {
        let id = room.put_box(
            &format!("old{at}"),
            Rect::new(1000.0 + 300.0 * f64::from(at), 2000.0, 200.0, 90.0),
        );
        for (key, value) in [
            ("roughness", json!(0)),
            ("strokeWidth", json!(1)),
            ("roundness", json!(null)),
        ] {
            room.set(&id, key, value);
        }
        let label = glade_canvas::factory::label(
            room.scene.get(&id).unwrap(),
            &format!("Old {at}"),
            1,
            &format!("b{at}"),
        );
        let label_id = format!("label{at}");
        room.scene.put(Element::new(label_id.as_str(), label));
        room.set(
            &label_id.as_str().into(),
            "fontFamily",
            json!(FontFamily::Nunito.number()),
        );
    }
    room.prompt("add one");
    room.answer(json!([a_box("new", 0, 300, "New"), create(json!({
        "_type": "rectangle", "shapeId": "bold", "x": 400, "y": 300, "w": 90, "h": 60, "strokeWidth": 4
    }))]));
    let new = shape(&room, "new");
    let look = ["roughness", "strokeWidth", "roundness"].map(|key| new.props[key].as_f64());
    assert_eq!(look, [Some(0.0), Some(1.0), None]);
    assert_eq!(text(&room, "New").font_family(), FontFamily::Nunito);
    assert_eq!(
        shape(&room, "bold").stroke_width(),
        4.0,
        "what is said comes first"
    );
}

#[test]
fn a_shape_that_is_like_another_has_its_look() {
    let room = drawn(json!([
        create(
            json!({"_type": "rectangle", "shapeId": "model", "x": 0, "y": 0, "w": 200, "h": 90, "color": "violet",
                      "fill": "pattern", "dash": "dotted", "strokeWidth": 3, "fontSize": 30, "text": "Model"})
        ),
        create(
            json!({"_type": "rectangle", "shapeId": "copy", "x": 0, "y": 300, "w": 200, "h": 90, "like": "model", "text": "Copy"})
        ),
        create(
            json!({"_type": "ellipse", "shapeId": "other", "x": 400, "y": 300, "w": 200, "h": 90, "like": "model", "color": "red"})
        ),
    ]));
    let look = |id: &str| {
        let own = shape(&room, id);
        [
            "strokeColor",
            "backgroundColor",
            "fillStyle",
            "strokeStyle",
            "strokeWidth",
        ]
        .map(|key| own.props[key].clone())
    };
    assert_eq!(look("copy"), look("model"));
    assert_eq!(text(&room, "Copy").font_size(), 30.0);
    let red = glade_canvas::Color::Red.paint(glade_canvas::Fill::Pattern);
    assert_eq!(
        look("other")[..3],
        [
            json!(red.stroke_color),
            json!(red.background_color),
            json!("hachure")
        ]
    );
}

#[test]
fn an_arrow_meets_its_shapes_where_it_was_put() {
    let arrow = |x1: i32, y1: i32| {
        let mut arrow = an_arrow("a", "b");
        for (key, value) in [("x1", x1), ("y1", y1), ("x2", 480), ("y2", 300)] {
            arrow["shape"][key] = json!(value);
        }
        let room = drawn(json!([
            a_box("a", 0, 0, "A"),
            a_box("b", 400, 300, "B"),
            arrow
        ]));
        shape(&room, "a-b")
    };
    let right = arrow(160, 40);
    assert_eq!(right.start_binding().unwrap().fixed_point, (1.0, 0.5001));
    assert_eq!(right.end_binding().unwrap().fixed_point, (0.5001, 0.0));
    let start = glade_canvas::bounds::page_points(&right)[0];
    assert!(
        start.x > 1160.0 && (start.y - 2040.0).abs() < 12.0,
        "{start:?}"
    );
    // A corner or a place elsewhere is where models take shapes to be: the middle is meant.
    for (x, y) in [(0, 0), (-300, 900), (80, 40)] {
        assert_eq!(
            arrow(x, y).start_binding().unwrap().fixed_point,
            (0.5001, 0.5001)
        );
    }
}

#[test]
fn centred_words_are_set_centred_even_where_they_wrap() {
    let room = drawn(json!([create(json!({
        "_type": "text", "shapeId": "t", "x": 500, "y": 40, "anchor": "top-center", "maxWidth": 200,
        "text": "What happens to an order that nobody paid",
    }))]));
    let words = &room.live()[0];
    assert_eq!(words.text_align(), TextAlign::Center);
    assert_eq!(words.rect().center().x, 1500.0);
}

#[test]
fn words_are_written_in_an_ink_that_can_be_read_where_they_stand() {
    let room = drawn(json!([
        create(
            json!({"_type": "rectangle", "shapeId": "dark", "x": 0, "y": 0, "w": 600, "h": 300, "color": "black", "fill": "solid"})
        ),
        create(
            json!({"_type": "text", "shapeId": "on", "x": 50, "y": 50, "color": "black", "text": "On the dark"})
        ),
        create(
            json!({"_type": "text", "shapeId": "off", "x": 50, "y": 500, "color": "light-green", "text": "On the page"})
        ),
        create(
            json!({"_type": "rectangle", "shapeId": "hole", "x": 100, "y": 120, "w": 200, "h": 90, "color": "blue", "text": "See through"})
        ),
    ]));
    let dark = Ground::default().under(&shape(&room, "dark"));
    for (words, ground) in [
        ("On the dark", &dark),
        ("See through", &dark),
        ("On the page", &Ground::default()),
    ] {
        let ink = text(&room, words).stroke_color().to_owned();
        assert!(ground.contrast(&ink) >= READABLE, "{words}: {ink}");
    }
    let shade = text(&room, "On the page").stroke_color().to_owned();
    assert_eq!(
        glade_canvas::Color::from_stroke(&shade),
        glade_canvas::Color::LightGreen
    );
}

#[test]
fn several_shapes_are_moved_changed_and_named_in_one_action() {
    let mut room = drawn(json!([
        a_box("a", 0, 0, "A"),
        a_box("b", 400, 0, "B"),
        an_arrow("a", "b")
    ]));
    let before = room.scene.bounds(&shape(&room, "a-b").id).unwrap();
    room.prompt("down, red, in German");
    room.answer(json!([
        {"_type": "move", "intent": "", "shapeIds": ["a", "b"], "dy": 200},
        {"_type": "update", "intent": "", "update": {"shapeIds": ["a", "b"], "color": "red", "dash": "dashed", "dx": 50}},
        {"_type": "label", "intent": "", "labels": [{"shapeId": "a", "text": "Eins"}, {"shapeId": "b", "text": "Zwei"}]},
    ]));
    let (a, b) = (room.named("Eins"), room.named("Zwei"));
    assert_eq!(
        [(a.x(), a.y()), (b.x(), b.y())],
        [(1050.0, 2200.0), (1450.0, 2200.0)]
    );
    assert_eq!(
        [&a.props["strokeStyle"], &b.props["strokeStyle"]],
        ["dashed", "dashed"]
    );
    assert_eq!(a.stroke_color(), "#e03131");
    let after = room.scene.bounds(&shape(&room, "a-b").id).unwrap();
    let way = (after.x - before.x, after.y - before.y);
    assert_eq!((way.0.round(), way.1.round()), (50.0, 200.0));
}

#[test]
fn a_pen_has_a_width_and_fills_its_own_area() {
    let pen = |fill: &str| {
        json!({"_type": "pen", "intent": "", "shapeId": "leaf", "color": "green", "fill": fill, "closed": true,
        "style": "smooth", "strokeWidth": 1.5, "points": [{"x": 0, "y": 0}, {"x": 100, "y": 40}, {"x": 0, "y": 80}]})
    };
    let filled = shape(&drawn(json!([pen("solid")])), "leaf");
    assert_eq!(
        (filled.kind(), filled.stroke_width()),
        (ElementKind::Line, 1.5)
    );
    assert_eq!(filled.props["polygon"], json!(true));
    assert_eq!(
        shape(&drawn(json!([pen("none")])), "leaf").kind(),
        ElementKind::Freedraw
    );
}

#[test]
fn what_came_out_otherwise_is_told() {
    let mut room = drawn(json!([create(json!({
        "_type": "rectangle", "shapeId": "small", "x": 0, "y": 0, "w": 80, "h": 40, "color": "crimson", "shadow": true,
        "text": "a text that needs far more room than this",
    }))]));
    let told = adjusted(&room);
    assert!(told.contains("not 80 x 40"), "{told}");
    assert!(
        told.contains("there is no color \"crimson\": black was taken"),
        "{told}"
    );
    assert!(told.contains("no such field: shadow"), "{told}");
    room.prompt("another");
    assert!(
        room.last_prompt()
            .messages
            .iter()
            .any(|message| message.content.contains("[ADJUSTED: "))
    );
    room.answer(json!([a_box("small", 600, 0, "Second")]));
    assert!(
        adjusted(&room).contains("it is \"small-2\""),
        "{}",
        adjusted(&room)
    );
}
