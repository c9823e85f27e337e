//! Fairies think on threads of their own, and after people.
//!
//! Making a prompt from a large page or reading a long answer takes milliseconds at a time. On the threads
//! that serve people, fifty fairies would hold up whoever presses Stop; here the system gives the processor
//! to the other threads first.

use std::future::Future;
use std::sync::OnceLock;

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::task::JoinHandle;

/// One set for all hosts of the process, for as long as it lives: a runtime must not be dropped by its own tasks.
static THREADS: OnceLock<Option<Runtime>> = OnceLock::new();

/// How much they step back behind the threads that serve people (the system's `nice`).
#[cfg(target_os = "linux")]
const AFTER: i32 = 10;

pub(super) fn spawn<F>(thinking: F) -> JoinHandle<F::Output>
where
    F: Future<Output: Send> + Send + 'static,
{
    let own = THREADS.get_or_init(|| {
        let made = Builder::new_multi_thread()
            .thread_name("glade-fairy")
            .on_thread_start(step_back)
            .enable_all()
            .build();
        made.inspect_err(|error| tracing::warn!(%error, "fairies share the server's threads"))
            .ok()
    });
    match own {
        Some(own) => own.spawn(thinking),
        None => Handle::current().spawn(thinking),
    }
}

#[cfg(target_os = "linux")]
fn step_back() {
    // Where it may not, they are equals, as elsewhere.
    let _equals = rustix::process::setpriority_process(Some(rustix::thread::gettid()), AFTER);
}

#[cfg(not(target_os = "linux"))]
fn step_back() {}
