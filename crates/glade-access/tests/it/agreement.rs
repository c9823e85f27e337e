//! Over random chains of narrowings: the native check and a Biscuit authorizer answer alike, and no
//! narrowing ever allows more.

use std::collections::BTreeSet;

use glade_access::{AccessError, Capability, Keys, Narrower, Op, PageRef, Region, Request};
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
        btree_set(select(&Op::PROJECT[..]), 0..=3),
        option::weighted(0.3, TIMES),
    )
        .prop_map(
            |(ops, pages, tiers, tools, region, paths, project, expires)| Narrower {
                project,
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
        2 => select(&Op::ALL[..]).prop_map(|op| Request::Project { op }),
    ]
}

fn allows(capability: &Capability, request: &Request<'_>) -> bool {
    match request {
        Request::Op { op, page } => capability.allows(*op, page),
        Request::Tool { name } => capability.allows_tool(name),
        Request::Write { page, area } => capability.allows_write(page, area),
        Request::Path { path } => capability.allows_path(path),
        Request::Project { op } => capability.allows_project(*op),
    }
}

/// The native answer; an expired token allows nothing.
fn native(keys: &Keys, token: &str, request: &Request<'_>, seconds: u64) -> bool {
    match keys.verify(token, at(seconds)) {
        Ok(capability) => allows(&capability, request),
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
        // Each question of the owner's own token too.
        for (request, seconds) in &questions {
            let ours = native(&keys, &token, request, *seconds);
            prop_assert_eq!(ours, keys.biscuit_allows(&token, request, at(*seconds)).unwrap());
        }
        for narrower in chain {
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

    /// What a run may do is the fairy's and the asker's.
    #[test]
    fn what_two_may_do_together_is_what_both_may(
        fairy in vec(narrower(), 0..3),
        asker in vec(narrower(), 0..3),
        elsewhere in prop::bool::weighted(0.1),
        questions in vec((request(), TIMES), 1..10),
    ) {
        let held = |workspace: &str, subject: &str, chain: &[Narrower]| {
            let all = Capability::local(workspace, subject).unwrap();
            chain.iter().fold(all, |held, limits| held.narrow(limits).unwrap())
        };
        let fairy = held("main", "fairy:fy_1", &fairy);
        let asker = held(if elsewhere { "other" } else { "main" }, "person:ann", &asker);
        let run = fairy.intersect(&asker);
        prop_assert_eq!(&run.subject, &fairy.subject);
        for (request, seconds) in &questions {
            let may = |one: &Capability| !one.expired(at(*seconds)) && allows(one, request);
            let both = may(&fairy) && may(&asker) && !elsewhere;
            prop_assert_eq!(may(&run), both, "{:?} at {}", request, seconds);
        }
    }

    /// A block may give a token a name, and from then on only a longer one.
    #[test]
    fn a_name_only_ever_grows(
        names in vec(select(&["person:ann", "person:ann/tab", "person:bob", "fairy:fy_1"][..]), 1..4),
    ) {
        let keys = crate::new_keys();
        let mut token = keys.owner_token().unwrap();
        let mut known: Option<String> = None;
        for name in names {
            let narrower = Narrower { subject: Some(name.to_owned()), ..Narrower::default() };
            let may = known.as_ref().is_none_or(|known| name.starts_with(&format!("{known}/")));
            match keys.attenuate(&token, &narrower) {
                Ok(narrowed) => {
                    prop_assert!(may, "{:?} became {}", known, name);
                    token = narrowed;
                    known = Some(name.to_owned());
                }
                Err(AccessError::SubjectNotNarrower { .. }) => prop_assert!(!may),
                Err(error) => prop_assert!(false, "{}", error),
            }
            let capability = keys.verify(&token, at(0)).unwrap();
            prop_assert_eq!(Some(&capability.subject), known.as_ref());
            prop_assert_eq!(&capability.workspace, "main");
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
        prop_assert_eq!(read.project(), direct.project());
    }
}
