//! Every action of one fairy through the whole stack, in one piece and a few letters at a time: both
//! must come to the same, and to what the action says.

use std::collections::BTreeMap;
use std::time::Duration;

use glade_agent::{Input, Mode};
use glade_doc::Surface;
use glade_model::ModelEvent;
use glade_store::RunStatus;
use serde_json::{Value, json};

use super::stage::Stage;

/// What there is before the action under test: three boxes.
fn boxes() -> String {
    let one = |id: &str, x: i32, y: i32| {
        json!({"_type": "create", "intent": "", "shape": {
            "_type": "rectangle", "shapeId": id, "x": x, "y": y, "w": 160, "h": 80, "color": "blue", "fill": "none",
            "text": id.to_uppercase(),
        }})
        .to_string()
    };
    [one("a", 0, 0), one("b", 300, 50), one("c", 700, 120)].join(",")
}

/// What a page, the fairy and the chat hold when the run is over.
#[derive(Debug, Clone, PartialEq)]
struct After {
    /// Shapes with words: x, y from where A was; width, height; angle in degrees.
    boxes: BTreeMap<String, [i64; 5]>,
    /// The words of shapes with words, bottom first.
    order: Vec<String>,
    /// The types of all live elements, sorted.
    kinds: Vec<String>,
    color_of_a: Value,
    /// How often the model was asked for this run.
    asked: usize,
    /// What the chat shows: each part's type, or an action's name and state.
    chat: Vec<String>,
    pages: Vec<String>,
    status: RunStatus,
}

struct Case {
    name: &'static str,
    mode: Option<Mode>,
    /// Actions of one answer after another; the first comes in letters, too.
    answers: Vec<Value>,
    check: fn(&After),
}

fn case(name: &'static str, action: Value, check: fn(&After)) -> Case {
    Case {
        name,
        mode: None,
        answers: vec![json!([action])],
        check,
    }
}

fn cases() -> Vec<Case> {
    let all = json!(["a", "b", "c"]);
    let create = |kind: &str, more: Value| {
        let mut shape = json!({"_type": kind, "shapeId": "n"});
        for (key, value) in more.as_object().unwrap() {
            shape[key] = value.clone();
        }
        json!({"_type": "create", "intent": "", "shape": shape})
    };
    vec![
        case(
            "message",
            json!({"_type": "message", "text": "Hello \"you\""}),
            |after| {
                assert_eq!(
                    (after.chat.as_slice(), after.status),
                    (["text".to_owned()].as_slice(), RunStatus::Kept)
                );
            },
        ),
        case("think", json!({"_type": "think", "text": "Hm."}), |after| {
            assert_eq!(after.chat, ["reasoning"])
        }),
        case(
            "create a box",
            create(
                "ellipse",
                json!({"x": 0, "y": 300, "w": 100, "h": 90, "color": "red", "fill": "tint", "text": "N"}),
            ),
            |after| {
                assert_eq!(after.boxes["N"], [0, 300, 100, 90, 0]);
            },
        ),
        case(
            "create a text",
            create(
                "text",
                json!({"x": 10, "y": 300, "anchor": "top-left", "color": "black", "text": "N"}),
            ),
            |after| {
                assert_eq!(after.boxes["N"][..2], [10, 300]);
            },
        ),
        case(
            "create a note",
            create(
                "note",
                json!({"x": 0, "y": 300, "color": "yellow", "text": "N"}),
            ),
            |after| {
                assert_eq!(after.boxes["N"][..2], [0, 300]);
            },
        ),
        case(
            "create an arrow",
            create(
                "arrow",
                json!({"fromId": "a", "toId": "b", "x1": 0, "y1": 0, "x2": 9, "y2": 9, "color": "black", "text": "then"}),
            ),
            |after| {
                assert!(
                    after.kinds.contains(&"arrow".to_owned()) && after.boxes.contains_key("then"),
                    "{after:?}"
                );
            },
        ),
        case(
            "create a line",
            create(
                "line",
                json!({"x1": 0, "y1": 300, "x2": 90, "y2": 350, "color": "black"}),
            ),
            |after| {
                assert!(after.kinds.contains(&"line".to_owned()), "{after:?}");
            },
        ),
        case(
            "update",
            json!({"_type": "update", "intent": "", "update": {"shapeId": "a", "w": 220, "color": "red"}}),
            |after| {
                assert_eq!(
                    (after.boxes["A"], after.color_of_a.as_str()),
                    ([0, 0, 220, 80, 0], Some("#e03131"))
                );
            },
        ),
        case(
            "label",
            json!({"_type": "label", "intent": "", "shapeId": "a", "text": "Alpha"}),
            |after| {
                assert_eq!(after.boxes["Alpha"], [0, 0, 160, 80, 0]);
            },
        ),
        case(
            "move",
            json!({"_type": "move", "intent": "", "shapeId": "b", "x": 300, "y": 200, "anchor": "top-left"}),
            |after| {
                assert_eq!(after.boxes["B"], [300, 200, 160, 80, 0]);
            },
        ),
        case(
            "delete",
            json!({"_type": "delete", "intent": "", "shapeId": "c"}),
            |after| {
                assert_eq!(after.order, ["A", "B"]);
            },
        ),
        case(
            "place",
            json!({"_type": "place", "intent": "", "shapeId": "c", "referenceShapeId": "a", "side": "right", "sideOffset": 40, "align": "start", "alignOffset": 0}),
            |after| {
                assert_eq!(after.boxes["C"], [200, 0, 160, 80, 0]);
            },
        ),
        case(
            "align",
            json!({"_type": "align", "intent": "", "alignment": "top", "shapeIds": all}),
            |after| {
                assert_eq!(["A", "B", "C"].map(|name| after.boxes[name][1]), [0, 0, 0]);
            },
        ),
        case(
            "distribute",
            json!({"_type": "distribute", "intent": "", "direction": "horizontal", "shapeIds": all}),
            |after| {
                assert_eq!(
                    ["A", "B", "C"].map(|name| after.boxes[name][0]),
                    [0, 350, 700]
                );
            },
        ),
        case(
            "stack",
            json!({"_type": "stack", "intent": "", "direction": "horizontal", "gap": 20, "shapeIds": all}),
            |after| {
                assert_eq!(
                    ["A", "B", "C"].map(|name| after.boxes[name][0]),
                    [0, 180, 360]
                );
            },
        ),
        case(
            "tidy",
            json!({"_type": "tidy", "intent": "", "shapeIds": all}),
            |after| {
                // No arrows say more than that: a grid, from where the first was.
                let corner = |name: &str| [after.boxes[name][0], after.boxes[name][1]];
                assert_eq!(["A", "B", "C"].map(corner), [[0, 0], [200, 0], [0, 120]]);
            },
        ),
        case(
            "diagram",
            json!({"_type": "diagram", "intent": "", "diagramId": "d", "kind": "flow",
                "nodes": [{"id": "x", "text": "X"}, {"id": "y", "text": "Y", "parent": "x"}]}),
            |after| {
                let [x, y] = ["X", "Y"].map(|name| after.boxes[name]);
                assert_eq!((x[0], x[2]), (y[0], y[2]), "{after:?}");
                assert!(x[1] + x[3] < y[1], "{after:?}");
                assert!(after.kinds.contains(&"arrow".to_owned()), "{after:?}");
            },
        ),
        case(
            "rotate",
            json!({"_type": "rotate", "intent": "", "degrees": 90, "originX": 80, "originY": 40, "shapeIds": ["a"]}),
            |after| {
                assert_eq!(after.boxes["A"], [0, 0, 160, 80, 90]);
            },
        ),
        case(
            "resize",
            json!({"_type": "resize", "intent": "", "scaleX": 2, "scaleY": 2, "originX": 0, "originY": 0, "shapeIds": ["a"]}),
            |after| {
                assert_eq!(after.boxes["A"], [0, 0, 320, 160, 0]);
            },
        ),
        case(
            "bring-to-front",
            json!({"_type": "bring-to-front", "intent": "", "shapeIds": ["a"]}),
            |after| {
                assert_eq!(after.order, ["B", "C", "A"]);
            },
        ),
        case(
            "send-to-back",
            json!({"_type": "send-to-back", "intent": "", "shapeIds": ["c"]}),
            |after| {
                assert_eq!(after.order, ["C", "A", "B"]);
            },
        ),
        case(
            "pen",
            json!({"_type": "pen", "intent": "", "shapeId": "p", "color": "red", "fill": "none", "closed": false, "style": "smooth",
            "points": [{"x": 0, "y": 300}, {"x": 50, "y": 350}, {"x": 100, "y": 300}]}),
            |after| {
                assert!(
                    after
                        .kinds
                        .iter()
                        .any(|kind| kind == "freedraw" || kind == "line"),
                    "{after:?}"
                );
            },
        ),
        case("clear", json!({"_type": "clear"}), |after| {
            assert_eq!(after.kinds, Vec::<String>::new())
        }),
        case(
            "fly-to-bounds",
            json!({"_type": "fly-to-bounds", "intent": "", "x": 900, "y": 0, "w": 500, "h": 400}),
            |after| {
                assert_eq!(after.asked, 2, "{after:?}");
            },
        ),
        case(
            "review",
            json!({"_type": "review", "intent": "all", "x": 0, "y": 0, "w": 500, "h": 400}),
            |after| {
                assert_eq!(after.asked, 2, "{after:?}");
            },
        ),
        case(
            "add-detail",
            json!({"_type": "add-detail", "intent": "shadows"}),
            |after| assert_eq!(after.asked, 2),
        ),
        case(
            "count",
            json!({"_type": "count", "expression": "type=rectangle"}),
            |after| {
                assert_eq!(after.asked, 2);
                assert!(
                    after.chat.contains(&"count output-available".to_owned()),
                    "{after:?}"
                );
            },
        ),
        case(
            "create-page",
            json!({"_type": "create-page", "intent": "", "pageName": "Plans", "switchToPage": false}),
            |after| {
                assert!(after.pages.contains(&"Plans".to_owned()), "{after:?}");
            },
        ),
        case(
            "change-page",
            json!({"_type": "change-page", "intent": "", "pageName": "nowhere"}),
            |after| {
                assert_eq!(
                    (after.asked, after.chat.first().map(String::as_str)),
                    (2, Some("change-page refused"))
                );
            },
        ),
        Case {
            name: "todos",
            mode: None,
            answers: vec![
                json!([
                    {"_type": "upsert-personal-todo-item", "id": "1", "status": "todo", "text": "one"},
                    {"_type": "upsert-personal-todo-item", "id": "2", "status": "todo", "text": "two"},
                    {"_type": "delete-personal-todo-items", "ids": ["2"]},
                ]),
                json!([{"_type": "upsert-personal-todo-item", "id": "1", "status": "done"}]),
            ],
            check: |after| assert_eq!(after.asked, 2, "{after:?}"),
        },
        Case {
            name: "tasks",
            mode: Some(Mode::Soloing),
            answers: vec![
                json!([
                    {"_type": "create-task", "taskId": "t", "title": "Move it", "text": "Move B.", "x": 0, "y": 0, "w": 600, "h": 400},
                    {"_type": "start-task", "taskId": "t"},
                ]),
                json!([
                    {"_type": "move", "intent": "", "shapeId": "b", "x": 300, "y": 200, "anchor": "top-left"},
                    {"_type": "mark-task-done"},
                ]),
            ],
            check: |after| {
                assert_eq!(
                    (after.boxes["B"], after.asked),
                    ([300, 200, 160, 80, 0], 3),
                    "{after:?}"
                );
            },
        },
        case(
            "an action that there is not",
            json!({"_type": "explode", "shapeId": "a"}),
            |after| {
                assert_eq!(
                    (after.asked, after.chat.first().map(String::as_str)),
                    (2, Some("explode refused"))
                );
            },
        ),
        case(
            "drawing while planning",
            json!({"_type": "create-task", "taskId": "t", "title": "T", "text": "", "x": 0, "y": 0, "w": 9, "h": 9}),
            |after| {
                assert_eq!(
                    after.chat.first().map(String::as_str),
                    Some("create-task refused"),
                    "{after:?}"
                );
            },
        ),
    ]
}

/// Plays a case on a stage of its own.
async fn play(case: &Case, pieces: Option<usize>) -> After {
    let stage = Stage::set().await;
    let run = stage.prompt("three boxes").await;
    stage.model.answer(&boxes());
    stage.wait_for_end(&run).await;
    let origin = after(&stage, &run, [0, 0], 0).await.boxes["A"];
    let before = stage.model.requests();
    let input = Input {
        mode: case.mode,
        ..Input::message("go")
    };
    let run = stage.ask(input).await.run;
    let ended = || {
        stage
            .deps
            .workspace
            .run(&run)
            .is_some_and(|run| run.status != RunStatus::Running)
    };
    for number in 0.. {
        stage
            .wait("the model is asked", || {
                stage.model.requests() > before + number || ended()
            })
            .await;
        if ended() {
            break;
        }
        assert!(number < 8, "{}: no end", case.name);
        let closing = json!([{"_type": "message", "text": "Done."}]);
        let whole = case.answers.get(number).unwrap_or(&closing);
        let text = json!({"actions": whole}).to_string();
        // To this request alone: an action may have cut the answer short and asked again already.
        let request = before + number;
        let say = |text: &str| {
            let words = ModelEvent::Text(text.to_owned());
            stage.model.tell_to(request, Ok(words));
        };
        match pieces.filter(|_| number == 0) {
            None => say(&text),
            Some(letters) => {
                for piece in text.as_bytes().chunks(letters) {
                    say(std::str::from_utf8(piece).unwrap());
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
            }
        }
        stage.model.answer_to(request, "");
        stage
            .wait("it goes on", || {
                stage.model.requests() > before + number + 1 || ended()
            })
            .await;
    }
    let asked = stage.model.requests() - before;
    after(&stage, &run, [origin[0], origin[1]], asked).await
}

async fn after(stage: &Stage, run: &str, origin: [i64; 2], asked: usize) -> After {
    let elements = stage.elements().await;
    let live: Vec<_> = elements
        .iter()
        .filter(|(_, props)| props.get("isDeleted") != Some(&json!(true)))
        .collect();
    let number = |value: &Value| value.as_f64().unwrap_or_default().round() as i64;
    let (mut boxes, mut order, mut color_of_a) = (BTreeMap::new(), Vec::new(), Value::Null);
    for (id, props) in &live {
        let Some(text) = props.get("originalText").and_then(Value::as_str) else {
            continue;
        };
        let container = props.get("containerId").and_then(Value::as_str);
        let shape = container.map_or(*props, |id| &elements[&id.into()]);
        let of = |key: &str| shape.get(key).cloned().unwrap_or_default();
        let angle = of("angle")
            .as_f64()
            .unwrap_or_default()
            .to_degrees()
            .round() as i64;
        let place = [
            number(&of("x")) - origin[0],
            number(&of("y")) - origin[1],
            number(&of("width")),
            number(&of("height")),
            angle,
        ];
        if text == "A" {
            color_of_a = of("strokeColor");
        }
        let index = of("index").as_str().unwrap_or_default().to_owned();
        order.push((index, id.to_string(), text.to_owned()));
        boxes.insert(text.to_owned(), place);
    }
    order.sort();
    let mut kinds: Vec<String> = live
        .iter()
        .filter_map(|(_, props)| Some(props["type"].as_str()?.to_owned()))
        .collect();
    kinds.sort();
    let messages = stage.deps.store.messages(&stage.fairy).unwrap();
    let last: Value = serde_json::from_str(&messages.last().unwrap().body_json).unwrap();
    let told = |part: &Value| {
        let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        match word(&part["type"]).as_str() {
            "data-action" => format!(
                "{} {}",
                word(&part["data"]["name"]),
                word(&part["data"]["state"])
            ),
            "dynamic-tool" => format!("{} {}", word(&part["toolName"]), word(&part["state"])),
            kind => kind.to_owned(),
        }
    };
    After {
        boxes,
        order: order.into_iter().map(|(_, _, text)| text).collect(),
        kinds,
        color_of_a,
        asked,
        chat: last["parts"].as_array().unwrap().iter().map(told).collect(),
        pages: stage
            .deps
            .workspace
            .snapshot()
            .pages
            .into_iter()
            .map(|page| page.name)
            .collect(),
        status: stage.deps.workspace.run(run).unwrap().status,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_action_comes_to_the_same_whole_and_in_letters() {
    for case in cases() {
        let whole = play(&case, None).await;
        (case.check)(&whole);
        let letters = play(&case, Some(3)).await;
        assert_eq!(letters, whole, "{}", case.name);
    }
}

/// Whatever a mode offers is in the table above, or tested by name elsewhere.
#[test]
fn no_action_of_a_single_fairy_is_left_out_of_the_table() {
    let played: String = cases()
        .iter()
        .flat_map(|case| case.answers.clone())
        .map(|answer| answer.to_string())
        .collect();
    // Tested in `finding_out` and `commenting`: they need a list, a network, or other pages.
    let elsewhere = [
        "search",
        "claim-todo-item",
        "random-wikipedia-article",
        "country-info",
    ];
    for mode in [Mode::OneShotting, Mode::Soloing, Mode::WorkingSolo] {
        for action in glade_agent::action::allowed(mode.row()) {
            let name = action.name();
            if !action.facts().on.fits(Surface::Canvas) {
                continue; // told of with text pages
            }
            let known =
                played.contains(&format!("\"_type\":\"{name}\"")) || elsewhere.contains(&name);
            assert!(known, "{name} of {} is nowhere tested", mode.name());
        }
    }
}
