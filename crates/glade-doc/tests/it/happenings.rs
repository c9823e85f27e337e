//! What can happen in a random world.

use proptest::prelude::*;

pub const OLD: [&str; 4] = ["a", "b", "t", "r"];
pub const NEW: [&str; 4] = ["n0", "n1", "n2", "n3"];

/// Something that a person or a fairy may want.
#[derive(Debug, Clone)]
pub enum Wish {
    Set {
        on: usize,
        property: usize,
        value: i32,
    },
    Type {
        on: usize,
        at: usize,
    },
    Erase {
        on: usize,
        at: usize,
        length: usize,
    },
    Rewrite {
        on: usize,
        at: usize,
        length: usize,
    },
    Make {
        new: usize,
        kind: usize,
        near: usize,
    },
    Delete {
        on: usize,
    },
    Bind {
        on: usize,
        to: Option<usize>,
    },
}

#[derive(Debug, Clone)]
pub enum Happening {
    Person {
        who: usize,
        wish: Wish,
    },
    /// A person's line delivers what they did and brings them up to date.
    Sync {
        who: usize,
    },
    Fairy {
        who: usize,
        wishes: Vec<Wish>,
    },
    /// A fairy sees what the others did.
    Look {
        who: usize,
    },
    NextAction {
        who: usize,
    },
    NextRun {
        who: usize,
    },
    Cancel {
        who: usize,
    },
    Restart,
    /// Everybody has seen everything and left; the page lets go of its past.
    Compact,
    /// An update is turned away.
    Refuse {
        who: usize,
        wish: Wish,
    },
}

pub fn wish() -> impl Strategy<Value = Wish> {
    let on = 0..OLD.len() + NEW.len();
    prop_oneof![
        4 => (on.clone(), 0..5usize, 0..50i32).prop_map(|(on, property, value)| Wish::Set { on, property, value }),
        3 => (on.clone(), 0..20usize).prop_map(|(on, at)| Wish::Type { on, at }),
        3 => (on.clone(), 0..20usize, 1..6usize).prop_map(|(on, at, length)| Wish::Erase { on, at, length }),
        2 => (on.clone(), 0..20usize, 1..6usize).prop_map(|(on, at, length)| Wish::Rewrite { on, at, length }),
        3 => (0..NEW.len(), 0..4usize, on.clone()).prop_map(|(new, kind, near)| Wish::Make { new, kind, near }),
        1 => on.clone().prop_map(|on| Wish::Delete { on }),
        1 => (on.clone(), prop::option::of(on)).prop_map(|(on, to)| Wish::Bind { on, to }),
    ]
}

pub fn fairy_happening() -> impl Strategy<Value = Happening> {
    let who = 0..2usize;
    prop_oneof![
        8 => (who.clone(), prop::collection::vec(wish(), 1..3)).prop_map(|(who, wishes)| Happening::Fairy { who, wishes }),
        2 => who.clone().prop_map(|who| Happening::Look { who }),
        3 => who.clone().prop_map(|who| Happening::NextAction { who }),
        2 => who.clone().prop_map(|who| Happening::NextRun { who }),
        1 => who.clone().prop_map(|who| Happening::Cancel { who }),
        1 => Just(Happening::Restart),
        1 => (who, wish()).prop_map(|(who, wish)| Happening::Refuse { who, wish }),
    ]
}

pub fn happening() -> impl Strategy<Value = Happening> {
    let who = 0..2usize;
    prop_oneof![
        5 => fairy_happening(),
        3 => (who.clone(), wish()).prop_map(|(who, wish)| Happening::Person { who, wish }),
        1 => Just(Happening::Compact),
        2 => who.prop_map(|who| Happening::Sync { who }),
    ]
}
