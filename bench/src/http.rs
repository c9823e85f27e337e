//! Calls of Glade's own HTTP interface, one connection each: as much of HTTP as that takes.

use std::net::SocketAddr;

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Where the server is and who calls.
#[derive(Debug, Clone)]
pub struct Api {
    pub address: SocketAddr,
    pub token: String,
}

/// A connection that is open already, so that a measured call does not pay for opening it.
pub struct Line<'a> {
    api: &'a Api,
    stream: TcpStream,
}

impl Api {
    pub async fn line(&self) -> Result<Line<'_>> {
        let stream = TcpStream::connect(self.address).await?;
        stream.set_nodelay(true)?;
        Ok(Line { api: self, stream })
    }

    /// Asks for something and answers the JSON that came back.
    pub async fn get(&self, path: &str) -> Result<Value> {
        self.line().await?.json("GET", path, "").await
    }

    /// Sends something and answers the JSON that came back.
    pub async fn post(&self, path: &str, body: &Value) -> Result<Value> {
        self.line()
            .await?
            .json("POST", path, &body.to_string())
            .await
    }

    /// The body of a page of text.
    pub async fn text(&self, path: &str) -> Result<String> {
        self.line().await?.text("GET", path, "").await
    }
}

impl Line<'_> {
    pub async fn json(self, method: &str, path: &str, body: &str) -> Result<Value> {
        let text = self.text(method, path, body).await?;
        if text.is_empty() {
            Ok(Value::Null)
        } else {
            serde_json::from_str(&text).with_context(|| text.clone())
        }
    }

    async fn text(mut self, method: &str, path: &str, body: &str) -> Result<String> {
        let Api { address, token } = self.api;
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\
             Authorization: Bearer {token}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        self.stream.write_all(request.as_bytes()).await?;
        let mut answer = String::new();
        self.stream.read_to_string(&mut answer).await?;
        let (head, body) = answer.split_once("\r\n\r\n").context("no body")?;
        let status = head.split(' ').nth(1).unwrap_or_default();
        ensure!(status.starts_with('2'), "{method} {path}: {answer}");
        Ok(whole(head, body))
    }
}

/// A body, whichever way it was sent.
fn whole(head: &str, body: &str) -> String {
    if !head
        .to_ascii_lowercase()
        .contains("transfer-encoding: chunked")
    {
        return body.to_owned();
    }
    let (mut out, mut rest) = (String::new(), body);
    while let Some((size, after)) = rest.split_once("\r\n") {
        let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
        let (Some(piece), true) = (after.get(..size), size > 0) else {
            break;
        };
        out.push_str(piece);
        rest = after.get(size + 2..).unwrap_or_default();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_in_chunks_is_put_together() {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked";
        assert_eq!(
            whole(head, "3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n"),
            "abc0123456789"
        );
        assert_eq!(whole("HTTP/1.1 200 OK", "3\r\nabc"), "3\r\nabc");
    }
}
