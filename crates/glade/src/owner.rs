//! The owner's word to a running server, through the socket in its data folder.

use std::io::{Read as _, Write as _};
use std::path::Path;
use std::time::Duration;

use glade_access::Keys;
use serde_json::Value;

/// How long the server may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// More of an answer is not read.
const LONGEST_ANSWER: u64 = 64 * 1024;

/// Why nothing was done.
#[derive(Debug)]
pub enum Unheard {
    /// No server runs on this folder, or none that can be reached.
    NoServer,
    /// It answered that it would not.
    Refused(String),
}

/// Posts to the server that runs on this data folder, as its owner.
#[cfg(unix)]
pub fn post(data: &Path, keys: &Keys, path: &str, body: &Value) -> Result<(), Unheard> {
    let token = keys.owner_token().map_err(|_| Unheard::NoServer)?;
    let body = body.to_string();
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    let answer = exchange(&data.join(glade_server::OWNER_SOCKET), &request)
        .map_err(|_| Unheard::NoServer)?;
    let status = answer.split(' ').nth(1).unwrap_or_default();
    if status.starts_with('2') {
        return Ok(());
    }
    let said = answer.split("\r\n\r\n").nth(1).unwrap_or_default();
    Err(Unheard::Refused(format!("{status} {said}")))
}

#[cfg(unix)]
fn exchange(socket: &Path, request: &str) -> std::io::Result<String> {
    let mut line = std::os::unix::net::UnixStream::connect(socket)?;
    line.set_read_timeout(Some(PATIENCE))?;
    line.set_write_timeout(Some(PATIENCE))?;
    line.write_all(request.as_bytes())?;
    let mut answer = Vec::new();
    line.take(LONGEST_ANSWER).read_to_end(&mut answer)?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

#[cfg(not(unix))]
pub fn post(_: &Path, _: &Keys, _: &str, _: &Value) -> Result<(), Unheard> {
    Err(Unheard::NoServer)
}
