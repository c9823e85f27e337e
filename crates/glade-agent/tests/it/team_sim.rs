//! Whole teams, simulated: real cores and a real board, models that behave badly, people who
//! interrupt, hosts that crash. One number makes a team and all that happens to it.
//!
//! `GLADE_TEAM_SEED=n` replays one; `GLADE_SIM_SEEDS` says how many (1,000 here, 10,000 in soak).

mod model;
mod world;

use world::{Plant, World};

fn seeds() -> u64 {
    let wanted = std::env::var("GLADE_SIM_SEEDS").ok();
    wanted.and_then(|text| text.parse().ok()).unwrap_or(1_000)
}

/// A quarter of all seeds: the quarters run beside each other.
fn quarter(which: u64) {
    let one = std::env::var("GLADE_TEAM_SEED").ok();
    if let Some(seed) = one.and_then(|text| text.parse().ok()) {
        return World::new(seed, Plant::Nothing).live().unwrap();
    }
    let mut ended = std::collections::BTreeMap::<&str, u32>::new();
    for seed in (which..seeds()).step_by(4) {
        let mut world = World::new(seed, Plant::Nothing);
        if let Err(wrong) = world.live() {
            panic!("GLADE_TEAM_SEED={seed}: {wrong}");
        }
        *ended.entry(world.board.project.status.name()).or_default() += 1;
    }
    // A simulation in which everything ends in the same way shows nothing.
    if seeds() >= 400 {
        for how in ["done", "disbanded", "failed"] {
            assert!(ended.contains_key(how), "nothing ended {how}: {ended:?}");
        }
    }
}

#[test]
fn teams_come_to_an_end_whatever_happens_first_quarter() {
    quarter(0);
}

#[test]
fn teams_come_to_an_end_whatever_happens_second_quarter() {
    quarter(1);
}

#[test]
fn teams_come_to_an_end_whatever_happens_third_quarter() {
    quarter(2);
}

#[test]
fn teams_come_to_an_end_whatever_happens_fourth_quarter() {
    quarter(3);
}

fn caught(plant: Plant) -> usize {
    (0..60)
        .filter(|seed| World::new(*seed, plant).live().is_err())
        .count()
}

#[test]
fn a_planted_lost_wait_is_caught() {
    assert!(caught(Plant::LostWait) > 0);
}

#[test]
fn a_planted_double_start_is_caught() {
    assert!(caught(Plant::DoubleStart) > 0);
}

#[test]
fn the_same_seed_is_the_same_life() {
    for seed in [3, 17, 40] {
        let mut lives = Vec::new();
        for _ in 0..2 {
            let mut world = World::new(seed, Plant::Nothing);
            world.live().unwrap();
            lives.push((
                world.board.project.clone(),
                world.board.jobs.clone(),
                world.events,
            ));
        }
        assert_eq!(lives[0], lives[1]);
    }
}
