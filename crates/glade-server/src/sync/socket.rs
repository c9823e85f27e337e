//! One client's socket: takes its frames, carries out what they lead to, ends when it has to.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::extract::ws::{Message, WebSocket};
use futures_util::StreamExt;
use glade_access::Capability;
use loro_protocol::{
    BatchId, CrdtType, JoinErrorCode, MAX_MESSAGE_SIZE, ProtocolMessage, UpdateStatusCode,
};
use serde_json::json;
use tokio::sync::{Notify, mpsc};

use super::door::{Door, FrameOutcome, Sent};
use super::writer::write;
use crate::app::App;
use crate::edge::client::ClientInfo;
use crate::listen::slots::Slot;
use glade_host::connection::penalties::{Account, CLOSE_VIOLATIONS, Penalty};
use glade_host::connection::queued::Queued;
use glade_host::metrics;
use glade_host::rooms::frames;
use glade_host::rooms::{ConnId, Line, Outgoing, RoomHandle, read_only, refusal_notice};

/// Frames that may wait for a slow reader before it is let go.
const LINE: usize = 4096;
/// How long a client may take until it has joined its first room.
const UNTIL_JOINED: Duration = Duration::from_secs(15);
/// A client that says nothing for so long, not even that it is still there, is gone.
const SILENCE: Duration = Duration::from_secs(90);
/// How often it is looked for these, for fragments that did not come and for the clock.
const LOOK: Duration = Duration::from_secs(2);
/// What the writing half may take to send its last words.
const FAREWELL: Duration = Duration::from_secs(2);
/// Refusals after which a stranger is closed; people who are known have more.
const OF_A_STRANGER: u32 = 32;
/// Close codes of our own.
const CLOSE_PROTOCOL: u16 = 4400;
const CLOSE_SILENT: u16 = 4408;
pub(super) const CLOSE_REVOKED: u16 = 4001;
/// The standard's own: the server goes away.
const CLOSE_GOING_AWAY: u16 = 1001;
/// The standard's own: try again later.
const CLOSE_NO_PLACE: u16 = 1013;

static NEXT_CONN: AtomicU64 = AtomicU64::new(1);

/// The largest frame the socket reads.
pub const MAX_FRAME: usize = MAX_MESSAGE_SIZE;

/// What came with the request that the socket was opened by.
pub struct Opened {
    pub cookie: Option<Capability>,
    pub client: ClientInfo,
    /// Missing only where no listener is, in tests of the routes alone.
    pub slot: Option<Arc<Slot>>,
}

pub async fn serve(app: Arc<App>, socket: WebSocket, opened: Opened) {
    let conn = ConnId(NEXT_CONN.fetch_add(1, Ordering::Relaxed));
    let _session = metrics::SESSIONS.hold();
    let (sink, mut stream) = socket.split();
    let (line, outgoing) = mpsc::channel(LINE);
    let queued = Arc::new(Queued::new(Arc::clone(&app.queued)));
    let mut writer = tokio::spawn(write(sink, outgoing, Arc::clone(&queued)));
    let account = Arc::new(Account::new(Arc::clone(app.rooms.penalties())));
    let now = Instant::now();
    let fragments = Arc::clone(&app.fragments);
    let mut client = Client {
        door: Door::new(fragments, opened.client.address, now),
        app,
        conn,
        line: Line {
            frames: line,
            cut: Arc::new(Notify::new()),
            account,
            queued,
        },
        cookie: opened.cookie,
        slot: opened.slot,
        used: Vec::new(),
        ends_at: None,
        rooms: HashMap::new(),
        open: HashMap::new(),
        shown_as: HashMap::new(),
        refused: 0,
    };
    client.listen(&mut stream, now).await;
    client.leave_all().await;
    drop(client);
    if tokio::time::timeout(FAREWELL, &mut writer).await.is_err() {
        writer.abort();
    }
}

pub(super) struct Client {
    pub app: Arc<App>,
    pub conn: ConnId,
    pub line: Line,
    pub cookie: Option<Capability>,
    pub slot: Option<Arc<Slot>>,
    /// What its joins were allowed by.
    pub used: Vec<Capability>,
    /// When the first of these expires, by a clock that nobody can set.
    pub ends_at: Option<tokio::time::Instant>,
    pub rooms: HashMap<String, RoomHandle>,
    /// The pages whose documents it has joined, and as whom.
    pub open: HashMap<String, String>,
    /// As whom it is seen, by page.
    pub shown_as: HashMap<String, String>,
    pub door: Door,
    /// What was refused while nobody knew who this is.
    refused: u32,
}

impl Client {
    /// Until the connection ends, for whatever reason.
    async fn listen(
        &mut self,
        stream: &mut (impl StreamExt<Item = Result<Message, axum::Error>> + Unpin),
        opened: Instant,
    ) {
        let cut = Arc::clone(&self.line.cut);
        let slot = self.slot.clone();
        let mut revoked = self.app.access.revoked.listen();
        let closing = self.app.closing.begun();
        tokio::pin!(closing);
        let mut heard = opened;
        let mut look = tokio::time::interval(LOOK);
        loop {
            let message = tokio::select! {
                message = stream.next() => message,
                _ = look.tick() => {
                    if self.look(opened, heard) { continue } else { break }
                }
                () = until(self.ends_at) => {
                    self.close(CLOSE_REVOKED, "the token has expired");
                    break;
                }
                () = self.line.frames.closed() => break,
                () = cut.notified() => break,
                () = no_slot(slot.as_deref()) => {
                    self.close(CLOSE_NO_PLACE, "the server has no place left");
                    break;
                }
                () = &mut closing => {
                    self.close(CLOSE_GOING_AWAY, "the server is stopping");
                    break;
                }
                Ok(()) = revoked.changed() => {
                    if self.is_revoked() {
                        self.close(CLOSE_REVOKED, "the token was revoked");
                        break;
                    }
                    continue;
                }
            };
            let Some(Ok(message)) = message else { break };
            heard = Instant::now();
            let going_on = match message {
                Message::Binary(frame) => {
                    let step = self.door.take(&frame, heard);
                    // Not kept while the step is carried out, which may take its time.
                    drop(frame);
                    self.run_step(step).await
                }
                Message::Text(text) if text.as_str() == "ping" && self.door.may_ping(heard) => {
                    self.pong()
                }
                Message::Close(_) => false,
                Message::Text(_) | Message::Ping(_) | Message::Pong(_) => true,
            };
            if !going_on {
                break;
            }
        }
    }

    /// Whether the connection goes on: its token may have expired while the machine slept, it may
    /// never have joined, or say nothing any more.
    fn look(&mut self, opened: Instant, heard: Instant) -> bool {
        let now = Instant::now();
        if self.door.waits_for_fragments() {
            for (crdt, room, batch) in self.door.expire(now) {
                self.ack(crdt, &room, batch, UpdateStatusCode::FragmentTimeout);
            }
        }
        if self.used.iter().any(|used| self.app.access.expired(used)) {
            return self.close(CLOSE_REVOKED, "the token has expired");
        }
        if self.used.is_empty() && now.duration_since(opened) > UNTIL_JOINED {
            return self.close(CLOSE_SILENT, "no room was joined with a valid token");
        }
        if now.duration_since(heard) > SILENCE {
            return self.close(CLOSE_SILENT, "nothing was heard");
        }
        true
    }

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

    /// False ends the connection.
    async fn run_step(&mut self, step: FrameOutcome) -> bool {
        match step {
            FrameOutcome::Nothing => true,
            FrameOutcome::Violation => self.violation(),
            FrameOutcome::Join(request) => self.join(request).await,
            FrameOutcome::RefuseJoin { crdt, room } => {
                let reason = "too many joins in a short time: wait some seconds";
                self.refuse_join(crdt, room, JoinErrorCode::Unknown, reason)
            }
            FrameOutcome::Leave { crdt, room } => self.leave(crdt, &room).await,
            FrameOutcome::Updates(sent) => self.updates(sent).await,
            // A client that could not import tells so, and joins again by itself; one that says it
            // without end fills the log.
            FrameOutcome::NotTaken { room, status } => {
                tracing::warn!(conn = %self.conn, room, ?status, "a client could not take an update");
                self.violation()
            }
            FrameOutcome::Refuse {
                crdt,
                room,
                batch,
                status,
                violation: false,
            } => self.ack(crdt, &room, batch, status),
            FrameOutcome::Refuse {
                crdt,
                room,
                batch,
                status,
                violation: true,
            } => self.refuse(crdt, &room, batch, status),
            FrameOutcome::ReadOnly { room, batch } => self.refuse_reader(&room, batch),
            FrameOutcome::Close(reason) => {
                tracing::warn!(conn = %self.conn, reason, "a connection is closed");
                self.app.refusals.frame(self.subject(), "", reason);
                self.close(CLOSE_PROTOCOL, reason)
            }
        }
    }

    async fn updates(&mut self, sent: Sent) -> bool {
        let Some(room) = self.rooms.get(&sent.room) else {
            let denied = UpdateStatusCode::PermissionDenied;
            return self.refuse(sent.crdt, &sent.room, sent.batch, denied);
        };
        // A room that merged what the disk does not take would have to close. It is no violation: the
        // client keeps the update and tries again.
        if sent.crdt == CrdtType::Loro && self.app.store.is_full() {
            return self.ack(
                sent.crdt,
                &sent.room,
                sent.batch,
                UpdateStatusCode::RateLimited,
            );
        }
        let taken = match sent.crdt {
            CrdtType::LoroEphemeralStore => {
                // Asked for each time: people change their names.
                let subject = self.shown_as.get(&sent.room);
                let name = subject.map_or_else(String::new, |it| self.app.workspace.name_of(it));
                room.presence(self.conn, name, sent.batch, sent.updates)
                    .await
            }
            _ => room.update(self.conn, sent.batch, sent.updates).await,
        };
        // A closed room means that its page was lost in this process: reconnecting reads it anew.
        taken.is_ok()
    }

    /// As the room would have refused it, had it been passed on.
    fn refuse_reader(&mut self, room: &str, batch: BatchId) -> bool {
        let refusal = read_only();
        tracing::warn!(page = room, conn = %self.conn, code = refusal.code(), reason = %refusal, "update refused");
        let about = json!({ "page": room, "code": refusal.code() });
        self.app
            .refusals
            .enter(self.subject(), &refusal.to_string(), about);
        self.line.send(refusal_notice(room, batch, &refusal))
            && self.ack(
                CrdtType::Loro,
                room,
                batch,
                UpdateStatusCode::PermissionDenied,
            )
            && self.violation()
    }

    /// Says no and puts it on the account.
    fn refuse(
        &mut self,
        crdt: CrdtType,
        room_id: &str,
        ref_id: BatchId,
        status: UpdateStatusCode,
    ) -> bool {
        tracing::warn!(conn = %self.conn, room_id, ?status, "a frame was refused");
        let reason = format!("{status:?}");
        self.app.refusals.frame(self.subject(), room_id, &reason);
        self.ack(crdt, room_id, ref_id, status) && self.violation()
    }

    pub fn violation(&mut self) -> bool {
        if self.used.is_empty() {
            self.refused += 1;
            if self.refused >= OF_A_STRANGER {
                return self.close(CLOSE_VIOLATIONS, "too many violations");
            }
        }
        match self.line.account.violation(Instant::now()) {
            Penalty::None => true,
            Penalty::Warn => {
                tracing::warn!(conn = %self.conn, "a connection breaks the rules again and again");
                true
            }
            Penalty::Close | Penalty::Ban => self.close(CLOSE_VIOLATIONS, "too many violations"),
        }
    }

    fn ack(
        &self,
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
    }

    pub fn say(&self, message: &ProtocolMessage) -> bool {
        match frames::single(message) {
            Some(frame) => self.line.send(Outgoing::Frame(frame)),
            None => true,
        }
    }

    fn pong(&self) -> bool {
        self.line.send(Outgoing::Text("pong".into()))
    }

    pub fn close(&self, code: u16, reason: &'static str) -> bool {
        // A line that is full is cut instead; either way the connection ends.
        let close = Outgoing::Close { code, reason };
        let _full = self.line.frames.try_send(close);
        false
    }
}

async fn until(at: Option<tokio::time::Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}

async fn no_slot(slot: Option<&Slot>) {
    match slot {
        Some(slot) => slot.ended().await,
        None => std::future::pending().await,
    }
}
