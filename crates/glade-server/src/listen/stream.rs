//! A connection's bytes, watched: when something last came in, whether what goes out is taken, and
//! how much a stranger has sent.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep};

use super::slots::Slot;

/// Who takes nothing of what is sent to them for this long is gone.
const UNREAD: Duration = Duration::from_secs(30);

pub struct Watched<S> {
    inner: S,
    slot: Arc<Slot>,
    patience: Duration,
    /// Runs while nothing can be written.
    stuck: Option<Pin<Box<Sleep>>>,
}

impl<S> Watched<S> {
    pub fn new(inner: S, slot: Arc<Slot>) -> Self {
        Self {
            inner,
            slot,
            patience: UNREAD,
            stuck: None,
        }
    }

    fn watch(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if written.is_ready() {
            self.stuck = None;
            return written;
        }
        let until = Instant::now() + self.patience;
        let stuck = self
            .stuck
            .get_or_insert_with(|| Box::pin(tokio::time::sleep_until(until)));
        ready!(stuck.as_mut().poll(context));
        Poll::Ready(Err(io::Error::new(
            io::ErrorKind::TimedOut,
            "the other side reads nothing",
        )))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Watched<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        ready!(Pin::new(&mut self.inner).poll_read(context, into))?;
        let read = into.filled().len() - before;
        if read > 0 {
            self.slot.heard(read)?;
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Watched<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write(context, bytes);
        self.watch(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write_vectored(context, parts);
        self.watch(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::super::Connections;
    use super::super::slots::{BEFORE_A_TOKEN, Slots};
    use super::*;

    fn watched<S>(inner: S) -> (Watched<S>, Arc<Slot>) {
        let slots = Arc::new(Slots::new(Connections::default()));
        let slot = Arc::new(slots.admit([127, 0, 0, 1].into(), false).unwrap());
        (Watched::new(inner, Arc::clone(&slot)), slot)
    }

    const PATIENCE: Duration = Duration::from_millis(200);

    #[tokio::test]
    async fn a_reader_that_takes_nothing_is_given_up_after_a_while() {
        let (ours, mut theirs) = tokio::io::duplex(10);
        let (mut ours, _place) = watched(ours);
        ours.patience = PATIENCE;
        let began = Instant::now();
        let error = ours.write_all(&[0; 100]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(began.elapsed() >= PATIENCE);
        let mut taken = [0; 10];
        theirs.read_exact(&mut taken).await.unwrap();
    }

    #[tokio::test]
    async fn a_slow_reader_that_takes_something_stays() {
        let (ours, mut theirs) = tokio::io::duplex(10);
        let (mut ours, _place) = watched(ours);
        ours.patience = PATIENCE;
        let reads = async move {
            let mut taken = [0; 10];
            for _ in 0..10 {
                tokio::time::sleep(PATIENCE / 4).await;
                theirs.read_exact(&mut taken).await.unwrap();
            }
        };
        let (written, ()) = tokio::join!(ours.write_all(&[0; 100]), reads);
        written.unwrap();
    }

    #[tokio::test]
    async fn a_socket_takes_only_so_much_before_a_valid_token() {
        let (ours, mut theirs) = tokio::io::duplex(2 * BEFORE_A_TOKEN);
        let (mut ours, slot) = watched(ours);
        slot.begin_socket(false);
        theirs.write_all(&vec![0; BEFORE_A_TOKEN]).await.unwrap();
        let mut taken = vec![0; BEFORE_A_TOKEN];
        ours.read_exact(&mut taken).await.unwrap();
        theirs.write_all(&[0]).await.unwrap();
        assert!(ours.read_exact(&mut taken[..1]).await.is_err());
        slot.set_known();
        theirs.write_all(&taken).await.unwrap();
        ours.read_exact(&mut taken).await.unwrap();
    }
}
