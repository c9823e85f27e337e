//! The way back to a connection, and what becomes of one that breaks rules or does not keep up.

use std::sync::Arc;

use tokio::sync::{Notify, mpsc};

use glade_room::Outgoing;

use crate::connection::penalties::Account;
use crate::connection::queued::Queued;

/// The way back to a connection.
#[derive(Clone)]
pub struct Line {
    pub frames: mpsc::Sender<Outgoing>,
    /// Ends the connection when its frames no longer fit.
    pub cut: Arc<Notify>,
    /// What the connection did wrong so far.
    pub account: Arc<Account>,
    /// Bytes on their way to a reader.
    pub queued: Arc<Queued>,
}

impl Line {
    /// Ends the connection, with a word where that still fits.
    pub(super) fn close(&self, code: u16, reason: &'static str) {
        if !self.send(Outgoing::Close { code, reason }) {
            self.cut.notify_one();
        }
    }

    /// False if the reader is too slow, or gone.
    pub fn send(&self, what: Outgoing) -> bool {
        let bytes = what.bytes();
        if !self.queued.put(bytes) {
            return false;
        }
        let sent = self.frames.try_send(what).is_ok();
        if !sent {
            self.queued.sent(bytes);
        }
        sent
    }
}
