//! The server stops: whoever holds a line open hears of it and lets go.

use tokio::sync::watch;

#[derive(Clone)]
pub struct Closing(watch::Sender<bool>);

impl Default for Closing {
    fn default() -> Self {
        Self(watch::channel(false).0)
    }
}

impl Closing {
    pub fn begin(&self) {
        self.0.send_replace(true);
    }

    /// Resolves once the server stops.
    pub fn begun(&self) -> impl Future<Output = ()> + Send + use<> {
        let mut news = self.0.subscribe();
        async move {
            if news.wait_for(|closing| *closing).await.is_err() {
                std::future::pending().await
            }
        }
    }
}
