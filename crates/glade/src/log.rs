//! What the program says of its own doings.

use tracing_subscriber::EnvFilter;

/// Logs to the error output: what `GLADE_LOG` asks for, or this much.
pub fn to_stderr(usually: &str) {
    let filter = EnvFilter::try_from_env("GLADE_LOG").unwrap_or_else(|_| EnvFilter::new(usually));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .init();
}
