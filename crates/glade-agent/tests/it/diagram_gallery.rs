//! Diagrams to look at: `GLADE_DIAGRAM_GALLERY=folder cargo test -p glade-agent diagram_gallery` writes them as PNG.

use glade_canvas::render;
use serde_json::{Value, json};

use crate::room::Room;

fn flow(lines: &str, direction: &str) -> Value {
    json!({"_type": "diagram", "diagramId": "login", "kind": "flow", "direction": direction, "lines": lines, "title": "Logging in",
        "nodes": [
            {"id": "start", "text": "Start", "shape": "pill", "color": "green"}, {"id": "form", "text": "Enter name and password"},
            {"id": "valid", "text": "Valid?", "shape": "diamond"}, {"id": "home", "text": "Dashboard", "color": "green"},
            {"id": "error", "text": "Show error", "color": "red"}, {"id": "reset", "text": "Reset password"}, {"id": "mail", "text": "Send mail"}],
        "edges": [
            {"from": "start", "to": "form"}, {"from": "form", "to": "valid"}, {"from": "valid", "to": "home", "text": "yes"},
            {"from": "valid", "to": "error", "text": "no"}, {"from": "error", "to": "form"}, {"from": "valid", "to": "reset", "text": "forgotten"},
            {"from": "reset", "to": "mail"}, {"from": "mail", "to": "form", "dashed": true}]})
}

pub fn all() -> Vec<(&'static str, Value)> {
    let list = |names: &str, parent: &str| -> Vec<Value> {
        let names = names.split(", ");
        names
            .map(|name| json!({"id": name, "text": name, "parent": parent}))
            .collect()
    };
    let tree = |kind: &str, root: &str, branches: &[(&str, &str)]| {
        let mut nodes = vec![json!({"id": root, "text": root})];
        for (branch, leaves) in branches {
            nodes.extend(list(branch, root));
            if !leaves.is_empty() {
                nodes.extend(list(leaves, branch));
            }
        }
        json!({"_type": "diagram", "diagramId": root, "kind": kind, "title": format!("All about {root}"), "nodes": nodes})
    };
    let grouped = |kind: &str, title: &str, groups: &[(&str, &str)]| {
        let mut nodes = Vec::new();
        for (group, members) in groups {
            let members = members.split(", ").filter(|name| !name.is_empty());
            nodes.extend(members.map(|name| json!({"id": name, "text": name, "group": group})));
        }
        let groups: Vec<Value> = groups
            .iter()
            .map(|it| json!({"id": it.0, "text": it.0}))
            .collect();
        json!({"_type": "diagram", "diagramId": title, "kind": kind, "title": title, "groups": groups, "nodes": nodes})
    };
    let edges = |mut diagram: Value, edges: &str| {
        let edges: Vec<Value> = edges.split(", ").map(Value::from).collect();
        diagram["edges"] = json!(edges);
        diagram
    };
    vec![
        ("01-flow-elbow", flow("elbow", "down")),
        ("02-flow-straight", flow("straight", "down")),
        ("03-flow-curved-right", flow("curved", "right")),
        (
            "04-org",
            tree(
                "tree",
                "Chief Executive",
                &[
                    ("Engineering", "Backend, Frontend, Quality"),
                    ("Finance", "Payroll, Accounting"),
                    ("Sales", ""),
                ],
            ),
        ),
        (
            "05-mind",
            tree(
                "mind-map",
                "Party",
                &[
                    ("Food", "Pizza, Salad, Cake"),
                    ("Music", "Band, Playlist"),
                    ("Guests", "Family, Friends, Neighbours"),
                    ("Place", ""),
                ],
            ),
        ),
        (
            "06-radial",
            tree(
                "radial",
                "Glade",
                &[
                    ("Pages", "Canvas, Text"),
                    ("Fairies", "Modes, Actions, Parts"),
                    ("Rooms", "Gate, Log"),
                ],
            ),
        ),
        (
            "07-sequence",
            edges(
                grouped("sequence", "Login", &[]),
                "Browser->Server: POST /login, Server->Database: find the user, Database->Server: row, Server->Server: check password, Server->Browser: token",
            ),
        ),
        (
            "08-timeline",
            grouped(
                "timeline",
                "The web",
                &[
                    ("1990s", "Web, Browser wars"),
                    ("2000s", "Social, Mobile, Video"),
                    ("2010s", "Cloud"),
                ],
            ),
        ),
        (
            "09-timeline-plain",
            json!({"_type": "diagram", "diagramId": "t", "kind": "timeline", "title": "Our company", "nodes": ["2019 Founded", "2020 First customer", "2021 Ten people", "2023 Sold"]}),
        ),
        (
            "10-board",
            grouped(
                "board",
                "Sprint",
                &[
                    ("To do", "Write tests, Fix the router, Measure"),
                    ("Doing", "Draw pictures, Read papers"),
                    ("Done", "Types"),
                ],
            ),
        ),
        (
            "11-grid",
            json!({"_type": "diagram", "diagramId": "g", "kind": "grid", "title": "Ideas", "nodes": ["Plan", "Build", "Test everything twice", "Ship", "Rest", "Again"]}),
        ),
        (
            "12-cloud",
            edges(
                grouped(
                    "flow",
                    "A web shop",
                    &[
                        ("Clients", "Web, Mobile"),
                        ("Backend", "API, Orders, Billing"),
                        ("Data", "Postgres, Redis, Queue"),
                    ],
                ),
                "Web->CDN, CDN->API, Mobile->API, API->Orders, Orders->Postgres, API->Billing, Billing->Postgres, API->Redis: cache, Orders->Queue: events, Queue->Billing, Billing->Stripe: charge",
            ),
        ),
        (
            "13-lanes",
            edges(
                grouped(
                    "lanes",
                    "An order",
                    &[
                        ("Customer", "Browse, Pay, Receive"),
                        ("Shop", "Check stock, Pack, Refund"),
                        ("Carrier", "Pick up, Deliver"),
                    ],
                ),
                "Browse->Check stock, Check stock->Pay, Pay->Pack, Pack->Pick up, Pick up->Deliver, Deliver->Receive, Check stock->Refund: sold out",
            ),
        ),
    ]
}

#[test]
fn all_can_be_drawn() {
    let folder = std::env::var_os("GLADE_DIAGRAM_GALLERY").map(std::path::PathBuf::from);
    for (name, diagram) in all() {
        let mut room = Room::asked("draw");
        room.answer(json!([diagram]));
        let wrong = room.asked.len() > 1;
        assert!(!wrong, "{name}: {}", room.told());
        if let Some(folder) = &folder {
            let png = render::to_png(&room.scene, &render::Options::default()).unwrap();
            std::fs::write(folder.join(format!("{name}.png")), png).unwrap();
        }
    }
}
