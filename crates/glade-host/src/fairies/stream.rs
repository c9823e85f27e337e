//! A run as it is told to the chat: recorded from its first word, so that who comes late (a second
//! tab, a reload) reads it from the start and then live.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use futures_util::Stream;
use glade_access::Capability;
use tokio::sync::watch;

/// The most that one run may tell, in bytes and in pieces: it is kept in memory until its end.
const MOST_BYTES: usize = 16 << 20;
const MOST_FRAMES: usize = 200_000;

/// The server-sent events of one run.
pub struct RunStream {
    /// Who asked for the run; `None` is the server itself.
    pub asker: Option<Capability>,
    frames: Mutex<Vec<Bytes>>,
    /// The pages that it was shown, each with the first frame that may tell of it.
    pages: Mutex<Vec<(usize, String)>>,
    progress: watch::Sender<Progress>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Progress {
    frames: usize,
    bytes: usize,
    ended: bool,
}

impl RunStream {
    pub fn new(asker: Option<Capability>) -> Arc<Self> {
        let (progress, _) = watch::channel(Progress {
            frames: 0,
            bytes: 0,
            ended: false,
        });
        Arc::new(Self {
            asker,
            frames: Mutex::new(Vec::new()),
            pages: Mutex::default(),
            progress,
        })
    }

    pub fn push(&self, chunk: &serde_json::Value) {
        self.push_frame(Bytes::from(format!("data: {chunk}\n\n")));
    }

    /// What is told from here on may be of this page: who may not read it hears no more.
    pub fn tells_of(&self, page: &str) {
        let frames = self.frames.lock().unwrap_or_else(PoisonError::into_inner);
        let mut pages = self.pages();
        if !pages.iter().any(|(_, known)| known == page) {
            pages.push((frames.len(), page.to_owned()));
        }
    }

    /// The pages that it was shown.
    pub fn pages_told_of(&self) -> BTreeSet<String> {
        self.pages().iter().map(|(_, page)| page.clone()).collect()
    }

    fn pages(&self) -> MutexGuard<'_, Vec<(usize, String)>> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The last frame: after it every reader's stream ends.
    pub fn end(&self) {
        self.push_frame(Bytes::from_static(b"data: [DONE]\n\n"));
        self.progress.send_modify(|progress| progress.ended = true);
    }

    fn push_frame(&self, frame: Bytes) {
        let mut frames = self.frames.lock().unwrap_or_else(PoisonError::into_inner);
        frames.push(frame);
        let (count, bytes) = (frames.len(), frames.last().map_or(0, Bytes::len));
        drop(frames);
        self.progress.send_modify(|progress| {
            progress.frames = count;
            progress.bytes += bytes;
        });
    }

    /// The limit that the run has gone over, in words: whoever tells it ends it.
    pub fn over_budget(&self) -> Option<String> {
        let progress = *self.progress.borrow();
        if progress.bytes > MOST_BYTES {
            return Some("16 MB in one run".to_owned());
        }
        (progress.frames > MOST_FRAMES).then(|| format!("{MOST_FRAMES} pieces in one run"))
    }

    pub fn ended(&self) -> bool {
        self.progress.borrow().ended
    }

    /// Resolves when the run has ended.
    pub async fn over(&self) {
        let mut progress = self.progress.subscribe();
        // Only the stream itself says so, and it is there.
        let _gone = progress.wait_for(|progress| progress.ended).await;
    }

    /// Everything so far, then everything to come, until it tells of a page that the reader does not
    /// see, or no longer.
    pub fn read<S>(self: &Arc<Self>, sees: S) -> impl Stream<Item = Bytes> + Send + 'static + use<S>
    where
        S: Fn(&str) -> bool + Send + 'static,
    {
        let reader = Reader {
            sees,
            stream: Arc::clone(self),
            progress: self.progress.subscribe(),
            next: 0,
        };
        futures_util::stream::unfold(reader, |mut reader| async move {
            let frame = reader.next_frame().await?;
            Some((frame, reader))
        })
    }
}

struct Reader<S> {
    sees: S,
    stream: Arc<RunStream>,
    progress: watch::Receiver<Progress>,
    next: usize,
}

impl<S: Fn(&str) -> bool> Reader<S> {
    async fn next_frame(&mut self) -> Option<Bytes> {
        loop {
            let progress = *self.progress.borrow_and_update();
            if self.next < progress.frames {
                let frames = self
                    .stream
                    .frames
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner);
                let frame = frames.get(self.next).cloned();
                drop(frames);
                let pages = self.stream.pages();
                let mut told = pages.iter().filter(|(from, _)| *from <= self.next);
                if !told.all(|(_, page)| (self.sees)(page)) {
                    return None;
                }
                self.next += 1;
                return frame;
            }
            if progress.ended {
                return None;
            }
            self.progress.changed().await.ok()?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::StreamExt;
    use serde_json::json;

    #[test]
    fn a_run_that_tells_too_much_is_over_its_budget() {
        let stream = RunStream::new(None);
        let megabyte = json!("x".repeat(1 << 20));
        (0..15).for_each(|_| stream.push(&megabyte));
        assert_eq!(stream.over_budget(), None);
        stream.push(&megabyte);
        assert_eq!(stream.over_budget(), Some("16 MB in one run".to_owned()));
        let stream = RunStream::new(None);
        (0..=MOST_FRAMES).for_each(|_| stream.push(&json!(1)));
        assert_eq!(
            stream.over_budget(),
            Some("200000 pieces in one run".to_owned())
        );
    }

    #[tokio::test]
    async fn a_late_reader_gets_everything_in_order_and_the_end() {
        let stream = RunStream::new(None);
        stream.push(&json!({"n": 1}));
        let early = tokio::spawn(stream.read(|_| true).collect::<Vec<_>>());
        stream.push(&json!({"n": 2}));
        stream.end();
        let late: Vec<Bytes> = stream.read(|_| true).collect().await;
        assert_eq!(
            late,
            [
                &b"data: {\"n\":1}\n\n"[..],
                b"data: {\"n\":2}\n\n",
                b"data: [DONE]\n\n"
            ]
        );
        assert_eq!(early.await.unwrap(), late);
    }

    #[tokio::test]
    async fn who_may_not_read_a_page_hears_nothing_from_where_it_is_told_of() {
        let stream = RunStream::new(None);
        stream.tells_of("open");
        stream.push(&json!({"n": 1}));
        stream.tells_of("hidden");
        stream.tells_of("open");
        stream.push(&json!({"n": 2}));
        stream.end();
        let told = async |sees: fn(&str) -> bool| {
            let frames: Vec<Bytes> = stream.read(sees).collect().await;
            frames.len()
        };
        assert_eq!(told(|_| true).await, 3);
        assert_eq!(told(|page| page == "open").await, 1);
        assert_eq!(told(|page| page == "hidden").await, 0);
        let pages: Vec<String> = stream.pages_told_of().into_iter().collect();
        assert_eq!(pages, ["hidden", "open"]);
    }
}
