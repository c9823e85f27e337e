//! The writing half of a socket.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, WebSocket};
use futures_util::SinkExt;
use futures_util::stream::SplitSink;
use tokio::sync::mpsc;
use tokio::time::{Instant, MissedTickBehavior, interval_at};

use glade_host::connection::queued::Queued;
use glade_host::rooms::Outgoing;

/// Frames that are written in one go.
const AT_ONCE: usize = 64;
/// How often the other side is asked whether it is still there.
const PING: Duration = Duration::from_secs(30);

/// Sends what the rooms say until the last of them has let the line go. All that waits goes out
/// in one go. A reader that takes nothing ends this: the connection gives it up.
pub async fn write(
    mut sink: SplitSink<WebSocket, Message>,
    mut outgoing: mpsc::Receiver<Outgoing>,
    queued: Arc<Queued>,
) {
    let mut waiting = Vec::new();
    let mut ping = interval_at(Instant::now() + PING, PING);
    ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            taken = outgoing.recv_many(&mut waiting, AT_ONCE) => if taken == 0 {
                return;
            },
            _ = ping.tick() => {
                if sink.send(Message::Ping(Bytes::new())).await.is_err() {
                    return;
                }
                continue;
            }
        }
        let mut bytes = 0;
        for what in waiting.drain(..) {
            bytes += what.bytes();
            let (message, last) = match what {
                Outgoing::Frame(frame) => (Message::Binary(frame), false),
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
        queued.sent(bytes);
    }
}
