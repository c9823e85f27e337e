//! Takes connections and serves them, for as long as they keep to the limits.

use std::convert::Infallible;
use std::future::Future;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tower::ServiceExt;

use super::body::{HeldBody, RequestBody};
use super::owner::OwnerSocket;
use super::senders::Sent;
use super::slots::{Slot, Slots};
use super::strangers::Held;
use super::stream::Watched;
use crate::closing::Closing;
use crate::edge::client::{ClientInfo, TrustedProxies};
use crate::edge::problem::Problem;

/// How long a connection may be silent before a request, between two, and in the middle of a
/// request's head.
const SILENCE: Duration = Duration::from_secs(20);
/// The longest head of a request: browsers send the cookies of everything on this machine.
const LONGEST_HEAD: usize = 32 * 1024;
/// After the system had no descriptor left.
const PAUSE: Duration = Duration::from_millis(20);

/// What every connection is served with.
pub struct Door {
    pub router: Router,
    pub proxies: TrustedProxies,
    pub slots: Arc<Slots>,
    pub closing: Closing,
}

/// The connection that a request came over, for whoever learns who sent it.
#[derive(Clone)]
pub struct Visitor {
    slot: Arc<Slot>,
    /// Of this request: a proxy's connection carries those of many clients.
    known: Arc<AtomicBool>,
}

impl Visitor {
    /// A valid token was shown.
    pub fn set_known(&self) {
        self.known.store(true, Ordering::Relaxed);
        self.slot.set_known();
    }

    /// The connection becomes a WebSocket's: its place, to be held until that ends.
    pub fn into_socket(self) -> Arc<Slot> {
        self.slot.begin_socket(self.known.load(Ordering::Relaxed));
        self.slot
    }
}

/// Serves until the server closes and every connection has ended.
pub async fn serve(door: Arc<Door>, tcp: TcpListener, owner: Option<OwnerSocket>) {
    let (open, mut all_closed) = mpsc::channel::<Infallible>(1);
    let closing = door.closing.begun();
    tokio::pin!(closing);
    loop {
        tokio::select! {
            () = &mut closing => break,
            accepted = tcp.accept() => match accepted {
                Ok((stream, address)) => {
                    let address = address.ip();
                    let proxied = door.proxies.trusts(address);
                    // Whoever finds no place is hung up on: an answer would cost one.
                    let Ok(slot) = door.slots.admit(address, proxied) else {
                        continue;
                    };
                    // Small frames should not wait for more.
                    if let Err(error) = stream.set_nodelay(true) {
                        tracing::debug!(%error, "a socket would not send at once");
                    }
                    let peer = Some(address);
                    tokio::spawn(connection(Arc::clone(&door), stream, slot, peer, open.clone()));
                }
                Err(error) => rest_after(&error).await,
            },
            accepted = next_owner(owner.as_ref()) => match accepted {
                Ok(Some(stream)) => {
                    let slot = door.slots.outside();
                    tokio::spawn(connection(Arc::clone(&door), stream, slot, None, open.clone()));
                }
                Ok(None) => {}
                Err(error) => rest_after(&error).await,
            },
        }
    }
    drop((open, tcp, owner));
    all_closed.recv().await;
}

#[cfg(unix)]
async fn next_owner(
    owner: Option<&OwnerSocket>,
) -> std::io::Result<Option<tokio::net::UnixStream>> {
    match owner {
        Some(owner) => owner.accept().await,
        None => std::future::pending().await,
    }
}

#[cfg(not(unix))]
async fn next_owner(_: Option<&OwnerSocket>) -> std::io::Result<Option<tokio::net::TcpStream>> {
    std::future::pending().await
}

/// A connection that broke off before it was taken is nothing; a lack of descriptors passes.
async fn rest_after(error: &std::io::Error) {
    tracing::warn!(%error, "a connection could not be taken");
    tokio::time::sleep(PAUSE).await;
}

async fn connection<S>(
    door: Arc<Door>,
    stream: S,
    slot: Slot,
    peer: Option<IpAddr>,
    open: mpsc::Sender<Infallible>,
) where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let slot = Arc::new(slot);
    let stream = TokioIo::new(Watched::new(stream, Arc::clone(&slot)));
    let closing = door.closing.begun();
    let held = Arc::clone(&slot);
    let service = service_fn(move |request| answer(&door, &held, peer, request));
    let serving = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(SILENCE)
        .max_buf_size(LONGEST_HEAD)
        .serve_connection(stream, service)
        .with_upgrades();
    tokio::pin!(serving, closing);
    let mut is_closing = false;
    loop {
        tokio::select! {
            served = serving.as_mut() => {
                if let Err(error) = served {
                    tracing::trace!(%error, "a connection ended");
                }
                break;
            }
            () = slot.ended() => {
                tracing::debug!(?peer, "a silent connection made room for another");
                break;
            }
            () = &mut closing, if !is_closing => {
                is_closing = true;
                serving.as_mut().graceful_shutdown();
            }
        }
    }
    drop(open);
}

/// Puts beside a request what is known of where it comes from, and has it answered.
fn answer(
    door: &Arc<Door>,
    slot: &Arc<Slot>,
    peer: Option<IpAddr>,
    request: Request<Incoming>,
) -> impl Future<Output = Result<Response, Infallible>> + Send + use<> {
    let client = peer.map_or_else(ClientInfo::default, |peer| {
        door.proxies.client(peer, request.headers())
    });
    let behind = match (peer, client.address) {
        (Some(peer), Some(client)) if door.proxies.trusts(peer) => {
            door.slots.behind_proxy(client).map(Some)
        }
        _ => Ok(None),
    };
    let known = Arc::new(AtomicBool::new(false));
    let visitor = Visitor {
        slot: Arc::clone(slot),
        known: Arc::clone(&known),
    };
    let held = Held::new(door.slots.strangers());
    let sent = Arc::new(Sent::new(door.slots.senders()));
    let mut request = {
        let sent = Arc::clone(&sent);
        request.map(|body| Body::new(RequestBody::new(body, known, held, sent)))
    };
    request.extensions_mut().insert(client);
    request.extensions_mut().insert(visitor);
    let router = door.router.clone();
    async move {
        let Ok(behind) = behind else {
            return Ok(too_many().into_response());
        };
        let Ok(mut answer) = router.oneshot(request).await;
        if sent.was_refused() {
            answer = too_many_files().into_response();
        }
        Ok(match behind {
            Some(behind) => answer.map(|body| Body::new(HeldBody::new(body, behind))),
            None => answer,
        })
    }
}

fn too_many() -> Problem {
    Problem::too_many(
        "Too many requests from this address are under way: wait until some have ended.",
        Duration::from_secs(1),
    )
}

fn too_many_files() -> Problem {
    Problem::too_many(
        "Too many large files are being sent to this server at once: try again when some have arrived.",
        Duration::from_secs(5),
    )
}
