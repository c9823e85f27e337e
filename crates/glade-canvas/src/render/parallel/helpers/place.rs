//! Which cores helpers may be woken on.
//!
//! Linux wakes a thread where it ran last, and after a busy time does not look for a core that is free: a helper may
//! end up behind the very thread that it is to help. So they are told to keep off that one's core.

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

        /// Has all helpers keep off the core that this runs on.
        pub fn leave_this_core(&self) {
            let Some(mut others) = self.cores else {
                return;
            };
            others.unset(sched_getcpu());
            if others.count() == 0 {
                return;
            }
            let threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
            for thread in threads.iter() {
                // Where it is not allowed, they stay where they are.
                let _ = sched_setaffinity(Some(*thread), &others);
            }
        }
    }

    #[cfg(test)]
    mod tests {
        use std::sync::Barrier;

        use super::*;

        #[test]
        fn a_helper_keeps_off_the_core_of_the_one_that_it_helps() {
            let (places, steps) = (Places::new(), Barrier::new(2));
            let cores = places.cores.unwrap();
            let mut here = CpuSet::new();
            let core = (0..CpuSet::MAX_CPU).find(|core| cores.is_set(*core));
            here.set(core.unwrap());
            let expected = match cores.count() {
                1 => cores,
                _ => {
                    let mut others = cores;
                    others.unset(core.unwrap());
                    others
                }
            };
            let helper = || {
                places.add_this_thread();
                steps.wait();
                steps.wait();
                sched_getaffinity(None).unwrap()
            };
            let helped = || {
                sched_setaffinity(None, &here).unwrap();
                steps.wait();
                places.leave_this_core();
                steps.wait();
            };
            let found = std::thread::scope(|scope| {
                scope.spawn(helped);
                scope.spawn(helper).join().unwrap()
            });
            assert_eq!(found, expected);
        }
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) struct Places;

#[cfg(not(target_os = "linux"))]
impl Places {
    pub fn new() -> Self {
        Self
    }

    pub fn add_this_thread(&self) {}

    pub fn leave_this_core(&self) {}
}
