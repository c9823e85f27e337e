//! What costs without anybody editing: rooms that lie open, and pages that are opened.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use super::server::Server;
use super::websocket::{self, Inbox};

/// Elements on a page that lies open.
const IDLE_ELEMENTS: usize = 20;
const SETTLE: Duration = Duration::from_secs(2);

/// Memory, in bytes, with each of these numbers of rooms open, a silent client in each.
pub fn idle_rooms(server: &Server, counts: &[usize]) -> Result<Vec<u64>> {
    block_on(async {
        let mut sockets = Vec::new();
        let mut memory = vec![server.memory()?];
        for &count in counts {
            for room in server.rooms(count - sockets.len()).await? {
                let (mut stream, inbox) = open(server, &room).await?.0;
                let mut writer = server.wire.writer(&room, 0)?;
                for message in writer.put(0, IDLE_ELEMENTS)? {
                    let frame = websocket::frame(server.wire.kind(), &message);
                    stream.write_all(&frame).await?;
                }
                sockets.push((stream, inbox));
            }
            tokio::time::sleep(SETTLE).await;
            memory.push(server.memory()?);
        }
        Ok(memory)
    })
}

/// A room that was filled, held open: some servers forget a room that nobody is in.
pub struct Filled {
    pub room: String,
    _held: std::net::TcpStream,
}

/// Fills a new room with so many elements.
pub fn fill(server: &Server, elements: usize) -> Result<Filled> {
    block_on(async {
        let room = server.rooms(1).await?.remove(0);
        let ((mut stream, mut inbox), _) = open(server, &room).await?;
        let mut writer = server.wire.writer(&room, 0)?;
        for message in writer.put(0, elements)? {
            let frame = websocket::frame(server.wire.kind(), &message);
            stream.write_all(&frame).await?;
        }
        // The marker comes back to a second client when all before it has been merged.
        let ((mut other, mut others), _) = open(server, &room).await?;
        let last = writer.edit(1, &super::marker::marker(1, 1))?;
        stream
            .write_all(&websocket::frame(server.wire.kind(), &last))
            .await?;
        let acknowledged = server.wire.acknowledging();
        let merged = websocket::read_until(&mut other, &mut others, |frame| {
            let mut found = false;
            super::marker::find(frame, |_, _| found = true);
            Ok(found)
        });
        tokio::select! {
            merged = merged => merged?,
            refused = websocket::read_until(&mut stream, &mut inbox, |frame| {
                acknowledged(frame).map(|_| false)
            }) => refused?,
        }
        Ok(Filled {
            room,
            _held: other.into_std()?,
        })
    })
}

/// From asking for a page to having all of it: how long, and how many bytes.
pub fn opening(server: &Server, room: &str) -> Result<(Duration, usize)> {
    block_on(async {
        let (_, opened) = open(server, room).await?;
        ensure!(opened.1 > 0, "nothing came");
        Ok(opened)
    })
}

type Line = (TcpStream, Inbox);

async fn open(server: &Server, room: &str) -> Result<(Line, (Duration, usize))> {
    let wire = &server.wire;
    let (mut stream, mut inbox) = websocket::connect(server.address, &wire.path(room)).await?;
    let started = Instant::now();
    for message in wire.greeting(room)? {
        let frame = websocket::frame(wire.kind(), &message);
        stream.write_all(&frame).await?;
    }
    let (mut joining, mut bytes) = (wire.joining(), 0);
    websocket::read_until(&mut stream, &mut inbox, |frame| {
        bytes += frame.len();
        joining.takes(frame)
    })
    .await?;
    Ok(((stream, inbox), (started.elapsed(), bytes)))
}

fn block_on<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(work)
}
