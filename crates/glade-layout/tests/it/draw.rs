//! A layout as SVG, to be looked at.

use std::fmt::Write as _;

use glade_layout::{Layout, Point, Rect, Route, Routing, curve};

/// Words are as wide as their box says; what is drawn is only where things are.
pub fn svg(layout: &Layout) -> String {
    let around = layout.bounds().unwrap_or_default();
    let mut text = String::new();
    let (x, y, w, h) = (
        around.x() - 20.0,
        around.y() - 20.0,
        around.w() + 40.0,
        around.h() + 40.0,
    );
    let _ = write!(
        text,
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="{x} {y} {w} {h}" font-family="sans-serif" font-size="14"><rect x="{x}" y="{y}" width="{w}" height="{h}" fill="white"/><defs><marker id="a" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L10 5L0 10" fill="none" stroke="#222"/></marker></defs>"##
    );
    for group in &layout.groups {
        shape(&mut text, group.rect, "#f3f0ff", "#9775fa");
        words(&mut text, group.title, &group.id.0, "#e5dbff");
    }
    let marks = &layout.sequence;
    for (from, to) in marks.lifelines.iter().chain(&layout.axis) {
        line(&mut text, &[*from, *to], "#aaa", "");
    }
    for frame in &marks.frames {
        shape(&mut text, frame.rect, "none", "#e8590c");
        words(&mut text, frame.title, &frame.id.0, "#ffe8cc");
        for (y, title) in &frame.parts {
            let (left, right) = (frame.rect.x(), frame.rect.right());
            let _ = write!(
                text,
                r##"<path d="M{left} {y}H{right}" stroke="#e8590c" stroke-dasharray="4 4"/>"##
            );
            words(&mut text, *title, "else", "#ffe8cc");
        }
    }
    for it in &marks.activations {
        shape(&mut text, *it, "#d0ebff", "#1971c2");
    }
    for note in &marks.notes {
        words(&mut text, note.rect, &note.id.0, "#fff3bf");
    }
    for edge in &layout.edges {
        match &edge.route {
            Route::Path {
                routing: Routing::Curved,
                points,
            } => bend(&mut text, points),
            Route::Path { points, .. } => {
                line(&mut text, points, "#222", r#" marker-end="url(#a)""#)
            }
            Route::Unroutable => {}
        }
    }
    for node in &layout.nodes {
        shape(&mut text, node.rect, "#e7f5ff", "#1971c2");
        let middle = node.rect.center();
        let _ = write!(
            text,
            r#"<text x="{}" y="{}" text-anchor="middle">{}</text>"#,
            middle.x(),
            middle.y() + 5.0,
            node.id.0
        );
    }
    for edge in &layout.edges {
        if let Some(label) = edge.label {
            words(&mut text, label.rect, &edge.id.0, "#fff");
        }
    }
    text.push_str("</svg>");
    text
}

fn shape(text: &mut String, it: Rect, fill: &str, stroke: &str) {
    let _ = write!(
        text,
        r#"<rect x="{}" y="{}" width="{}" height="{}" rx="4" fill="{fill}" stroke="{stroke}"/>"#,
        it.x(),
        it.y(),
        it.w(),
        it.h()
    );
}

fn words(text: &mut String, it: Rect, said: &str, fill: &str) {
    if it.w() == 0.0 {
        return;
    }
    let _ = write!(
        text,
        r#"<rect x="{}" y="{}" width="{}" height="{}" fill="{fill}"/><text x="{}" y="{}" text-anchor="middle" font-size="12">{said}</text>"#,
        it.x(),
        it.y(),
        it.w(),
        it.h(),
        it.center().x(),
        it.center().y() + 4.0
    );
}

fn line(text: &mut String, points: &[Point], stroke: &str, end: &str) {
    let points: Vec<String> = points
        .iter()
        .map(|it| format!("{},{}", it.x(), it.y()))
        .collect();
    let _ = write!(
        text,
        r#"<polyline points="{}" fill="none" stroke="{stroke}"{end}/>"#,
        points.join(" ")
    );
}

fn bend(text: &mut String, points: &[Point]) {
    let Some(first) = points.first() else {
        return;
    };
    let mut path = format!("M{} {}", first.x(), first.y());
    for [_, a, b, c] in curve::beziers(points) {
        let _ = write!(
            path,
            "C{} {} {} {} {} {}",
            a.x(),
            a.y(),
            b.x(),
            b.y(),
            c.x(),
            c.y()
        );
    }
    let _ = write!(
        text,
        r##"<path d="{path}" fill="none" stroke="#222" marker-end="url(#a)"/>"##
    );
}
