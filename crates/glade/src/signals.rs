//! Being asked to stop.

/// Resolves at Ctrl-C, or when the system asks the process to end.
pub async fn stop_signal() {
    let interrupt = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = interrupt => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    if let Err(error) = interrupt.await {
        tracing::error!(%error, "Ctrl-C is not heard here: stop the process by other means");
        std::future::pending::<()>().await;
    }
}
