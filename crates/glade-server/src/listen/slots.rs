//! How many connections are open, in all and from each address, and who makes room for whom.
//!
//! A connection on which no valid token was shown has no claim to its place: when there is none
//! left, the one of these that has been silent for longest goes. So whoever has a token gets in,
//! however many strangers there are.

use std::collections::{HashMap, HashSet};
use std::io;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::sync::Notify;

use super::Connections;
use super::senders::Senders;
use super::strangers::{Held, Strangers};

/// Those who have shown a token may be more from one address, such as an office's.
const KNOWN_FOR_EACH_STRANGER: usize = 4;
/// How many of the longest silent are looked up at once: looking goes through all connections.
const LOOKED_UP: usize = 64;

/// What a WebSocket takes before a valid token was shown on it: a token and the version of a page
/// with a thousand writers. The WebSocket library keeps what is sent until a message is whole.
pub const BEFORE_A_TOKEN: usize = 32 * 1024;

pub struct Slots {
    limits: Connections,
    started: Instant,
    open: Mutex<Open>,
    strangers: Arc<Strangers>,
    senders: Arc<Senders>,
}

#[derive(Default)]
struct Open {
    next: u64,
    all: HashMap<u64, Arc<Shared>>,
    by_address: HashMap<Address, HashSet<u64>>,
    /// Requests under way for the clients of a proxy.
    behind_proxies: HashMap<Address, usize>,
    /// The strangers that go next, the last first.
    leaving: Vec<u64>,
}

/// Whose connections are counted together: one address, or the network that one IPv6 customer has.
type Address = IpAddr;

struct Shared {
    address: Address,
    /// In milliseconds since the server's start.
    last_heard: AtomicU64,
    known: AtomicBool,
    /// What a stranger's socket may still send.
    left: AtomicUsize,
    /// It came from a proxy, whose clients are counted one by one.
    proxied: bool,
    ended: AtomicBool,
    end: Notify,
}

/// There is no place left, and nobody who would have to make one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Full;

/// A connection's place, for as long as it is held.
pub struct Slot {
    /// None: the owner's, which is not counted.
    seat: Option<(Arc<Slots>, u64)>,
    shared: Arc<Shared>,
    started: Instant,
    strangers: Arc<Strangers>,
    /// What came in on a WebSocket on which no valid token was shown yet.
    held: Mutex<Option<Held>>,
}

impl Slots {
    pub fn new(limits: Connections) -> Self {
        Self {
            limits,
            started: Instant::now(),
            open: Mutex::default(),
            strangers: Arc::default(),
            senders: Arc::default(),
        }
    }

    /// What strangers have sent on all connections.
    pub fn strangers(&self) -> &Arc<Strangers> {
        &self.strangers
    }

    /// What those who are known have sent in requests that are under way.
    pub fn senders(&self) -> &Arc<Senders> {
        &self.senders
    }

    /// A place for a connection from this address; somebody may have to leave for it.
    pub fn admit(self: &Arc<Self>, address: IpAddr, proxied: bool) -> Result<Slot, Full> {
        let address = counted_as(address);
        let mut open = self.lock();
        if !proxied {
            self.make_room_at(&mut open, address)?;
        }
        if open.all.len() >= self.limits.in_all {
            make_room(&mut open, address)?;
        }
        let id = open.next;
        open.next += 1;
        let shared = Arc::new(Shared::new(address, self.now(), proxied));
        open.all.insert(id, Arc::clone(&shared));
        open.by_address.entry(address).or_default().insert(id);
        Ok(Slot {
            seat: Some((Arc::clone(self), id)),
            shared,
            started: self.started,
            strangers: Arc::clone(&self.strangers),
            held: Mutex::default(),
        })
    }

    /// A place that is not counted.
    pub fn outside(&self) -> Slot {
        let nowhere = IpAddr::V6(Ipv6Addr::UNSPECIFIED);
        Slot {
            seat: None,
            shared: Arc::new(Shared::new(nowhere, self.now(), false)),
            started: self.started,
            strangers: Arc::clone(&self.strangers),
            held: Mutex::default(),
        }
    }

    /// A request of one of a proxy's clients, for as long as it is held.
    pub fn behind_proxy(self: &Arc<Self>, client: IpAddr) -> Result<BehindProxy, Full> {
        let client = counted_as(client);
        let mut open = self.lock();
        let count = open.behind_proxies.entry(client).or_default();
        if *count >= self.limits.per_address {
            return Err(Full);
        }
        *count += 1;
        Ok(BehindProxy {
            slots: Arc::clone(self),
            client,
        })
    }

    #[cfg(test)]
    pub fn count(&self) -> usize {
        self.lock().all.len()
    }

    fn make_room_at(&self, open: &mut Open, address: Address) -> Result<(), Full> {
        let Some(here) = open.by_address.get(&address) else {
            return Ok(());
        };
        if here.len() < self.limits.per_address {
            return Ok(());
        }
        let strangers: Vec<u64> = here
            .iter()
            .copied()
            .filter(|id| open.all.get(id).is_some_and(|it| !it.is_known()))
            .collect();
        let most = self.limits.per_address * KNOWN_FOR_EACH_STRANGER;
        if strangers.len() < self.limits.per_address && here.len() < most {
            return Ok(());
        }
        let longest = strangers
            .into_iter()
            .min_by_key(|id| open.all.get(id).map(|it| it.heard()));
        open.end(longest.ok_or(Full)?);
        Ok(())
    }

    fn now(&self) -> u64 {
        millis_since(self.started)
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        // Every change below is a few inserts or removals of plain values.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The longest silent stranger goes. Where all are known, the address with the most connections
/// loses its longest silent one, unless the newcomer's has as many.
fn make_room(open: &mut Open, newcomer: Address) -> Result<(), Full> {
    if let Some(id) = open.next_to_leave() {
        open.end(id);
        return Ok(());
    }
    let own = open.by_address.get(&newcomer).map_or(0, HashSet::len);
    let busiest = open
        .by_address
        .values()
        .filter(|ids| ids.len() > own + 1)
        .max_by_key(|ids| ids.len());
    let longest = busiest
        .into_iter()
        .flatten()
        .filter_map(|id| Some((*id, open.all.get(id)?)))
        .filter(|(_, shared)| !shared.proxied)
        .min_by_key(|(_, shared)| shared.heard())
        .map(|(id, _)| id);
    open.end(longest.ok_or(Full)?);
    Ok(())
}

impl Open {
    /// The stranger that has been silent for longest, nearly: those that went silent later than
    /// one that has spoken since are looked up again only when the list is used up.
    fn next_to_leave(&mut self) -> Option<u64> {
        while let Some(id) = self.leaving.pop() {
            if self.all.get(&id).is_some_and(|it| !it.is_known()) {
                return Some(id);
            }
        }
        let mut strangers: Vec<(u64, u64)> = self
            .all
            .iter()
            .filter(|(_, shared)| !shared.is_known())
            .map(|(id, shared)| (shared.heard(), *id))
            .collect();
        let few = LOOKED_UP.min(strangers.len() / 8 + 1);
        if strangers.len() > few {
            strangers.select_nth_unstable(few);
            strangers.truncate(few);
        }
        strangers.sort_unstable_by(|a, b| b.cmp(a));
        self.leaving = strangers.into_iter().map(|(_, id)| id).collect();
        self.leaving.pop()
    }

    fn end(&mut self, id: u64) {
        if let Some(shared) = self.remove(id) {
            shared.ended.store(true, Ordering::Release);
            shared.end.notify_waiters();
        }
    }

    fn remove(&mut self, id: u64) -> Option<Arc<Shared>> {
        let shared = self.all.remove(&id)?;
        if let Some(here) = self.by_address.get_mut(&shared.address) {
            here.remove(&id);
            if here.is_empty() {
                self.by_address.remove(&shared.address);
            }
        }
        Some(shared)
    }
}

impl Shared {
    fn new(address: Address, now: u64, proxied: bool) -> Self {
        Self {
            address,
            last_heard: AtomicU64::new(now),
            known: AtomicBool::new(false),
            left: AtomicUsize::new(usize::MAX),
            proxied,
            ended: AtomicBool::new(false),
            end: Notify::new(),
        }
    }

    fn is_known(&self) -> bool {
        self.known.load(Ordering::Relaxed)
    }

    fn heard(&self) -> u64 {
        self.last_heard.load(Ordering::Relaxed)
    }
}

impl Slot {
    /// So many bytes came in. An error if they are more than a stranger may send.
    pub fn heard(&self, bytes: usize) -> io::Result<()> {
        let now = millis_since(self.started);
        self.shared.last_heard.store(now, Ordering::Relaxed);
        let left = self.shared.left.load(Ordering::Relaxed);
        if left == usize::MAX || self.is_known() {
            return Ok(());
        }
        self.shared
            .left
            .store(left.saturating_sub(bytes), Ordering::Relaxed);
        let shared = self.hold(|held| match held {
            Some(held) => held.add(bytes),
            None => Ok(()),
        });
        if bytes > left || shared.is_err() {
            return Err(io::Error::new(
                io::ErrorKind::ConnectionAborted,
                "too much was sent before a valid token",
            ));
        }
        Ok(())
    }

    /// From now on this is a WebSocket. A proxy may have used the connection for others before.
    pub fn begin_socket(&self, known: bool) {
        self.shared.known.store(known, Ordering::Relaxed);
        self.shared.left.store(BEFORE_A_TOKEN, Ordering::Relaxed);
        self.hold(|held| *held = (!known).then(|| Held::new(&self.strangers)));
    }

    fn hold<T>(&self, with: impl FnOnce(&mut Option<Held>) -> T) -> T {
        // A count cannot be left half-changed.
        with(&mut self.held.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether a valid token was shown here.
    pub fn is_known(&self) -> bool {
        self.shared.is_known()
    }

    pub fn set_known(&self) {
        self.shared.known.store(true, Ordering::Relaxed);
        self.hold(Option::take);
    }

    /// Resolves when this connection has to go.
    pub async fn ended(&self) {
        let end = self.shared.end.notified();
        tokio::pin!(end);
        end.as_mut().enable();
        if !self.shared.ended.load(Ordering::Acquire) {
            end.await;
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        if let Some((slots, id)) = &self.seat {
            slots.lock().remove(*id);
        }
    }
}

pub struct BehindProxy {
    slots: Arc<Slots>,
    client: Address,
}

impl Drop for BehindProxy {
    fn drop(&mut self) {
        let mut open = self.slots.lock();
        if let Some(count) = open.behind_proxies.get_mut(&self.client) {
            *count -= 1;
            if *count == 0 {
                open.behind_proxies.remove(&self.client);
            }
        }
    }
}

/// One IPv6 customer has at least a /64 of addresses.
fn counted_as(address: IpAddr) -> Address {
    match address.to_canonical() {
        IpAddr::V6(v6) => {
            let network = u128::from(v6) & (u128::MAX << 64);
            IpAddr::V6(Ipv6Addr::from(network))
        }
        v4 => v4,
    }
}

fn millis_since(start: Instant) -> u64 {
    u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
