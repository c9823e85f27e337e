//! What follows from a drag, and a picture of a page.

use anyhow::{Context, Result, ensure};
use glade_canvas::render::{Options, to_svg};
use glade_canvas::{Scene, derive, file};
use glade_doc::ElementId;
use serde_json::{Value, json};

use super::Work;

const BOXES: usize = 60;
const ROUNDS: usize = 10;

/// Labelled boxes in rows, each with an arrow to the next.
fn flow() -> Result<Scene> {
    let mut elements: Vec<Value> = Vec::new();
    for at in 0..BOXES {
        let (x, y) = ((at % 10) * 220, (at / 10) * 160);
        elements.push(json!({"id": format!("box{at}"), "type": "rectangle", "x": x, "y": y, "width": 140, "height": 80,
            "seed": at + 1, "backgroundColor": "#a5d8ff", "fillStyle": "hachure", "roundness": {"type": 3}}));
        elements.push(json!({"id": format!("label{at}"), "type": "text", "containerId": format!("box{at}"),
            "text": "Order the tea", "originalText": "Order the tea", "fontSize": 20, "fontFamily": 5,
            "textAlign": "center", "verticalAlign": "middle", "lineHeight": 1.25}));
        if at > 0 {
            let bound = |to: usize| json!({"elementId": format!("box{to}"), "fixedPoint": [0.5001, 0.5001], "mode": "orbit"});
            elements.push(json!({"id": format!("arrow{at}"), "type": "arrow", "x": x, "y": y, "points": [[0, 0], [80, 0]],
                "seed": at + 1, "endArrowhead": "arrow", "startBinding": bound(at - 1), "endBinding": bound(at)}));
        }
    }
    let page = json!({"type": "excalidraw", "version": 2, "elements": elements});
    Ok(file::from_any(page.to_string().as_bytes())?.scene())
}

pub fn arrows_follow() -> Result<Work> {
    let mut scene = flow()?;
    Ok(Box::new(move || {
        for round in 0..ROUNDS {
            let id = ElementId::from(format!("box{}", round * 5));
            let moved = scene.get(&id).context("a box")?.clone();
            let x = json!(moved.x() + 37.0);
            scene.put(moved.with(&[("x".to_owned(), x)].into_iter().collect()));
            let follows = derive(&scene, &[id].into());
            ensure!(!follows.is_empty(), "nothing follows");
            scene.apply(&follows);
        }
        Ok(())
    }))
}

pub fn svg_drawn() -> Result<Work> {
    let scene = flow()?;
    Ok(Box::new(move || {
        let svg = to_svg(&scene, &Options::default());
        ensure!(svg.len() > 10_000, "an empty picture");
        Ok(())
    }))
}
