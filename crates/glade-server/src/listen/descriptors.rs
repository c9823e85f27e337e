//! How many files this process may have open, and how many of them may be connections.

/// Kept for the store, for files, for what models are asked over and for the owner's socket.
const RESERVE: u64 = 200;
/// However few files may be open, somebody can come in.
const LEAST: usize = 16;

/// Asks the system for as many open files as it allows, and answers how many connections fit.
pub fn connections_in_all(wanted: usize) -> usize {
    let Some(files) = raise() else {
        return wanted;
    };
    let fit = fitting(wanted, files);
    if fit < wanted {
        tracing::warn!(
            files,
            connections = fit,
            "the limit of open files leaves room for fewer connections than wanted: raise it (ulimit -n, LimitNOFILE)"
        );
    }
    fit
}

fn fitting(wanted: usize, files: u64) -> usize {
    let fit = usize::try_from(files.saturating_sub(RESERVE)).unwrap_or(usize::MAX);
    wanted.min(fit.max(LEAST))
}

/// Raises the limit to what may be had, and answers it; none if there is no limit.
#[cfg(unix)]
fn raise() -> Option<u64> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    let limit = getrlimit(Resource::Nofile);
    if limit.current == limit.maximum {
        return limit.current;
    }
    let raised = Rlimit {
        current: limit.maximum,
        maximum: limit.maximum,
    };
    match setrlimit(Resource::Nofile, raised) {
        Ok(()) => limit.maximum,
        Err(error) => {
            tracing::warn!(%error, "the limit of open files could not be raised");
            limit.current
        }
    }
}

#[cfg(not(unix))]
fn raise() -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reserve_of_open_files_is_left_and_somebody_always_fits() {
        let cases = [(10_000, 20_000, 10_000), (10_000, 1024, 824), (100, 64, 16)];
        for (wanted, files, expected) in cases {
            assert_eq!(fitting(wanted, files), expected);
        }
    }
}
