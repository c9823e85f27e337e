//! Which cores helpers may be woken on.
//!
//! Linux wakes a thread where it ran last, or where the one runs that wakes it, and after a busy time does not look for
//! a core that is free: a helper may end up behind the very thread that it is to help, or that one behind its helper.
//! So for as long as they work together the helped one stays on its core, and its helpers keep off it.

#[cfg(target_os = "linux")]
pub(super) use linux::Places;

#[cfg(target_os = "linux")]
mod linux {
    use std::sync::{Mutex, PoisonError};

    use rustix::thread::{CpuSet, Pid, gettid, sched_getaffinity, sched_getcpu, sched_setaffinity};

    pub struct Places {
        /// The cores that this process may use.
        cores: Option<CpuSet>,
        threads: Mutex<Vec<Pid>>,
    }

    impl Places {
        pub fn new() -> Self {
            Self {
                cores: sched_getaffinity(None).ok(),
                threads: Mutex::new(Vec::new()),
            }
        }

        pub fn add_this_thread(&self) {
            let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
            threads.push(gettid());
        }

        /// Until what it answers is dropped this thread stays on the core it is on, and all helpers keep off that.
        pub fn apart(&self) -> Apart {
            let own = self.cores.filter(|cores| cores.count() > 1);
            let own = own.and_then(|_| sched_getaffinity(None).ok());
            if let (Some(mut others), Some(_)) = (self.cores, own) {
                let core = sched_getcpu();
                let mut here = CpuSet::new();
                here.set(core);
                others.unset(core);
                // Where any of it is not allowed, threads run where they ran before.
                let _ = sched_setaffinity(None, &here);
                let threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
                for thread in threads.iter() {
                    let _ = sched_setaffinity(Some(*thread), &others);
                }
            }
            Apart(own)
        }
    }

    /// The cores that the helped thread may use again.
    pub struct Apart(Option<CpuSet>);

    impl Drop for Apart {
        fn drop(&mut self) {
            if let Some(own) = &self.0 {
                let _ = sched_setaffinity(None, own);
            }
        }
    }

    #[cfg(test)]
    mod tests {
        use std::sync::Barrier;

        use super::*;

        #[test]
        fn helper_and_helped_keep_to_different_cores_until_they_are_done() {
            let (places, steps) = (Places::new(), Barrier::new(2));
            let cores = places.cores.unwrap();
            let helper = || {
                places.add_this_thread();
                steps.wait();
                steps.wait();
                sched_getaffinity(None).unwrap()
            };
            let helped = || {
                steps.wait();
                let apart = places.apart();
                let during = sched_getaffinity(None).unwrap();
                steps.wait();
                drop(apart);
                (during, sched_getaffinity(None).unwrap())
            };
            let (theirs, (during, after)) = std::thread::scope(|scope| {
                let helper = scope.spawn(helper);
                let helped = scope.spawn(helped).join().unwrap();
                (helper.join().unwrap(), helped)
            });
            assert_eq!(after, cores);
            if cores.count() == 1 {
                assert_eq!([theirs, during], [cores; 2]);
                return;
            }
            assert_eq!(during.count(), 1);
            let shared =
                (0..CpuSet::MAX_CPU).any(|core| during.is_set(core) && theirs.is_set(core));
            assert!(!shared && theirs.count() == cores.count() - 1);
        }
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) struct Places;

#[cfg(not(target_os = "linux"))]
pub(super) struct Apart;

#[cfg(not(target_os = "linux"))]
impl Places {
    pub fn new() -> Self {
        Self
    }

    pub fn add_this_thread(&self) {}

    pub fn apart(&self) -> Apart {
        Apart
    }
}
