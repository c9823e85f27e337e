//! The laws of rollback, in random worlds.

use std::collections::BTreeSet;

use proptest::prelude::*;

use crate::happenings::{Happening, OLD, fairy_happening, happening, wish};
use crate::support::live;
use crate::world::{Owner, World, start, text_of};

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(cases(40))]

    /// Letting go of the past, at any time and as often as one likes, changes nothing of what is
    /// there, of what undoing does, and of what it keeps for whom.
    #[test]
    fn compaction_changes_nothing_that_undo_does(
        happenings in prop::collection::vec(happening(), 1..40),
        order in any::<u64>(),
    ) {
        let mut forgetful = World::new();
        let mut twin = World::new();
        twin.remembers = true;
        let both_look = |forgetful: &World, twin: &World| {
            prop_assert_eq!(forgetful.page.doc().elements(), twin.page.doc().elements());
            prop_assert_eq!(&forgetful.store, &twin.store);
            Ok(())
        };
        for happening in happenings.iter().chain([&Happening::Compact]) {
            forgetful.happen(happening);
            twin.happen(happening);
            both_look(&forgetful, &twin)?;
        }
        let mut runs = twin.runs();
        shuffle(&mut runs, order);
        for run in &runs {
            let (here, there) = (forgetful.undo(run), twin.undo(run));
            prop_assert_eq!((here.undone, here.kept), (there.undone, there.kept));
            both_look(&forgetful, &twin)?;
            forgetful.happen(&Happening::Compact);
            twin.happen(&Happening::Compact);
            both_look(&forgetful, &twin)?;
        }
    }
}

proptest! {
    #![proptest_config(cases(96))]

    /// With nobody else writing, undoing everything, in any order and across restarts, leaves the
    /// page as it was.
    #[test]
    fn undoing_all_runs_in_any_order_leaves_the_start(
        happenings in prop::collection::vec(fairy_happening(), 1..40),
        order in any::<u64>(),
        restarts in any::<bool>(),
    ) {
        let mut world = World::new();
        for happening in &happenings {
            world.happen(happening);
        }
        let mut runs = world.runs();
        shuffle(&mut runs, order);
        for run in &runs {
            world.undo(run);
            if restarts {
                world.happen(&Happening::Restart);
            }
        }
        prop_assert_eq!(world.live(), live(start().doc()));
        prop_assert!(world.store.is_empty(), "{:?}", world.store);
    }

    /// Cancelling an action at once leaves the page as it was before that action, whatever
    /// happened earlier.
    #[test]
    fn cancelling_an_action_leaves_the_page_as_before_it(
        happenings in prop::collection::vec(happening(), 0..30),
        who in 0..2usize,
        wishes in prop::collection::vec(wish(), 1..6),
    ) {
        let mut world = World::new();
        for happening in &happenings {
            world.happen(happening);
        }
        let before = world.live();
        world.act(who, &wishes);
        world.cancel(who);
        prop_assert_eq!(world.live(), before);
    }

    /// People win: no undo takes a person's value or letter, nor another run's value.
    #[test]
    fn undo_takes_nothing_from_anyone_else(
        happenings in prop::collection::vec(happening(), 1..50),
        order in any::<u64>(),
        kept in any::<bool>(),
    ) {
        let mut world = World::new();
        for happening in &happenings {
            world.happen(happening);
        }
        world.sync(0);
        world.sync(1);
        let mut runs = world.runs();
        shuffle(&mut runs, order);
        if kept {
            let run = runs.pop().unwrap();
            world.settle(&run);
        }
        let mut undone = BTreeSet::new();
        for run in &runs {
            let before = world.page.doc().elements();
            let done = world.undo(run);
            undone.insert(run.clone());
            let after = world.page.doc().elements();
            for ((element, property), owner) in &world.owners {
                let owed = match owner {
                    Owner::Person(_) => true,
                    Owner::Run(other) => other != run && !undone.contains(other),
                };
                // An element held only by runs undone before this one goes with the last of them.
                let gone = after[element].get("isDeleted") == Some(&true.into());
                if owed && !(gone && matches!(owner, Owner::Run(_))) {
                    prop_assert_eq!(
                        before[element].get(property), after[element].get(property),
                        "{} took {}.{} of {:?}", run, element, property, owner
                    );
                }
            }
            for kept in &done.kept {
                prop_assert!(before[&kept.what].get("isDeleted") == after[&kept.what].get("isDeleted") || kept.property.is_some());
            }
            // Letters that people typed and that could be read before can still be read.
            for (id, props) in &before {
                let Some(text) = props.get("originalText").and_then(|text| text.as_str()) else { continue };
                let now = text_of(world.page.doc(), id.as_str()).unwrap();
                for letter in text.chars().filter(|letter| world.typed.contains(letter)) {
                    prop_assert!(now.contains(letter), "{run} took {letter} from {id}: {text} -> {now}");
                }
            }
            world.happen(&Happening::Restart);
        }
        if kept {
            return Ok(());
        }
        // After all are undone, the old texts hold what people wrote and nothing else, and of that
        // all that no person erased.
        for id in OLD {
            let Some(now) = text_of(world.page.doc(), id) else { continue };
            let letters: BTreeSet<char> = now.chars().filter(|c| *c as u32 >= 0x4E00).collect();
            prop_assert!(letters.is_subset(&world.typed), "{} holds a fairy's letters: {}", id, now);
            prop_assert!(letters.is_disjoint(&world.erased), "{} holds erased letters: {}", id, now);
        }
        let left = World::old_letters(world.page.doc());
        for letter in world.typed_in_old.difference(&world.erased) {
            prop_assert!(left.contains(letter), "{letter} is lost");
        }
    }
}

fn shuffle(runs: &mut [String], mut seed: u64) {
    for at in (1..runs.len()).rev() {
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        runs.swap(at, (seed >> 33) as usize % (at + 1));
    }
}
