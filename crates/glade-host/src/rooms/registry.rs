//! The rooms of a server: each page's room is opened when first needed, and closed when nobody has
//! had a hand on it for a while.
//!
//! Whoever works in a room holds its handle: sockets while they are open, fairies while they stand
//! on the page. So a room whose only handle is the one kept here has no members and no seats, and
//! nobody can get in while the list is locked.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use glade_agent::plugins::Enabled;
use glade_doc::{PageId, Touch};
use glade_room::{Barred, OpenSuggestion, Opening};
use glade_store::{RunFilter, RunRow, RunTarget, Store, StoreError, Unreadable};
use tokio::sync::{Mutex, watch};

use super::actor::Deps;
use super::commit_limiter::CommitLimiter;
use super::compaction::Log;
use super::handle::{RoomError, RoomHandle};
use super::running::RunningRoom;
use crate::clock::Clock;
use crate::connection::penalties::Penalties;
use crate::ids;
use crate::rows::surface_of;
use crate::search::PageWords;

/// How often idle rooms are looked for.
const SWEEP: Duration = Duration::from_secs(30);

/// How often a page has changed since this server started.
pub type Pulse = Arc<AtomicU64>;

/// Hears of the runs of suggesters.
pub type RunListener = Arc<dyn Fn(RunRow) + Send + Sync>;

/// When rooms tidy up.
#[derive(Debug, Clone, Copy)]
pub struct Tuning {
    /// A room that nobody uses is closed after this long.
    pub idle: Duration,
    /// A room in which nothing happens lets go what only writing needs after this long.
    pub rest: Duration,
    /// The log is folded into a snapshot when it has this many updates …
    pub log_updates: usize,
    /// … or this many bytes.
    pub log_bytes: usize,
    /// A page lets go of its past when that has this many operations …
    pub compact_operations: usize,
    /// … and nothing was written for this long.
    pub compact_quiet: Duration,
}

impl Default for Tuning {
    fn default() -> Self {
        Self {
            idle: Duration::from_secs(5 * 60),
            rest: Duration::from_secs(2),
            log_updates: 2_000,
            log_bytes: 8 * 1024 * 1024,
            compact_operations: 100_000,
            compact_quiet: Duration::from_secs(60),
        }
    }
}

struct Open {
    room: RoomHandle,
    /// Since when nobody else has held it, as far as was looked.
    idle_since: Option<Instant>,
}

pub struct Rooms {
    store: Store,
    open: Mutex<HashMap<PageId, Open>>,
    /// No room is opened any more.
    over: AtomicBool,
    tuning: Tuning,
    penalties: Arc<Penalties>,
    commit_limiter: CommitLimiter,
    clock: Clock,
    /// Where rooms are recorded, if they are.
    recordings: Option<PathBuf>,
    /// Hears of the runs of suggesters.
    heard: RunListener,
    /// What the workspace's plugins bar now; every room follows it.
    barred: watch::Sender<Barred>,
    /// Outlive the rooms: what somebody read of a page is true until its pulse goes on.
    pulses: std::sync::Mutex<HashMap<PageId, Pulse>>,
    /// For searching; see [`crate::search`].
    words: std::sync::Mutex<HashMap<PageId, (u64, Arc<PageWords>)>>,
}

impl Rooms {
    pub fn new(store: Store) -> Self {
        Self::tuned(store, Tuning::default(), Arc::new(|_| {}))
    }

    pub fn tuned(store: Store, tuning: Tuning, heard: RunListener) -> Self {
        Self {
            store,
            tuning,
            heard,
            barred: watch::Sender::default(),
            open: Mutex::new(HashMap::new()),
            over: AtomicBool::new(false),
            pulses: std::sync::Mutex::default(),
            words: std::sync::Mutex::default(),
            penalties: Arc::default(),
            commit_limiter: CommitLimiter::default(),
            clock: Clock::default(),
            recordings: None,
        }
    }

    /// Judges what has expired by this clock.
    pub fn with_clock(self, clock: Clock) -> Self {
        Self { clock, ..self }
    }

    /// Records every room that is opened, each in a file of this folder.
    pub fn recorded_in(self, recordings: Option<PathBuf>) -> Self {
        Self { recordings, ..self }
    }

    /// Who broke rules lately, in any room.
    pub fn penalties(&self) -> &Arc<Penalties> {
        &self.penalties
    }

    /// From now on text pages have these plugins.
    pub fn plug(&self, enabled: Enabled) {
        self.barred.send_replace(barred(&enabled));
    }

    /// How many rooms are open.
    pub async fn count(&self) -> usize {
        let open = self.open.lock().await;
        open.values().filter(|known| known.room.is_open()).count()
    }

    /// The page's room if it is open; a room that nobody opened has nobody to tell.
    pub async fn if_open(&self, page: &PageId) -> Option<RoomHandle> {
        let open = self.open.lock().await;
        let known = open.get(page).filter(|known| known.room.is_open())?;
        Some(known.room.clone())
    }

    /// The page's room, opened from the store if it is not open.
    pub async fn room(&self, page: &PageId) -> Result<RoomHandle, RoomError> {
        let mut open = self.open.lock().await;
        if self.over.load(Ordering::Relaxed) {
            return Err(RoomError::Closed);
        }
        if let Some(known) = open.get_mut(page).filter(|known| known.room.is_open()) {
            known.idle_since = None;
            return Ok(known.room.clone());
        }
        let barred = self.barred.subscribe();
        let (store, id, clock) = (self.store.clone(), page.clone(), self.clock.clone());
        let recordings = self.recordings.clone();
        let known = barred.borrow().clone();
        let opened = tokio::task::spawn_blocking(move || {
            let opening = load(&store, id, known)?;
            let log = Log::of(&opening.updates);
            Ok::<_, RoomError>((
                RunningRoom::open(opening, clock, recordings.as_deref())?,
                log,
            ))
        });
        let (room, log) = opened
            .await
            .map_err(|error| RoomError::Document(error.to_string()))??;
        let deps = Deps {
            store: self.store.clone(),
            tuning: self.tuning,
            pulse: self.pulse(page),
            heard: Arc::clone(&self.heard),
            barred,
        };
        let room = RoomHandle::spawn(room, log, deps, self.commit_limiter.clone());
        let known = Open {
            room: room.clone(),
            idle_since: None,
        };
        open.insert(page.clone(), known);
        Ok(room)
    }

    /// Goes up with every change of the page, whether its room is open or not.
    pub fn pulse(&self, page: &PageId) -> Pulse {
        let pulses = self.pulses.lock();
        let mut pulses = pulses.unwrap_or_else(PoisonError::into_inner);
        Arc::clone(pulses.entry(page.clone()).or_default())
    }

    /// The words of a page, as they are now.
    pub async fn words(&self, page: &PageId) -> Result<Arc<PageWords>, RoomError> {
        let known = || self.words.lock().unwrap_or_else(PoisonError::into_inner);
        // Read before the page: what changes meanwhile makes what is read now old.
        let now = self.pulse(page).load(Ordering::Relaxed);
        if let Some((at, words)) = known().get(page)
            && *at == now
        {
            return Ok(Arc::clone(words));
        }
        let room = self.room(page).await?;
        let (surface, elements) = (room.surface(), room.elements().await?);
        let read = tokio::task::spawn_blocking(move || PageWords::read(surface, &elements));
        let words = read
            .await
            .map_err(|error| RoomError::Document(error.to_string()))?;
        let words = Arc::new(words);
        known().insert(page.clone(), (now, Arc::clone(&words)));
        Ok(words)
    }

    /// Nobody will look for what a page said any more.
    pub fn forget_words(&self, page: &PageId) {
        let known = self.words.lock();
        known.unwrap_or_else(PoisonError::into_inner).remove(page);
    }

    /// Closes the rooms that nobody has used for long. The next who comes opens them again.
    pub async fn close_idle(&self, now: Instant) {
        let mut open = self.open.lock().await;
        let mut idle = Vec::new();
        for (page, known) in open.iter_mut() {
            if known.room.is_shared() {
                known.idle_since = None;
            } else if now.duration_since(*known.idle_since.get_or_insert(now)) >= self.tuning.idle {
                idle.push(page.clone());
            }
        }
        for page in idle {
            if let Some(known) = open.get(&page) {
                // Whoever opens it again must find on disk all that this room has taken.
                if known.room.settled().await.is_err() {
                    tracing::debug!(%page, "an idle room was closed already");
                }
            }
            open.remove(&page);
            tracing::debug!(%page, "an idle room closed");
        }
    }

    /// Closes all rooms for good. Their logs are folded, so that the next start opens them quickly,
    /// as far as `within` allows; whatever was acknowledged is on disk either way.
    pub async fn close_all(&self, within: Duration) {
        let mut open = self.open.lock().await;
        self.over.store(true, Ordering::Relaxed);
        let deadline = tokio::time::Instant::now() + within;
        for (page, known) in open.drain() {
            if tokio::time::timeout_at(deadline, known.room.rest())
                .await
                .is_err()
            {
                tracing::warn!(%page, "no time was left to fold a page's log");
            }
        }
    }

    /// Closes idle rooms from time to time, for as long as there are rooms.
    pub fn keep_tidy(self: &Arc<Self>) {
        let rooms = Arc::downgrade(self);
        tokio::spawn(async move {
            let mut tick = tokio::time::interval(SWEEP);
            loop {
                tick.tick().await;
                match rooms.upgrade() {
                    Some(rooms) => rooms.close_idle(Instant::now()).await,
                    None => return,
                }
            }
        });
    }
}

/// What the plugins that are off leave out of text pages.
pub fn barred(enabled: &Enabled) -> Barred {
    let mut barred = Barred::default();
    let why = |what: &str, reason: Option<String>| Some((what.to_owned(), reason?));
    for plugin in enabled.off() {
        let tools = plugin.tools();
        barred
            .tools
            .extend(tools.filter_map(|it| why(it, enabled.bars_tool(it))));
        let blocks = plugin.blocks.iter();
        barred
            .blocks
            .extend(blocks.filter_map(|it| why(it, enabled.bars_block(it))));
        let marks = plugin.marks.iter();
        barred
            .marks
            .extend(marks.filter_map(|it| why(it, enabled.bars_mark(it))));
    }
    barred
}

/// What a page's room is opened from, as it lies in the store.
fn load(store: &Store, page: PageId, barred: Barred) -> Result<Opening, RoomError> {
    let row = store
        .page(page.as_str())?
        .ok_or_else(|| RoomError::NoPage(page.to_string()))?;
    let surface = surface_of(&row).map_err(StoreError::from)?;
    let stored = store.load_page(page.as_str())?;
    let touches: Vec<Touch> = stored
        .touches
        .iter()
        .map(|row| {
            let key = format!("{page} {} {} {}", row.element, row.run, row.action);
            Unreadable::json("touch", &key, "body_json", &row.body_json)
        })
        .collect::<Result<_, _>>()
        .map_err(StoreError::from)?;
    let runs = store.runs(RunFilter {
        target: Some(RunTarget::Pages(page.to_string())),
        settled: Some(false),
        ..RunFilter::default()
    })?;
    // A fairy of this server has a seat, and its runs are the host's.
    let suggested = runs
        .rows
        .into_iter()
        .filter(|run| run.owner.fairy().is_none());
    let suggested = suggested.map(|run| OpenSuggestion {
        run: run.id.as_str().into(),
        started_ms: run.started_ms,
        subject: run.owner.subject(),
    });
    let peers = stored.peers.into_iter().map(|row| (row.peer, row.subject));
    Ok(Opening {
        page,
        tier: row.tier,
        surface,
        snapshot: stored.snapshot,
        updates: stored.updates,
        touches,
        peers: peers.collect(),
        server_peer: ids::peer(),
        run_prefix: ids::run(),
        suggested: suggested.collect(),
        barred,
    })
}
