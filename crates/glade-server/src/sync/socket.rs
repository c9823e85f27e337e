//! One client's socket: joins rooms, passes its messages on, carries theirs back.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use axum::extract::ws::{CloseFrame, Message, WebSocket};
use futures_util::stream::SplitSink;
use futures_util::{SinkExt, StreamExt};
use glade_access::{Capability, Op, PageRef};
use glade_doc::PageId;
use loro_protocol::{
    BatchId, CrdtType, JoinErrorCode, MAX_MESSAGE_SIZE, ProtocolMessage, UpdateStatusCode, decode,
};
use tokio::sync::{Notify, mpsc};

use super::frames::{self, FragmentError, Reassembly};
use super::limit::FrameLimit;
use super::penalties::{Account, CLOSE_VIOLATIONS, Penalty};
use crate::app::App;
use crate::metrics;
use crate::room::{ConnId, Line, NO_SUCH_PAGE, Outgoing, RoomError, RoomHandle};

/// Frames that may wait for a slow reader before it is let go.
const LINE: usize = 4096;
/// Frames that are written in one go.
const AT_ONCE: usize = 64;
const MAX_ROOMS: usize = 64;
/// Close codes of our own.
const CLOSE_PROTOCOL: u16 = 4400;
const CLOSE_REVOKED: u16 = 4001;
/// The standard's own: the server goes away.
const CLOSE_GOING_AWAY: u16 = 1001;

static NEXT_CONN: AtomicU64 = AtomicU64::new(1);

/// The largest frame the socket reads.
pub const MAX_FRAME: usize = MAX_MESSAGE_SIZE;

pub async fn serve(app: Arc<App>, socket: WebSocket, cookie: Option<Capability>) {
    let conn = ConnId(NEXT_CONN.fetch_add(1, Ordering::Relaxed));
    let _session = metrics::SESSIONS.hold();
    let (sink, mut stream) = socket.split();
    let (line, outgoing) = mpsc::channel(LINE);
    let queued = Arc::new(AtomicUsize::new(0));
    let writer = tokio::spawn(write(sink, outgoing, Arc::clone(&queued)));
    let account = Arc::new(Account::new(Arc::clone(app.rooms.penalties())));
    let mut client = Client {
        app,
        conn,
        line: Line {
            frames: line,
            cut: Arc::new(Notify::new()),
            account,
            queued,
        },
        cookie,
        used: Vec::new(),
        rooms: HashMap::new(),
        open: HashMap::new(),
        parts: Reassembly::default(),
        limit: FrameLimit::person(Instant::now()),
        presence_limit: FrameLimit::presence(Instant::now()),
    };
    let cut = Arc::clone(&client.line.cut);
    let mut revoked = client.app.access.revoked.listen();
    let closing = client.app.closing.begun();
    tokio::pin!(closing);
    let mut tick = tokio::time::interval(Duration::from_secs(2));
    loop {
        let message = tokio::select! {
            message = stream.next() => message,
            _ = tick.tick(), if !client.parts.is_empty() => {
                client.expire_fragments().await;
                continue;
            }
            () = client.line.frames.closed() => break,
            () = cut.notified() => break,
            () = &mut closing => {
                client.close(CLOSE_GOING_AWAY, "the server is stopping").await;
                break;
            }
            Ok(()) = revoked.changed() => {
                if client.is_revoked() {
                    client.close(CLOSE_REVOKED, "the token was revoked").await;
                    break;
                }
                continue;
            }
        };
        let Some(Ok(message)) = message else { break };
        let going_on = match message {
            Message::Binary(frame) => client.frame(&frame).await,
            Message::Text(text) if text.as_str() == "ping" => client.pong().await,
            Message::Close(_) => false,
            Message::Text(_) | Message::Ping(_) | Message::Pong(_) => true,
        };
        if !going_on {
            break;
        }
    }
    client.leave_all().await;
    drop(client);
    if let Err(error) = writer.await {
        tracing::debug!(%error, "a writer ended");
    }
}

/// Sends what the rooms say until the last of them has let the line go. All that waits goes out
/// in one go.
async fn write(
    mut sink: SplitSink<WebSocket, Message>,
    mut outgoing: mpsc::Receiver<Outgoing>,
    queued: Arc<AtomicUsize>,
) {
    let mut waiting = Vec::new();
    while outgoing.recv_many(&mut waiting, AT_ONCE).await > 0 {
        let mut bytes = 0;
        for what in waiting.drain(..) {
            let (message, last) = match what {
                Outgoing::Frame(frame) => {
                    bytes += frame.len();
                    (Message::Binary(frame), false)
                }
                Outgoing::Text(text) => (Message::text(text.into_owned()), false),
                Outgoing::Close { code, reason } => (
                    Message::Close(Some(CloseFrame {
                        code,
                        reason: reason.into(),
                    })),
                    true,
                ),
            };
            if sink.feed(message).await.is_err() {
                return;
            }
            if last {
                // Nobody is there any more to tell that it failed.
                let _sent = sink.flush().await;
                return;
            }
        }
        if sink.flush().await.is_err() {
            return;
        }
        // What a socket sends by itself was never put on; it is small.
        let _before = queued.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |now| {
            Some(now.saturating_sub(bytes))
        });
    }
}

struct Client {
    app: Arc<App>,
    conn: ConnId,
    line: Line,
    cookie: Option<Capability>,
    /// What its joins were allowed by.
    used: Vec<Capability>,
    rooms: HashMap<String, RoomHandle>,
    /// The pages whose documents it has joined, and as whom.
    open: HashMap<String, String>,
    parts: Reassembly,
    limit: FrameLimit,
    presence_limit: FrameLimit,
}

/// Who comes with a token that is worth nothing.
struct Stranger {
    subject: Option<String>,
    reason: String,
}

impl Client {
    fn is_revoked(&self) -> bool {
        let revoked = &self.app.access.revoked;
        self.cookie
            .iter()
            .chain(&self.used)
            .any(|capability| revoked.hit(capability))
    }

    /// Who the client has shown itself to be, last.
    fn subject(&self) -> Option<&str> {
        self.used.last().map(|used| used.subject.as_str())
    }

    /// Takes one frame. False ends the connection.
    async fn frame(&mut self, frame: &[u8]) -> bool {
        let message = match decode(frame) {
            Ok(message) => message,
            Err(error) => {
                tracing::warn!(conn = %self.conn, %error, "a frame is not of the protocol");
                self.app
                    .refusals
                    .frame(self.subject(), "", "not of Loro protocol v1");
                return self
                    .close(CLOSE_PROTOCOL, "a frame is not of Loro protocol v1")
                    .await;
            }
        };
        let now = Instant::now();
        let presence = matches!(
            message,
            ProtocolMessage::DocUpdate {
                crdt: CrdtType::LoroEphemeralStore,
                ..
            }
        );
        let allowed = match presence {
            true => self.presence_limit.take(now),
            false => self.limit.take(now),
        };
        match message {
            ProtocolMessage::JoinRequest {
                crdt,
                room_id,
                auth,
                version,
            } => self.join(crdt, room_id, &auth, version).await,
            ProtocolMessage::DocUpdate {
                crdt,
                room_id,
                updates,
                batch_id,
            } => {
                if !allowed && presence {
                    return self
                        .ack(crdt, &room_id, batch_id, UpdateStatusCode::RateLimited)
                        .await;
                }
                if !allowed {
                    return self
                        .refuse(crdt, &room_id, batch_id, UpdateStatusCode::RateLimited)
                        .await;
                }
                self.updates(crdt, &room_id, batch_id, updates).await
            }
            ProtocolMessage::DocUpdateFragmentHeader {
                crdt,
                room_id,
                batch_id,
                fragment_count,
                total_size_bytes,
            } => {
                match self.parts.begin(
                    crdt,
                    &room_id,
                    batch_id,
                    fragment_count,
                    total_size_bytes,
                    Instant::now(),
                ) {
                    Ok(()) => true,
                    Err(error) => {
                        self.refuse(crdt, &room_id, batch_id, fragment_status(&error))
                            .await
                    }
                }
            }
            ProtocolMessage::DocUpdateFragment {
                crdt,
                room_id,
                batch_id,
                index,
                fragment,
            } => match self.parts.add(crdt, &room_id, batch_id, index, fragment) {
                Ok(None) => true,
                Ok(Some(update)) => self.updates(crdt, &room_id, batch_id, vec![update]).await,
                Err(error) => {
                    self.refuse(crdt, &room_id, batch_id, fragment_status(&error))
                        .await
                }
            },
            ProtocolMessage::Leave { crdt, room_id } => {
                if crdt == CrdtType::Loro {
                    self.looks_away(&room_id);
                }
                match self.rooms.get(&room_id) {
                    Some(room) => room.leave(self.conn, Some(crdt)).await.is_ok(),
                    None => true,
                }
            }
            // A client that could not import tells so; it will join again by itself.
            ProtocolMessage::Ack {
                status, room_id, ..
            } => {
                tracing::warn!(conn = %self.conn, room_id, ?status, "a client could not take an update");
                true
            }
            ProtocolMessage::JoinResponseOk { .. }
            | ProtocolMessage::JoinError { .. }
            | ProtocolMessage::RoomError { .. } => {
                self.app
                    .refusals
                    .frame(self.subject(), "", "a server's message");
                self.close(CLOSE_PROTOCOL, "that message is for servers to send")
                    .await
            }
        }
    }

    async fn join(
        &mut self,
        crdt: CrdtType,
        room_id: String,
        auth: &[u8],
        version: Vec<u8>,
    ) -> bool {
        let capability = match self.who(auth) {
            Ok(capability) => capability,
            Err(stranger) => {
                let Stranger { subject, reason } = &stranger;
                self.app.refusals.join(subject.as_deref(), &room_id, reason);
                return self
                    .refuse_join(crdt, room_id, JoinErrorCode::AuthFailed, reason)
                    .await;
            }
        };
        if !self.line.account.admit(&capability.subject, Instant::now()) {
            return self
                .close(
                    CLOSE_VIOLATIONS,
                    "too many violations: try again in five minutes",
                )
                .await;
        }
        if self.rooms.len() >= MAX_ROOMS && !self.rooms.contains_key(&room_id) {
            return self
                .refuse_join(
                    crdt,
                    room_id,
                    JoinErrorCode::Unknown,
                    "too many pages on one connection",
                )
                .await;
        }
        let room = match self.app.rooms.room(&PageId::from(room_id.as_str())).await {
            Ok(room) => room,
            // Whether a page exists is told only to those who may read it; here nobody may.
            Err(RoomError::NoPage(_)) => {
                let subject = Some(capability.subject.as_str());
                self.app.refusals.join(subject, &room_id, NO_SUCH_PAGE);
                return self
                    .refuse_join(crdt, room_id, JoinErrorCode::AuthFailed, NO_SUCH_PAGE)
                    .await;
            }
            Err(error) => {
                tracing::error!(room_id, %error, "a room could not be opened");
                return self
                    .refuse_join(
                        crdt,
                        room_id,
                        JoinErrorCode::Unknown,
                        "the page could not be opened: see the server's log",
                    )
                    .await;
            }
        };
        // Before the room hears of it: a revocation from here on finds it.
        if !self.used.contains(&capability) {
            self.used.push(capability.clone());
        }
        if !self.app.access.holds(&capability) {
            return self.close(CLOSE_REVOKED, "the token was revoked").await;
        }
        let seen = capability.clone();
        if room
            .join(self.conn, self.line.clone(), crdt, capability, version)
            .await
            .is_err()
        {
            return self
                .refuse_join(
                    crdt,
                    room_id,
                    JoinErrorCode::Unknown,
                    "the page is closing: join again",
                )
                .await;
        }
        if crdt == CrdtType::Loro {
            self.looks_at(&room_id, &seen);
        }
        self.rooms.insert(room_id, room);
        true
    }

    /// Whose token came with a join; without one, the cookie's.
    fn who(&self, auth: &[u8]) -> Result<Capability, Stranger> {
        let nobody = |reason: &str| Stranger {
            subject: None,
            reason: reason.to_owned(),
        };
        if auth.is_empty() {
            let held = |capability: &&Capability| self.app.access.holds(capability);
            return self
                .cookie
                .as_ref()
                .filter(held)
                .cloned()
                .ok_or_else(|| nobody("no token: open the link that the server printed"));
        }
        let token = std::str::from_utf8(auth).map_err(|_| nobody("the token is not text"))?;
        self.app
            .access
            .verify(token.trim())
            .map_err(|denied| Stranger {
                subject: denied.subject().map(str::to_owned),
                reason: denied.to_string(),
            })
    }

    /// Tells the workspace that somebody has this page open, if the room let them in.
    fn looks_at(&mut self, page: &str, capability: &Capability) {
        let row = self.app.workspace.page(page);
        let may_read = row.is_some_and(|row| {
            let page = PageRef {
                id: &row.id,
                tier: &row.tier,
            };
            capability.allows(Op::Read, &page)
        });
        if may_read {
            self.app.workspace.page_opened(self.conn, page, capability);
            self.open
                .insert(page.to_owned(), capability.subject.clone());
        }
    }

    fn looks_away(&mut self, page: &str) {
        if let Some(subject) = self.open.remove(page) {
            self.app.workspace.page_closed(self.conn, page, &subject);
        }
    }

    async fn updates(
        &mut self,
        crdt: CrdtType,
        room_id: &str,
        batch: BatchId,
        updates: Vec<Vec<u8>>,
    ) -> bool {
        let Some(room) = self.rooms.get(room_id) else {
            return self
                .refuse(crdt, room_id, batch, UpdateStatusCode::PermissionDenied)
                .await;
        };
        // A room that merged what the disk does not take would have to close. It is no violation: the
        // client keeps the update and tries again.
        if crdt == CrdtType::Loro && self.app.store.is_full() {
            return self
                .ack(crdt, room_id, batch, UpdateStatusCode::RateLimited)
                .await;
        }
        let taken = match crdt {
            CrdtType::Loro => room.update(self.conn, batch, updates).await,
            CrdtType::LoroEphemeralStore => room.presence(self.conn, batch, updates).await,
            _ => {
                return self
                    .refuse(crdt, room_id, batch, UpdateStatusCode::InvalidUpdate)
                    .await;
            }
        };
        // A closed room means that its page was lost in this process: reconnecting reads it anew.
        taken.is_ok()
    }

    async fn refuse_join(
        &mut self,
        crdt: CrdtType,
        room_id: String,
        code: JoinErrorCode,
        message: &str,
    ) -> bool {
        let answer = ProtocolMessage::JoinError {
            crdt,
            room_id,
            code,
            message: message.to_owned(),
            receiver_version: None,
            app_code: None,
        };
        self.say(&answer).await && self.violation().await
    }

    /// Says no and puts it on the account.
    async fn refuse(
        &mut self,
        crdt: CrdtType,
        room_id: &str,
        ref_id: BatchId,
        status: UpdateStatusCode,
    ) -> bool {
        tracing::warn!(conn = %self.conn, room_id, ?status, "a frame was refused");
        let reason = format!("{status:?}");
        self.app.refusals.frame(self.subject(), room_id, &reason);
        self.ack(crdt, room_id, ref_id, status).await && self.violation().await
    }

    async fn violation(&mut self) -> bool {
        match self.line.account.violation(Instant::now()) {
            Penalty::None => true,
            Penalty::Warn => {
                tracing::warn!(conn = %self.conn, "a connection breaks the rules again and again");
                true
            }
            Penalty::Close | Penalty::Ban => {
                self.close(CLOSE_VIOLATIONS, "too many violations").await
            }
        }
    }

    async fn ack(
        &mut self,
        crdt: CrdtType,
        room_id: &str,
        ref_id: BatchId,
        status: UpdateStatusCode,
    ) -> bool {
        let room_id = room_id.to_owned();
        self.say(&ProtocolMessage::Ack {
            crdt,
            room_id,
            ref_id,
            status,
        })
        .await
    }

    async fn say(&self, message: &ProtocolMessage) -> bool {
        match frames::single(message) {
            Some(frame) => self.line.frames.send(Outgoing::Frame(frame)).await.is_ok(),
            None => true,
        }
    }

    async fn pong(&self) -> bool {
        self.line
            .frames
            .send(Outgoing::Text("pong".into()))
            .await
            .is_ok()
    }

    async fn close(&self, code: u16, reason: &'static str) -> bool {
        // The line may be gone already; either way the connection ends.
        let _gone = self
            .line
            .frames
            .send(Outgoing::Close { code, reason })
            .await;
        false
    }

    async fn expire_fragments(&mut self) {
        for (crdt, room_id, batch) in self.parts.expire(Instant::now()) {
            self.ack(crdt, &room_id, batch, UpdateStatusCode::FragmentTimeout)
                .await;
        }
    }

    async fn leave_all(&mut self) {
        for (page, subject) in std::mem::take(&mut self.open) {
            self.app.workspace.page_closed(self.conn, &page, &subject);
        }
        for (_, room) in self.rooms.drain() {
            if room.leave(self.conn, None).await.is_err() {
                tracing::debug!(conn = %self.conn, "left a room that was closed");
            }
        }
    }
}

fn fragment_status(error: &FragmentError) -> UpdateStatusCode {
    match error {
        FragmentError::TooLarge => UpdateStatusCode::PayloadTooLarge,
        FragmentError::TooMany => UpdateStatusCode::RateLimited,
        FragmentError::Unknown | FragmentError::Inconsistent => UpdateStatusCode::InvalidUpdate,
    }
}
