//! Over random chains of narrowings: the native check and a Biscuit authorizer answer alike, and no
//! narrowing ever allows more.

use std::collections::BTreeSet;

use glade_access::{AccessError, Keys, Narrower, Op, PageRef, Region, Request};
use proptest::collection::{btree_set, vec};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use crate::at;

const PAGES: [&str; 3] = ["pg_1", "pg_2", "read"];
const TIERS: [&str; 2] = ["public", "pg_1"];
const PATHS: [&str; 4] = ["src", "src/a", "docs", "op"];
const TOOLS: [&str; 3] = ["search", "op", "edit"];
/// Few moments, so that limits and questions meet to the second.
const TIMES: std::ops::Range<u64> = 100..104;

fn names(from: &'static [&'static str]) -> impl Strategy<Value = Option<BTreeSet<String>>> {
    let one = select(from).prop_map(str::to_owned);
    option::weighted(0.4, btree_set(one, 1..=from.len()))
}

/// Few edges, so that regions share them.
fn region() -> impl Strategy<Value = Region> {
    (-3i64..3, -3i64..3, 1i64..5, 1i64..5).prop_map(|(x, y, w, h)| Region::new(x, y, w, h).unwrap())
}

fn narrower() -> impl Strategy<Value = Narrower> {
    (
        option::weighted(0.5, btree_set(select(&Op::ALL[..]), 1..=4)),
        names(&PAGES),
        names(&TIERS),
        names(&TOOLS),
        option::weighted(0.3, region()),
        names(&PATHS),
        option::weighted(0.3, TIMES),
    )
        .prop_map(
            |(ops, pages, tiers, tools, region, paths, expires)| Narrower {
                ops,
                pages,
                tiers,
                tools,
                region,
                paths,
                expires_at: expires.map(at),
                subject: None,
            },
        )
}

fn request() -> impl Strategy<Value = Request<'static>> {
    // One name of each kind that no limit mentions.
    let page = prop_oneof![select(&PAGES[..]), Just("pg_other")];
    let tier = prop_oneof![select(&TIERS[..]), Just("secret")];
    let tool = prop_oneof![select(&TOOLS[..]), Just("delete-all")];
    let page2 = page.clone();
    let tier2 = tier.clone();
    let path = select(
        &[
            "src", "src/a", "src/a/b", "srcs", "docs/x", "op", "../src", "",
        ][..],
    );
    prop_oneof![
        3 => (select(&Op::ALL[..]), page, tier).prop_map(|(op, id, tier)| Request::Op {
            op,
            page: PageRef { id, tier },
        }),
        1 => tool.prop_map(|name| Request::Tool { name }),
        2 => (page2, tier2, region()).prop_map(|(id, tier, area)| Request::Write {
            page: PageRef { id, tier },
            area,
        }),
        2 => path.prop_map(|path| Request::Path { path }),
    ]
}

/// The native answer; an expired token allows nothing.
fn native(keys: &Keys, token: &str, request: &Request<'_>, seconds: u64) -> bool {
    match keys.verify(token, at(seconds)) {
        Ok(capability) => match request {
            Request::Op { op, page } => capability.allows(*op, page),
            Request::Tool { name } => capability.allows_tool(name),
            Request::Write { page, area } => capability.allows_write(page, area),
            Request::Path { path } => capability.allows_path(path),
        },
        Err(AccessError::Expired { .. }) => false,
        Err(error) => panic!("our own token was refused: {error}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn native_and_biscuit_agree_and_attenuation_only_narrows(
        chain in vec(narrower(), 0..4),
        questions in vec((request(), TIMES), 1..10),
    ) {
        let keys = crate::new_keys();
        let mut token = keys.owner_token().unwrap();
        let mut allowed = vec![true; questions.len()];
        for narrower in std::iter::once(Narrower::default()).chain(chain) {
            token = keys.attenuate(&token, &narrower).unwrap();
            for ((request, seconds), before) in questions.iter().zip(&mut allowed) {
                let ours = native(&keys, &token, request, *seconds);
                let biscuits = keys.biscuit_allows(&token, request, at(*seconds)).unwrap();
                prop_assert_eq!(ours, biscuits, "{:?} at {}", request, seconds);
                prop_assert!(*before || !ours, "{:?} became allowed", request);
                *before = ours;
            }
        }
    }

    #[test]
    fn what_is_written_into_a_token_is_what_is_read_out(narrower in narrower()) {
        let keys = crate::new_keys();
        let owner = keys.owner_token().unwrap();
        let token = keys.attenuate(&owner, &narrower).unwrap();
        let direct = keys.verify(&owner, at(0)).unwrap().narrow(&narrower).unwrap();
        let read = keys.verify(&token, at(0)).unwrap();
        prop_assert_eq!(read.revocation_ids().len(), 2);
        prop_assert_eq!(read.intersect(&direct), read.clone());
        for op in Op::ALL {
            for id in PAGES {
                for tier in TIERS {
                    let page = PageRef { id, tier };
                    prop_assert_eq!(read.allows(op, &page), direct.allows(op, &page));
                }
            }
        }
        prop_assert_eq!(read.expires_at(), direct.expires_at());
        prop_assert_eq!(read.region(), direct.region());
    }
}
