//! How long it takes, in release: `cargo test --release -p glade-layout --test it speed -- --ignored --nocapture`.

use std::time::Instant;

use glade_layout::{Direction, Kind, Routing, layout, update};

use crate::plain::random;

/// Prints milliseconds; what must hold is measured by `cargo xtask bench layout`.
#[test]
#[ignore = "prints times"]
fn times() {
    for routing in Routing::ALL {
        for count in [25, 100, 500] {
            let mut all = Vec::new();
            for seed in 0..10 {
                let structure = random(Kind::Layered, Direction::Down, routing, count, seed);
                let start = Instant::now();
                let found = layout(&structure).unwrap();
                let took = start.elapsed().as_secs_f64() * 1e3;
                let start = Instant::now();
                update(&structure, &found).unwrap();
                all.push((
                    took,
                    start.elapsed().as_secs_f64() * 1e3,
                    found.problems.len(),
                ));
            }
            all.sort_by(|a, b| a.0.total_cmp(&b.0));
            eprintln!(
                "{routing:?} {count}: {:.1} ms (most {:.1}), again {:.1} ms, problems {}",
                all[5].0,
                all[9].0,
                all[5].1,
                all.iter().map(|it| it.2).sum::<usize>()
            );
        }
    }
}
