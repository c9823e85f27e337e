//! Puts a client's fragments together again, holding no more than what has arrived.

use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use loro_protocol::{BatchId, CrdtType, UpdateStatusCode};

/// The longest time between a fragment header and its last fragment.
pub const REASSEMBLY: Duration = Duration::from_secs(10);
/// What one connection may have half-sent, which is also the largest update.
const CONNECTION_BYTES: u64 = 16 * 1024 * 1024;
/// The same for all connections from one address, and for the whole server.
const ADDRESS_BYTES: usize = 24 * 1024 * 1024;
const SERVER_BYTES: usize = 48 * 1024 * 1024;
const MAX_UNFINISHED: usize = 4;

/// What all connections together may have half-sent.
#[derive(Debug)]
pub struct FragmentBudget {
    held: Mutex<Held>,
    in_all: usize,
    per_address: usize,
}

#[derive(Debug, Default)]
struct Held {
    in_all: usize,
    by_address: HashMap<Option<IpAddr>, usize>,
}

impl Default for FragmentBudget {
    fn default() -> Self {
        Self::new(SERVER_BYTES, ADDRESS_BYTES)
    }
}

impl FragmentBudget {
    pub fn new(in_all: usize, per_address: usize) -> Self {
        Self {
            held: Mutex::default(),
            in_all,
            per_address,
        }
    }

    /// The bytes that are half-sent now.
    pub fn held(&self) -> usize {
        self.with(|held| held.in_all)
    }

    fn take(&self, address: Option<IpAddr>, bytes: usize) -> bool {
        self.with(|held| {
            let of_address = held.by_address.get(&address).copied().unwrap_or(0) + bytes;
            if held.in_all + bytes > self.in_all || of_address > self.per_address {
                return false;
            }
            held.in_all += bytes;
            held.by_address.insert(address, of_address);
            true
        })
    }

    fn give_back(&self, address: Option<IpAddr>, bytes: usize) {
        self.with(|held| {
            held.in_all = held.in_all.saturating_sub(bytes);
            if let Some(of_address) = held.by_address.get_mut(&address) {
                *of_address = of_address.saturating_sub(bytes);
                if *of_address == 0 {
                    held.by_address.remove(&address);
                }
            }
        });
    }

    fn with<T>(&self, change: impl FnOnce(&mut Held) -> T) -> T {
        // Counters cannot be left half-changed.
        change(&mut self.held.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Bytes of one batch, taken from the budget until they are dropped.
struct Hold {
    budget: Arc<FragmentBudget>,
    address: Option<IpAddr>,
    bytes: usize,
}

impl Hold {
    fn more(&mut self, bytes: usize) -> bool {
        let taken = self.budget.take(self.address, bytes);
        if taken {
            self.bytes += bytes;
        }
        taken
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.budget.give_back(self.address, self.bytes);
    }
}

/// One connection's unfinished batches.
pub struct Reassembly {
    budget: Arc<FragmentBudget>,
    address: Option<IpAddr>,
    unfinished: HashMap<(CrdtKey, String, BatchId), Unfinished>,
}

/// `CrdtType` has no hash of its own.
type CrdtKey = [u8; 4];

struct Unfinished {
    crdt: CrdtType,
    fragments: BTreeMap<u64, Vec<u8>>,
    count: u64,
    total: u64,
    hold: Hold,
    since: Instant,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FragmentError {
    /// More than any update may have.
    TooLarge,
    /// Too much is half-sent already: by this connection, its address or everybody.
    TooMany,
    Unknown,
    Inconsistent,
}

impl From<FragmentError> for UpdateStatusCode {
    fn from(error: FragmentError) -> Self {
        match error {
            FragmentError::TooLarge => Self::PayloadTooLarge,
            FragmentError::TooMany => Self::RateLimited,
            FragmentError::Unknown | FragmentError::Inconsistent => Self::InvalidUpdate,
        }
    }
}

impl Reassembly {
    pub fn new(budget: Arc<FragmentBudget>, address: Option<IpAddr>) -> Self {
        Self {
            budget,
            address,
            unfinished: HashMap::new(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.unfinished.is_empty()
    }

    pub fn begin(
        &mut self,
        crdt: CrdtType,
        room: &str,
        batch: BatchId,
        count: u64,
        total: u64,
        now: Instant,
    ) -> Result<(), FragmentError> {
        if total > CONNECTION_BYTES {
            return Err(FragmentError::TooLarge);
        }
        // Each fragment costs some memory beside its bytes: as many as these bytes need, no more.
        if count == 0 || count > total / 1024 + 1 {
            return Err(FragmentError::Inconsistent);
        }
        let claimed: u64 = self.unfinished.values().map(|batch| batch.total).sum();
        if self.unfinished.len() >= MAX_UNFINISHED || claimed + total > CONNECTION_BYTES {
            return Err(FragmentError::TooMany);
        }
        let begun = Unfinished {
            crdt,
            fragments: BTreeMap::new(),
            count,
            total,
            hold: Hold {
                budget: Arc::clone(&self.budget),
                address: self.address,
                bytes: 0,
            },
            since: now,
        };
        self.unfinished
            .insert((crdt.magic_bytes(), room.to_owned(), batch), begun);
        Ok(())
    }

    /// The whole update once its last fragment is there. A fragment that does not fit ends its batch.
    pub fn add(
        &mut self,
        crdt: CrdtType,
        room: &str,
        batch: BatchId,
        index: u64,
        fragment: &[u8],
    ) -> Result<Option<Vec<u8>>, FragmentError> {
        let key = (crdt.magic_bytes(), room.to_owned(), batch);
        let unfinished = self
            .unfinished
            .get_mut(&key)
            .ok_or(FragmentError::Unknown)?;
        let received = (unfinished.hold.bytes + fragment.len()) as u64;
        let fits = index < unfinished.count
            && received <= unfinished.total
            && !unfinished.fragments.contains_key(&index);
        let error = if !fits {
            Some(FragmentError::Inconsistent)
        } else if !unfinished.hold.more(fragment.len()) {
            Some(FragmentError::TooMany)
        } else {
            unfinished.fragments.insert(index, fragment.to_vec());
            None
        };
        if let Some(error) = error {
            self.unfinished.remove(&key);
            return Err(error);
        }
        if (unfinished.fragments.len() as u64) < unfinished.count {
            return Ok(None);
        }
        let done = self.unfinished.remove(&key).ok_or(FragmentError::Unknown)?;
        if done.hold.bytes as u64 != done.total {
            return Err(FragmentError::Inconsistent);
        }
        let mut whole = Vec::with_capacity(done.hold.bytes);
        for fragment in done.fragments.into_values() {
            whole.extend(fragment);
        }
        Ok(Some(whole))
    }

    /// Forgets what is unfinished in a room.
    pub fn forget(&mut self, crdt: CrdtType, room: &str) {
        let left = |(kind, name, _): &(CrdtKey, String, BatchId)| {
            *kind != crdt.magic_bytes() || name != room
        };
        self.unfinished.retain(|key, _| left(key));
    }

    /// Batches that took too long, forgotten.
    pub fn expire(&mut self, now: Instant) -> Vec<(CrdtType, String, BatchId)> {
        let late: Vec<_> = self
            .unfinished
            .iter()
            .filter(|(_, batch)| now.duration_since(batch.since) > REASSEMBLY)
            .map(|(key, batch)| (key.clone(), batch.crdt))
            .collect();
        late.into_iter()
            .map(|(key, crdt)| {
                self.unfinished.remove(&key);
                (crdt, key.1, key.2)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests;
