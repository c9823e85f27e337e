//! Reading the frames of Loro protocol v1 that strangers send.
//!
//! Nothing is reserved that the frame does not hold: every count and length is compared with the
//! bytes that are left first. A frame is read in two steps. The [`Envelope`] says which room it is
//! about and what kind of message it is; the body behind it is read only once it is known that this
//! connection may send such a message there.

use loro_protocol::{BatchId, CrdtType, MessageType, UpdateStatusCode};

/// The longest name of a room, as the protocol has it.
const MAX_ROOM: usize = 128;
/// More updates than any client puts into one frame. Each costs memory of its own, however short.
pub const MAX_UPDATES: usize = 4096;
const BATCH_ID: usize = 8;

/// The frame is not of the protocol, or claims more than it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a frame is not of Loro protocol v1")]
pub struct Malformed;

/// What every frame begins with, and what is left behind that.
#[derive(Debug, Clone, Copy)]
pub struct Envelope<'a> {
    pub crdt: CrdtType,
    pub room: &'a str,
    pub kind: MessageType,
    body: &'a [u8],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Join<'a> {
    pub auth: &'a [u8],
    pub version: &'a [u8],
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Updates<'a> {
    pub updates: Vec<&'a [u8]>,
    pub batch: BatchId,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FragmentHeader {
    pub batch: BatchId,
    pub count: u64,
    pub total: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fragment<'a> {
    pub batch: BatchId,
    pub index: u64,
    pub bytes: &'a [u8],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ack {
    pub batch: BatchId,
    pub status: UpdateStatusCode,
}

impl<'a> Envelope<'a> {
    pub fn read(frame: &'a [u8]) -> Result<Self, Malformed> {
        let mut reader = Reader(frame);
        let crdt = CrdtType::from_magic_bytes(reader.array()?).ok_or(Malformed)?;
        let room = reader.bytes()?;
        if room.len() > MAX_ROOM {
            return Err(Malformed);
        }
        let room = std::str::from_utf8(room).map_err(|_| Malformed)?;
        let [kind] = reader.array()?;
        let kind = MessageType::from_u8(kind).ok_or(Malformed)?;
        Ok(Self {
            crdt,
            room,
            kind,
            body: reader.0,
        })
    }

    pub fn join(&self) -> Result<Join<'a>, Malformed> {
        let mut reader = Reader(self.body);
        let join = Join {
            auth: reader.bytes()?,
            version: reader.bytes()?,
        };
        reader.end(join)
    }

    pub fn updates(&self) -> Result<Updates<'a>, Malformed> {
        let mut reader = Reader(self.body);
        let count = reader.number()?;
        let held = reader.0.len().saturating_sub(BATCH_ID);
        // Every update takes a byte at least, for its length.
        let count = usize::try_from(count)
            .ok()
            .filter(|count| *count <= held.min(MAX_UPDATES))
            .ok_or(Malformed)?;
        let mut updates = Vec::with_capacity(count);
        for _ in 0..count {
            updates.push(reader.bytes()?);
        }
        let batch = reader.batch()?;
        reader.end(Updates { updates, batch })
    }

    pub fn fragment_header(&self) -> Result<FragmentHeader, Malformed> {
        let mut reader = Reader(self.body);
        let header = FragmentHeader {
            batch: reader.batch()?,
            count: reader.number()?,
            total: reader.number()?,
        };
        reader.end(header)
    }

    pub fn fragment(&self) -> Result<Fragment<'a>, Malformed> {
        let mut reader = Reader(self.body);
        let fragment = Fragment {
            batch: reader.batch()?,
            index: reader.number()?,
            bytes: reader.bytes()?,
        };
        reader.end(fragment)
    }

    pub fn ack(&self) -> Result<Ack, Malformed> {
        let mut reader = Reader(self.body);
        let batch = reader.batch()?;
        let [status] = reader.array()?;
        // A status of a later version says no more than that something is wrong.
        let status = UpdateStatusCode::from_u8(status).unwrap_or(UpdateStatusCode::Unknown);
        reader.end(Ack { batch, status })
    }

    pub fn leave(&self) -> Result<(), Malformed> {
        Reader(self.body).end(())
    }

    /// What an answer to the updates or fragments in here refers to, without reading them.
    pub fn batch(&self) -> Result<BatchId, Malformed> {
        let id = match self.kind {
            MessageType::DocUpdate => self.body.last_chunk(),
            MessageType::DocUpdateFragmentHeader | MessageType::DocUpdateFragment => {
                self.body.first_chunk()
            }
            _ => None,
        };
        id.copied().map(BatchId).ok_or(Malformed)
    }
}

/// What is left of a frame.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let (array, rest) = self.0.split_first_chunk().ok_or(Malformed)?;
        self.0 = rest;
        Ok(*array)
    }

    fn batch(&mut self) -> Result<BatchId, Malformed> {
        self.array().map(BatchId)
    }

    /// In seven bits a byte, the lowest first.
    fn number(&mut self) -> Result<u64, Malformed> {
        let mut number = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let [byte] = self.array()?;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                return Err(Malformed);
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(Malformed)
    }

    /// Bytes behind their length.
    fn bytes(&mut self) -> Result<&'a [u8], Malformed> {
        let length = usize::try_from(self.number()?).map_err(|_| Malformed)?;
        let (bytes, rest) = self.0.split_at_checked(length).ok_or(Malformed)?;
        self.0 = rest;
        Ok(bytes)
    }

    /// The message, if nothing is left over: what we do not understand we do not take.
    fn end<T>(self, message: T) -> Result<T, Malformed> {
        if self.0.is_empty() {
            Ok(message)
        } else {
            Err(Malformed)
        }
    }
}
