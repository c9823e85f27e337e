//! The additions in the program: a fairy draws on a file with a model that knows of them.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::sync::mpsc;

use serde_json::{Value, json};

/// An OpenAI-like server that gives one answer; what it was asked comes out of the channel.
fn model_that_says(answer: &Value) -> (String, mpsc::Receiver<String>) {
    let (told, asked) = mpsc::channel();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let delta = json!({"choices": [{"delta": {"content": answer.to_string()}}]});
    let end = json!({"choices": [{"delta": {}, "finish_reason": "stop"}]});
    let body = format!("data: {delta}\n\ndata: {end}\n\ndata: [DONE]\n\n");
    std::thread::spawn(move || {
        for line in listener.incoming() {
            let mut line = line.unwrap();
            let request = read(&line);
            if !request.contains("\"messages\"") {
                // It is asked first what the model can do; such a server does not know.
                let gone =
                    "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
                let _closed = line.write_all(gone.as_bytes());
                continue;
            }
            if told.send(request).is_err() {
                return;
            }
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close";
            let _closed = line.write_all(format!("{head}\r\n\r\n{body}").as_bytes());
        }
    });
    (address, asked)
}

fn read(line: &TcpStream) -> String {
    let mut reader = BufReader::new(line.try_clone().unwrap());
    let mut length = 0;
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).unwrap();
        let header = header.trim().to_ascii_lowercase();
        if let Some(bytes) = header.strip_prefix("content-length:") {
            length = bytes.trim().parse().unwrap();
        }
        if header.is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    String::from_utf8(body).unwrap()
}

#[test]
fn the_program_is_glade_with_what_was_added() {
    let folder = tempfile::tempdir().unwrap();
    let extended = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_extended"));
        command
            .current_dir(folder.path())
            .env_clear()
            .stdin(Stdio::null());
        command.args(args);
        command
    };
    let drawn = extended(&["draw", "plan.excalidraw", "Draw a flow: Order -> Pay"]).output();
    assert!(drawn.unwrap().status.success());
    let shapes = |name: &str| -> Vec<Value> {
        let file = std::fs::read(folder.path().join(name)).unwrap();
        let file: Value = serde_json::from_slice(&file).unwrap();
        file["elements"].as_array().unwrap().clone()
    };
    let mut boxes = shapes("plan.excalidraw");
    boxes.retain(|shape| shape["type"] == "rectangle");
    let ids = [&boxes[0]["id"]];
    let fade = json!({"actions": [{"_type": "fade", "opacity": 40, "shapeIds": ids}]});
    let (address, asked) = model_that_says(&fade);
    let output = extended(&[
        "draw",
        "plan.excalidraw",
        "Fade what is done",
        "--model",
        "local/x",
    ])
    .env("OLLAMA_HOST", address)
    .output()
    .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let request = asked.recv().unwrap();
    assert!(request.contains("On the page there are:"), "{request}");
    assert!(output.status.success(), "{said}\n{request}");
    let faded = shapes("plan.excalidraw");
    let faded = faded
        .iter()
        .filter(|shape| shape["opacity"].as_f64() == Some(40.0));
    assert_eq!(faded.count(), 1, "{said}\n{request}");
}
