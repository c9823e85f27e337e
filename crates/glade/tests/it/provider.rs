//! A model's provider that says what it likes, on the wire of OpenAI's Chat.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

/// Answers every request with the same pieces, as fast as they are taken.
pub struct Provider {
    pub address: SocketAddr,
    sent: Arc<AtomicUsize>,
}

/// One answer: the pieces (the `delta` of each event) and how often they come.
#[derive(Clone)]
pub struct Answer {
    pub first: Vec<Value>,
    pub again: Value,
    pub times: usize,
    pub last: Vec<Value>,
}

impl Answer {
    pub fn of(again: Value, times: usize) -> Self {
        let (first, last) = (Vec::new(), Vec::new());
        Self {
            first,
            again,
            times,
            last,
        }
    }
}

impl Provider {
    pub fn start(answer: Answer) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let sent = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&sent);
        std::thread::spawn(move || {
            for line in listener.incoming() {
                let (answer, sent) = (answer.clone(), Arc::clone(&counted));
                std::thread::spawn(move || {
                    // Whoever has heard enough closes the line.
                    let _closed = tell(line.unwrap(), &answer, &sent);
                });
            }
        });
        Self { address, sent }
    }

    /// MB that were taken from it so far.
    pub fn sent(&self) -> usize {
        self.sent.load(Ordering::Relaxed) >> 20
    }
}

fn tell(line: TcpStream, answer: &Answer, sent: &AtomicUsize) -> std::io::Result<()> {
    let mut reader = BufReader::new(line.try_clone()?);
    let mut length = 0;
    loop {
        let mut header = String::new();
        reader.read_line(&mut header)?;
        let header = header.trim().to_ascii_lowercase();
        if let Some(bytes) = header.strip_prefix("content-length:") {
            length = bytes.trim().parse().unwrap_or(0);
        }
        if header.is_empty() {
            break;
        }
    }
    reader.read_exact(&mut vec![0; length])?;
    let mut line = std::io::BufWriter::with_capacity(1 << 16, line);
    line.write_all(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n",
    )?;
    let event = |delta: &Value| format!("data: {}\n\n", json!({"choices": [{"delta": delta}]}));
    for delta in &answer.first {
        line.write_all(event(delta).as_bytes())?;
    }
    let again = event(&answer.again);
    for _ in 0..answer.times {
        line.write_all(again.as_bytes())?;
        sent.fetch_add(again.len(), Ordering::Relaxed);
    }
    for delta in &answer.last {
        line.write_all(event(delta).as_bytes())?;
    }
    line.write_all(
        b"data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
    )?;
    line.flush()
}
