//! The bodies of requests and answers, watched.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::BoxError;
use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};
use tokio::time::{Instant, Sleep};

use super::senders::Sent;
use super::strangers::Held;

/// A body of which nothing comes for this long is given up.
const SILENCE: Duration = Duration::from_secs(20);
/// Bytes a second that a body which takes longer than that has to bring: a slow line does, and nobody
/// holds much for hours.
const SLOWEST: usize = 8 * 1024;
/// What is read of a stranger's body: a token and what goes with it.
const OF_A_STRANGER: usize = 64 * 1024;

/// The body of a request: it keeps coming, and is short until its sender is known.
pub struct RequestBody<B> {
    inner: B,
    known: Arc<AtomicBool>,
    read: usize,
    held: Held,
    sent: Arc<Sent>,
    patience: Duration,
    begun: Instant,
    silence: Option<Pin<Box<Sleep>>>,
}

impl<B> RequestBody<B> {
    pub fn new(inner: B, known: Arc<AtomicBool>, held: Held, sent: Arc<Sent>) -> Self {
        Self {
            inner,
            known,
            read: 0,
            held,
            sent,
            patience: SILENCE,
            begun: Instant::now(),
            silence: None,
        }
    }
}

impl<B> HttpBody for RequestBody<B>
where
    B: HttpBody<Data = Bytes> + Unpin,
    B::Error: Into<BoxError>,
{
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let next = match Pin::new(&mut self.inner).poll_frame(context) {
            Poll::Ready(next) => next,
            Poll::Pending => {
                let until = Instant::now() + self.patience;
                let silence = self
                    .silence
                    .get_or_insert_with(|| Box::pin(tokio::time::sleep_until(until)));
                ready!(silence.as_mut().poll(context));
                return Poll::Ready(Some(Err("the body of the request stopped coming".into())));
            }
        };
        self.silence = None;
        let Some(Ok(frame)) = next else {
            return Poll::Ready(next.map(|failed| failed.map_err(Into::into)));
        };
        let bytes = frame.data_ref().map_or(0, Bytes::len);
        self.read += bytes;
        let since = self.begun.elapsed();
        if since > self.patience && self.read < since.as_secs() as usize * SLOWEST {
            return Poll::Ready(Some(Err("the body of the request comes too slowly".into())));
        }
        let too_much = if self.known.load(Ordering::Relaxed) {
            let used_up = self.sent.add(bytes).is_err();
            used_up.then_some("too many large requests are under way")
        } else if self.read > OF_A_STRANGER {
            Some("the body of a request without a valid token is too long")
        } else {
            let used_up = self.held.add(bytes).is_err();
            used_up.then_some("too many requests without a valid token are under way")
        };
        if let Some(error) = too_much {
            return Poll::Ready(Some(Err(error.into())));
        }
        Poll::Ready(Some(Ok(frame)))
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

/// The body of an answer, which holds something until it has been sent.
pub struct HeldBody<T> {
    inner: Body,
    _held: T,
}

impl<T> HeldBody<T> {
    pub fn new(inner: Body, held: T) -> Self {
        Self { inner, _held: held }
    }
}

impl<T: Unpin> HttpBody for HeldBody<T> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.inner).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;
    use futures_util::{StreamExt, stream};

    use super::*;

    fn known(is: bool) -> Arc<AtomicBool> {
        Arc::new(AtomicBool::new(is))
    }

    async fn read(body: Body, is_known: bool) -> Result<usize, String> {
        let mut body = {
            let (held, sent) = (Held::new(&Arc::default()), Sent::new(&Arc::default()));
            RequestBody::new(body, known(is_known), held, Arc::new(sent))
        };
        body.patience = Duration::from_millis(50);
        let read = to_bytes(Body::new(body), usize::MAX).await;
        read.map(|bytes| bytes.len())
            .map_err(|error| error.to_string())
    }

    #[tokio::test]
    async fn a_strangers_body_is_short_and_a_known_senders_as_long_as_it_is() {
        let long = vec![7; OF_A_STRANGER + 1];
        assert_eq!(read(Body::from(vec![7; 9]), false).await, Ok(9));
        let refused = read(Body::from(long.clone()), false).await.unwrap_err();
        assert!(refused.contains("without a valid token"), "{refused}");
        assert_eq!(read(Body::from(long), true).await, Ok(OF_A_STRANGER + 1));
    }

    #[tokio::test]
    async fn a_body_that_stops_coming_is_given_up() {
        let begins = stream::iter([Ok::<_, BoxError>(Bytes::from_static(b"a"))]);
        let body = Body::from_stream(begins.chain(stream::pending()));
        let refused = read(body, true).await.unwrap_err();
        assert!(refused.contains("stopped coming"), "{refused}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_trickles_is_given_up_and_one_over_a_slow_line_is_read() {
        let every_second = |bytes: usize| {
            let pieces = stream::iter(0..120).then(move |_| async move {
                tokio::time::sleep(Duration::from_secs(1)).await;
                Ok::<_, BoxError>(Bytes::from(vec![7; bytes]))
            });
            Body::from_stream(pieces)
        };
        for (bytes, read) in [(SLOWEST / 2, false), (SLOWEST * 2, true)] {
            let (held, sent) = (Held::new(&Arc::default()), Sent::new(&Arc::default()));
            let body = RequestBody::new(every_second(bytes), known(true), held, Arc::new(sent));
            assert_eq!(to_bytes(Body::new(body), usize::MAX).await.is_ok(), read);
        }
    }

    #[tokio::test]
    async fn long_bodies_are_refused_while_others_hold_too_much_and_short_ones_are_read() {
        let all = Arc::default();
        let greedy = Sent::new(&all);
        while greedy.add(1 << 20).is_ok() {}
        let read = async |bytes: usize| {
            let (held, sent) = (Held::new(&Arc::default()), Arc::new(Sent::new(&all)));
            let body = Body::from(vec![7; bytes]);
            let body = RequestBody::new(body, known(true), held, Arc::clone(&sent));
            let read = to_bytes(Body::new(body), usize::MAX).await;
            (read.is_ok(), sent.was_refused())
        };
        assert_eq!(read(10_000).await, (true, false));
        assert_eq!(read(1_000_000).await, (false, true));
        drop(greedy);
        assert_eq!(read(1_000_000).await, (true, false));
    }
}
