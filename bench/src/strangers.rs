//! Strangers at a server: thousands that say nothing, hundreds that mean harm, each from one of this
//! machine's own addresses, coming back whenever they are shown the door.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use anyhow::Result;
use loro_protocol::{BatchId, CrdtType, ProtocolMessage, encode};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::{sleep, timeout};

use crate::sync::websocket::{Kind, frame, upgrade};

/// The addresses that strangers come from: 127.0.0.2 and up.
const ADDRESSES: usize = 60;
/// Whoever was shown the door is back after this long.
const BACK: Duration = Duration::from_millis(200);
/// How long a hostile connection is held if the server lets it.
const HELD: Duration = Duration::from_secs(40);
const FRAGMENT: usize = 250_000;

/// Where they go, and with which tokens those come that have one.
#[derive(Debug, Clone)]
pub struct Target {
    pub address: SocketAddr,
    /// A page of some size.
    pub page: String,
    pub write: String,
    pub read: String,
}

/// What a hostile one does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hostile {
    /// Frames that are none.
    Garbage,
    /// Joins with tokens that are none, as fast as they are answered.
    WrongTokens,
    /// Large updates whose last fragment never comes, with a valid token.
    Unfinished,
    /// Asks for the page again and again and reads nothing, with a valid token.
    SlowReader,
    /// Most of a large message, and no more.
    HalfMessage,
    /// The head of a request, a letter a second.
    SlowHead,
    /// A long body for an endpoint that needs no token, in pieces.
    SlowBody,
}

impl Hostile {
    pub const ALL: [Self; 7] = [
        Self::Garbage,
        Self::WrongTokens,
        Self::Unfinished,
        Self::SlowReader,
        Self::HalfMessage,
        Self::SlowHead,
        Self::SlowBody,
    ];
}

async fn connect(who: usize, address: SocketAddr) -> Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    let last = u8::try_from(2 + who % ADDRESSES)?;
    socket.bind(SocketAddr::from((Ipv4Addr::new(127, 0, 0, last), 0)))?;
    Ok(timeout(Duration::from_secs(10), socket.connect(address)).await??)
}

/// Says nothing, for ever. `there` is told of the first connection.
pub async fn stay_silent(who: usize, address: SocketAddr, there: tokio::sync::mpsc::Sender<()>) {
    loop {
        if let Ok(mut stream) = connect(who, address).await {
            // Nobody listens any more once all are there.
            let _first = there.try_send(());
            read_to_end(&mut stream, Duration::MAX).await;
        }
        sleep(BACK).await;
    }
}

/// Does harm, for ever.
pub async fn do_harm(who: usize, what: Hostile, target: Target) {
    loop {
        // However it ends, it begins again.
        let _ended = harm(who, what, &target).await;
        sleep(BACK).await;
    }
}

async fn harm(who: usize, what: Hostile, target: &Target) -> Result<()> {
    let mut stream = connect(who, target.address).await?;
    match what {
        Hostile::SlowHead => {
            for letter in "GET / HTTP/1.1\r\nHost: localhost\r\nX: ".bytes().cycle() {
                stream.write_all(&[letter]).await?;
                sleep(Duration::from_secs(1)).await;
            }
        }
        Hostile::SlowBody => {
            let head = "POST /api/session HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2000000\r\n\r\n";
            stream.write_all(head.as_bytes()).await?;
            for _ in 0..2_000 {
                stream.write_all(&[b' '; 1000]).await?;
                sleep(Duration::from_millis(100)).await;
            }
        }
        _ => {
            let (stream, _) = upgrade(stream, target.address, "/sync").await?;
            on_socket(stream, what, target).await?;
        }
    }
    Ok(())
}

async fn on_socket(mut stream: TcpStream, what: Hostile, target: &Target) -> Result<()> {
    match what {
        Hostile::Garbage => say(&mut stream, &[0xff; 200]).await?,
        Hostile::WrongTokens => {
            let join = join(target, "En0KEwoEMTIzNA==")?;
            for _ in 0..200 {
                say(&mut stream, &join).await?;
            }
        }
        Hostile::SlowReader => {
            let join = join(target, &target.read)?;
            for _ in 0..100 {
                say(&mut stream, &join).await?;
            }
            sleep(HELD).await;
        }
        Hostile::HalfMessage => {
            let whole = frame(Kind::Binary, &vec![0; FRAGMENT]);
            stream.write_all(&whole[..FRAGMENT - 1]).await?;
        }
        _ => {
            say(&mut stream, &join(target, &target.write)?).await?;
            let (room_id, batch_id) = (target.page.clone(), BatchId([1; 8]));
            let header = ProtocolMessage::DocUpdateFragmentHeader {
                crdt: CrdtType::Loro,
                room_id: room_id.clone(),
                batch_id,
                fragment_count: 64,
                total_size_bytes: 15 << 20,
            };
            say(&mut stream, &encoded(&header)?).await?;
            for index in 0..60 {
                let fragment = ProtocolMessage::DocUpdateFragment {
                    crdt: CrdtType::Loro,
                    room_id: room_id.clone(),
                    batch_id,
                    index,
                    fragment: vec![7; FRAGMENT],
                };
                say(&mut stream, &encoded(&fragment)?).await?;
            }
        }
    }
    read_to_end(&mut stream, HELD).await;
    Ok(())
}

fn join(target: &Target, token: &str) -> Result<Vec<u8>> {
    encoded(&ProtocolMessage::JoinRequest {
        crdt: CrdtType::Loro,
        room_id: target.page.clone(),
        auth: token.as_bytes().to_vec(),
        version: Vec::new(),
    })
}

fn encoded(message: &ProtocolMessage) -> Result<Vec<u8>> {
    encode(message).map_err(anyhow::Error::msg)
}

async fn say(stream: &mut TcpStream, message: &[u8]) -> Result<()> {
    let frame = frame(Kind::Binary, message);
    Ok(timeout(HELD, stream.write_all(&frame)).await??)
}

async fn read_to_end(stream: &mut TcpStream, patience: Duration) {
    let until = Instant::now().checked_add(patience);
    let mut some = vec![0; 16 * 1024];
    loop {
        let left = until.map_or(Duration::MAX, |until| {
            until.saturating_duration_since(Instant::now())
        });
        match timeout(left, stream.read(&mut some)).await {
            Ok(Ok(read)) if read > 0 => {}
            _ => return,
        }
    }
}
