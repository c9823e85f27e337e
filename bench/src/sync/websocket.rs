//! As much of a WebSocket client as a load needs: no masking work, no copies, no extensions.

use std::net::SocketAddr;

use anyhow::{Context, Result, bail, ensure};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// The kind of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Text,
    Binary,
    Ping,
    Pong,
    Close,
}

/// A whole client frame. The mask is all zeros, which is a mask like any other and costs nothing.
pub fn frame(kind: Kind, payload: &[u8]) -> Vec<u8> {
    let opcode = match kind {
        Kind::Text => 1,
        Kind::Binary => 2,
        Kind::Close => 8,
        Kind::Ping => 9,
        Kind::Pong => 10,
    };
    let mut bytes = Vec::with_capacity(payload.len() + 14);
    bytes.push(0x80 | opcode);
    match payload.len() {
        short @ 0..=125 => bytes.push(0x80 | short as u8),
        middle @ 126..=0xffff => {
            bytes.push(0x80 | 126);
            bytes.extend((middle as u16).to_be_bytes());
        }
        long => {
            bytes.push(0x80 | 127);
            bytes.extend((long as u64).to_be_bytes());
        }
    }
    bytes.extend([0; 4]);
    bytes.extend(payload);
    bytes
}

/// Bytes that came in, cut into frames.
#[derive(Default)]
pub struct Inbox {
    bytes: Vec<u8>,
    start: usize,
}

impl Inbox {
    /// Where the next bytes go.
    pub fn buffer(&mut self) -> &mut Vec<u8> {
        if self.start > 0 {
            self.bytes.drain(..self.start);
            self.start = 0;
        }
        &mut self.bytes
    }

    /// The next whole frame. Servers here never split a message into several.
    pub fn take(&mut self) -> Result<Option<(Kind, &[u8])>> {
        let rest = &self.bytes[self.start..];
        let [first, second, ..] = *rest else {
            return Ok(None);
        };
        ensure!(first & 0x80 != 0, "a server split a message into frames");
        let number = |range: std::ops::Range<usize>| {
            let digits = rest.get(range)?;
            Some(
                digits
                    .iter()
                    .fold(0, |sum, byte| sum << 8 | usize::from(*byte)),
            )
        };
        let (head, length) = match second & 0x7f {
            126 => (4, number(2..4)),
            127 => (10, number(2..10)),
            short => (2, Some(usize::from(short))),
        };
        let Some(length) = length else {
            return Ok(None);
        };
        if rest.len() < head + length {
            return Ok(None);
        }
        let kind = match first & 0x0f {
            1 => Kind::Text,
            2 => Kind::Binary,
            8 => Kind::Close,
            9 => Kind::Ping,
            10 => Kind::Pong,
            other => bail!("a frame of kind {other}"),
        };
        let from = self.start + head;
        self.start = from + length;
        Ok(Some((kind, &self.bytes[from..from + length])))
    }
}

/// Opens a socket. What the server said right after its answer is in the inbox.
pub async fn connect(address: SocketAddr, path: &str) -> Result<(TcpStream, Inbox)> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    upgrade(stream, address, path).await
}

/// Makes a socket of a connection that is open already.
pub async fn upgrade(
    mut stream: TcpStream,
    address: SocketAddr,
    path: &str,
) -> Result<(TcpStream, Inbox)> {
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await?;
    let mut inbox = Inbox::default();
    loop {
        let read = stream.read_buf(inbox.buffer()).await?;
        ensure!(read > 0, "the server hung up on the handshake");
        let end = inbox.bytes.windows(4).position(|four| four == b"\r\n\r\n");
        if let Some(end) = end {
            let head = String::from_utf8_lossy(&inbox.bytes[..end]).into_owned();
            let status = head.lines().next().context("an empty answer")?;
            ensure!(status.contains(" 101 "), "no WebSocket at {path}: {head}");
            inbox.start = end + 4;
            return Ok((stream, inbox));
        }
    }
}

/// Reads frames until `done` says that one was the last.
pub async fn read_until(
    stream: &mut TcpStream,
    inbox: &mut Inbox,
    mut done: impl FnMut(&[u8]) -> Result<bool>,
) -> Result<()> {
    loop {
        while let Some((kind, payload)) = inbox.take()? {
            ensure!(kind != Kind::Close, "the server closed the socket");
            if matches!(kind, Kind::Text | Kind::Binary) && done(payload)? {
                return Ok(());
            }
        }
        let buffer = inbox.buffer();
        buffer.reserve(1 << 16);
        let read = stream.read_buf(buffer).await?;
        ensure!(read > 0, "the server hung up");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_of_every_length_come_out_of_the_inbox_whole() {
        for length in [0, 5, 125, 126, 65_535, 65_536] {
            let payload = vec![7u8; length];
            let mut bytes = frame(Kind::Binary, &payload);
            // A server does not mask: take the bit and the key out.
            bytes[1] &= 0x7f;
            let head = bytes.len() - length;
            bytes.drain(head - 4..head);
            let mut inbox = Inbox::default();
            let (last, first) = bytes.split_last().unwrap();
            inbox.buffer().extend(first);
            if length > 0 {
                assert!(inbox.take().unwrap().is_none());
            }
            inbox.buffer().push(*last);
            assert_eq!(inbox.take().unwrap(), Some((Kind::Binary, &payload[..])));
            assert!(inbox.take().unwrap().is_none());
        }
    }
}
