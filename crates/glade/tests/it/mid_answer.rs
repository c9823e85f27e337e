//! kill -9 while a fairy draws: what was half done is gone, the run goes on and ends, once.

use std::collections::BTreeSet;
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};

use crate::server::{Server, glade, said};

const STEPS: usize = 8;

impl Server {
    fn read(&self, path: &str) -> Value {
        let (status, body) = self.ask("GET", path, &self.token, &Value::Null);
        assert_eq!(status, 200, "{path}: {body}");
        body
    }

    fn elements(&self, page: &str) -> Vec<Value> {
        let drawing = self.read(&format!("/api/pages/{page}/export?format=excalidraw"));
        drawing["elements"].as_array().unwrap().clone()
    }

    fn until<T>(&self, what: &str, mut found: impl FnMut(&Self) -> Option<T>) -> T {
        for _ in 0..1_500 {
            if let Some(found) = found(self) {
                return found;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("timed out: {what}");
    }
}

fn texts(elements: &[Value]) -> Vec<&str> {
    elements
        .iter()
        .filter_map(|element| element["originalText"].as_str())
        .collect()
}

#[test]
fn a_fairy_killed_in_the_middle_of_its_answer_does_all_of_it_once() {
    // Killed after so many elements: in the middle of a box, of an arrow, near the end.
    for after in [1, 6, 15] {
        let data = tempfile::tempdir().unwrap();
        let server = Server::with(data.path(), &["--sketch-pace", "60"], Stdio::null());
        let workspace = server.read("/api/workspaces/main");
        let page = workspace["pages"][0]["id"].as_str().unwrap().to_owned();
        let fairy = workspace["fairies"][0]["id"].as_str().unwrap().to_owned();
        let names: Vec<String> = (1..=STEPS).map(|n| format!("Step {n}")).collect();
        let message = format!("Draw a flow: {}", names.join(" -> "));
        let asked = json!({"input": {"message": message}});
        let path = format!("/api/fairies/{fairy}/interrupt");
        let (status, begun) = server.ask("POST", &path, &server.token, &asked);
        assert_eq!(status, 202, "{begun}");
        let run = begun["run"].as_str().unwrap().to_owned();
        server.until("it draws", |server| {
            (server.elements(&page).len() >= after).then_some(())
        });
        server.kill();
        let verified = glade(&["audit", "verify", "--data"], &[data.path()]);
        assert!(verified.status.success(), "{}", said(&verified));

        let server = Server::with(data.path(), &["--sketch-pace", "0"], Stdio::null());
        let run = server.until("the run ends", |server| {
            let run = server.read(&format!("/api/runs/{run}"));
            (run["status"] != "running").then_some(run)
        });
        assert_eq!(run["status"], "pending", "killed after {after}: {run}");
        let elements = server.elements(&page);
        let kinds = |kind: &str| {
            elements
                .iter()
                .filter(|element| element["type"] == kind)
                .count()
        };
        let found = (kinds("rectangle"), kinds("text"), kinds("arrow"));
        assert_eq!(found, (STEPS, STEPS, STEPS - 1), "killed after {after}");
        let said: BTreeSet<&str> = texts(&elements).into_iter().collect();
        assert_eq!(
            said,
            names.iter().map(String::as_str).collect(),
            "each once, killed after {after}"
        );
        let undo = format!("/api/runs/{}/undo", run["id"].as_str().unwrap());
        let (status, undone) = server.ask("POST", &undo, &server.token, &json!({}));
        assert_eq!(
            (status, undone["kept"].clone()),
            (200, json!([])),
            "{undone}"
        );
        assert_eq!(server.elements(&page), Vec::<Value>::new());
        server.kill();
    }
}
