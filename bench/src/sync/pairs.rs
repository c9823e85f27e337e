//! Two builds of the same server in turn, so that what the machine does meanwhile happens to both.

use std::path::PathBuf;

use anyhow::{Result, ensure};

use super::load::{self, Load, Outcome};
use super::server::{Programs, Server, Which};

/// One turn of each.
#[derive(Debug, Clone, Copy)]
pub struct Pair {
    pub old: Outcome,
    pub new: Outcome,
}

/// As many pairs as asked for; who begins alternates.
pub fn measure(new: &Programs, old: PathBuf, pairs: usize, load: Load) -> Result<Vec<Pair>> {
    ensure!(old.is_file(), "there is no {}", old.display());
    let old = Programs {
        glade: old,
        ..new.clone()
    };
    let one = |programs: &Programs| -> Result<Outcome> {
        let server = Server::start(Which::Glade, programs)?;
        load::run(&server, load)
    };
    (0..pairs)
        .map(|pair| {
            if pair % 2 == 0 {
                let old = one(&old)?;
                Ok(Pair {
                    old,
                    new: one(new)?,
                })
            } else {
                let new = one(new)?;
                Ok(Pair {
                    old: one(&old)?,
                    new,
                })
            }
        })
        .collect()
}

/// The processor time of an edit in the new build, as a share of the old one's: the median of all pairs.
pub fn median_ratio(pairs: &[Pair]) -> f64 {
    let mut ratios: Vec<f64> = pairs.iter().map(Pair::ratio).collect();
    ratios.sort_by(f64::total_cmp);
    let middle = ratios.len() / 2;
    match (ratios.get(middle), middle.checked_sub(1)) {
        (Some(upper), Some(below)) if ratios.len().is_multiple_of(2) => {
            (upper + ratios[below]) / 2.0
        }
        (Some(median), _) => *median,
        (None, _) => f64::NAN,
    }
}

impl Pair {
    pub fn ratio(&self) -> f64 {
        self.new.cpu_per_delivery / self.old.cpu_per_delivery
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(old: f64, new: f64) -> Pair {
        let outcome = |cpu_per_delivery| Outcome {
            p50: 1.0,
            p99: 1.0,
            ack: None,
            lost: 0.0,
            cpu_per_delivery,
            client: 0.5,
        };
        Pair {
            old: outcome(old),
            new: outcome(new),
        }
    }

    #[test]
    fn the_median_is_of_the_pairs_not_of_the_figures() {
        let pairs = [pair(1.0, 2.0), pair(10.0, 10.0), pair(4.0, 2.0)];
        assert_eq!(median_ratio(&pairs), 1.0);
        assert_eq!(median_ratio(&pairs[..2]), 1.5);
        assert!(median_ratio(&[]).is_nan());
    }
}
