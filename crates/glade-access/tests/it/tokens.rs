//! Tokens as people and the server use them.

use std::time::Duration;

use glade_access::{
    AccessError, Capability, Narrower, NarrowerRequest, Op, PageRef, Region, SubjectKind,
};

use crate::{at, new_keys, now, read_only, subject};

const PAGE: PageRef<'static> = PageRef {
    id: "pg_1",
    tier: "internal",
};

#[test]
fn the_owner_may_do_everything() {
    let keys = new_keys();
    let owner = keys.verify(&keys.owner_token().unwrap(), now()).unwrap();
    assert_eq!(owner.subject, "person:owner");
    assert_eq!(owner.kind, SubjectKind::Person);
    assert_eq!(owner.workspace, "main");
    assert!(owner.is_owner() && owner.may_write() && owner.allows_tool("search"));
    assert!(Op::ALL.into_iter().all(|op| owner.allows(op, &PAGE)));
    assert_eq!(owner.expires_at(), None);
    assert_eq!(owner.revocation_ids().len(), 1);
}

#[test]
fn a_read_only_token_reads_and_no_more() {
    let keys = new_keys();
    let token = keys
        .attenuate(&keys.owner_token().unwrap(), &read_only())
        .unwrap();
    let reader = keys.verify(&token, now()).unwrap();
    let allowed: Vec<_> = Op::ALL
        .into_iter()
        .filter(|op| reader.allows(*op, &PAGE))
        .collect();
    assert_eq!(allowed, [Op::Read]);
    assert!(!reader.may_write() && !reader.is_owner());
}

#[test]
fn tokens_are_url_safe_and_survive_padding_and_white_space() {
    let keys = new_keys();
    for narrower in [read_only(), subject("person:a"), subject("person:ab")] {
        let token = keys
            .attenuate(&keys.owner_token().unwrap(), &narrower)
            .unwrap();
        assert!(
            token
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
        );
        let padded = format!(" {token}==\n");
        assert_eq!(
            keys.verify(&padded, now()).unwrap(),
            keys.verify(&token, now()).unwrap()
        );
    }
}

#[test]
fn a_token_holds_until_the_second_it_expires() {
    let keys = new_keys();
    let narrower = Narrower {
        expires_at: Some(at(1000) + Duration::from_millis(900)),
        ..Narrower::default()
    };
    let token = keys
        .attenuate(&keys.owner_token().unwrap(), &narrower)
        .unwrap();
    let capability = keys.verify(&token, at(999)).unwrap();
    assert!(!capability.expired(at(999)) && capability.expired(at(1000)));
    assert_eq!(capability.expires_at(), Some(at(1000)));

    let error = keys.verify(&token, at(1060)).unwrap_err();
    assert!(matches!(error, AccessError::Expired { seconds: 60, .. }));
    assert!(!format!("{error} {error:?}").contains(&token[..20]));
}

#[test]
fn every_block_can_be_revoked_on_its_own() {
    let keys = new_keys();
    let owner = keys.owner_token().unwrap();
    let reader = keys.attenuate(&owner, &read_only()).unwrap();
    let twin = keys.attenuate(&owner, &read_only()).unwrap();
    let ids = |token: &str| keys.verify(token, now()).unwrap().revocation_ids().to_vec();
    assert_eq!(ids(&reader)[..1], ids(&owner)[..]);
    assert_eq!(ids(&reader)[0], ids(&twin)[0]);
    assert_ne!(ids(&reader)[1], ids(&twin)[1]);
}

#[test]
fn nobody_can_take_anothers_name() {
    let keys = new_keys();
    let owner = keys.owner_token().unwrap();
    let anna = keys.attenuate(&owner, &subject("person:anna")).unwrap();
    assert_eq!(keys.verify(&anna, now()).unwrap().subject, "person:anna");

    for stolen in [
        "person:owner",
        "person:bob",
        "fairy:fy_1",
        "person:anna",
        "person:annabel",
    ] {
        let error = keys.attenuate(&anna, &subject(stolen)).unwrap_err();
        assert!(
            matches!(error, AccessError::SubjectNotNarrower { .. }),
            "{error}"
        );
    }
    let phone = keys
        .attenuate(&anna, &subject("person:anna/phone"))
        .unwrap();
    assert_eq!(
        keys.verify(&phone, now()).unwrap().subject,
        "person:anna/phone"
    );

    // A link narrowed before it was given a name stays the owner's.
    let link = keys.attenuate(&owner, &read_only()).unwrap();
    let error = keys.attenuate(&link, &subject("person:bob")).unwrap_err();
    assert!(matches!(error, AccessError::SubjectNotNarrower { .. }));
}

#[test]
fn no_subject_that_is_given_makes_somebody_the_owner() {
    let keys = new_keys();
    let owner = keys.owner_token().unwrap();
    for name in ["person:owner", "person:Owner", "person:OWNER"] {
        let error = keys.attenuate(&owner, &subject(name)).unwrap_err();
        assert!(matches!(error, AccessError::OwnersSubject), "{error}");
    }
}

#[test]
fn names_that_mean_something_elsewhere_are_refused() {
    let keys = new_keys();
    let owner = keys.owner_token().unwrap();
    for name in [
        "",
        "server",
        "person:",
        "root:me",
        "person:a b",
        "person:a\"); right(\"x",
        "person:a/",
        "person:a:b",
        "person:ä",
    ] {
        let error = keys.attenuate(&owner, &subject(name)).unwrap_err();
        assert!(matches!(error, AccessError::BadSubject { .. }), "{name:?}");
    }
    for page in ["", "a\", \"b", "a}", "x y", &"p".repeat(129)] {
        let narrower = Narrower {
            pages: Some([page.to_owned()].into()),
            ..Narrower::default()
        };
        let error = keys.attenuate(&owner, &narrower).unwrap_err();
        assert!(matches!(error, AccessError::BadName { kind: "page", .. }));
    }
}

#[test]
fn limits_that_allow_nothing_and_tokens_that_grow_too_long_are_refused() {
    let keys = new_keys();
    let owner = keys.owner_token().unwrap();
    let nothing = Narrower {
        tiers: Some([].into()),
        ..Narrower::default()
    };
    let error = keys.attenuate(&owner, &nothing).unwrap_err();
    assert!(matches!(error, AccessError::EmptyLimit { kind: "tiers" }));

    let many = Narrower {
        pages: Some((0..2000).map(|n| format!("pg_{n}")).collect()),
        ..Narrower::default()
    };
    let error = keys.attenuate(&owner, &many).unwrap_err();
    assert!(matches!(error, AccessError::TooLarge { .. }));
}

#[test]
fn a_run_may_do_what_both_fairy_and_asker_may() {
    let keys = new_keys();
    let asker = Narrower {
        ops: Some([Op::Read, Op::Command].into()),
        pages: Some(["pg_1".to_owned(), "pg_2".to_owned()].into()),
        expires_at: Some(at(crate::NOW + 60)),
        subject: Some("person:anna".to_owned()),
        ..Narrower::default()
    };
    let asker = keys
        .attenuate(&keys.owner_token().unwrap(), &asker)
        .and_then(|token| keys.verify(&token, now()))
        .unwrap();
    let fairy = Capability::local("main", "fairy:fy_1")
        .unwrap()
        .narrow(&Narrower {
            ops: Some([Op::Read, Op::Edit].into()),
            pages: Some(["pg_2".to_owned(), "pg_3".to_owned()].into()),
            ..Narrower::default()
        })
        .unwrap();
    let run = fairy.intersect(&asker);
    assert_eq!(run.subject, "fairy:fy_1");
    assert_eq!(run.kind, SubjectKind::Fairy);
    assert_eq!(run.expires_at(), Some(at(crate::NOW + 60)));
    assert_eq!(run.revocation_ids(), asker.revocation_ids());
    for op in Op::ALL {
        for id in ["pg_1", "pg_2", "pg_3"] {
            let page = PageRef { id, tier: "public" };
            assert_eq!(run.allows(op, &page), op == Op::Read && id == "pg_2");
        }
    }
    let elsewhere = Capability::local("other", "person:anna").unwrap();
    assert!(!fairy.intersect(&elsewhere).allows(Op::Read, &PAGE));
    assert!(!fairy.intersect(&elsewhere).allows_tool("search"));
}

#[test]
fn a_request_over_http_reads_as_written_and_ignores_no_limit() {
    let json = r#"{"ops":["read","comment"],"pages":["pg_1"],"expiresIn":60,"subject":"agent:ci"}"#;
    let request: NarrowerRequest = serde_json::from_str(json).unwrap();
    assert_eq!(serde_json::to_string(&request).unwrap(), json);
    let expected = Narrower {
        ops: Some([Op::Read, Op::Comment].into()),
        pages: Some(["pg_1".to_owned()].into()),
        expires_at: Some(at(crate::NOW + 60)),
        subject: Some("agent:ci".to_owned()),
        ..Narrower::default()
    };
    assert_eq!(request.at(now()), expected);

    let unknown = serde_json::from_str::<NarrowerRequest>(r#"{"zone":{"x":0}}"#);
    assert!(unknown.unwrap_err().to_string().contains("zone"));
    let huge = r#"{"expiresIn":18446744073709551615}"#;
    let huge: NarrowerRequest = serde_json::from_str(huge).unwrap();
    let keys = new_keys();
    let token = keys
        .attenuate(&keys.owner_token().unwrap(), &huge.at(now()))
        .unwrap();
    assert!(keys.verify(&token, now()).is_ok());
}

#[test]
fn a_region_limits_where_a_token_writes_and_not_what_it_reads() {
    let keys = new_keys();
    let limits = r#"{"region":{"x":-10,"y":0,"w":110,"h":100}}"#;
    let request: NarrowerRequest = serde_json::from_str(limits).unwrap();
    assert_eq!(serde_json::to_string(&request).unwrap(), limits);
    let token = keys
        .attenuate(&keys.owner_token().unwrap(), &request.at(now()))
        .unwrap();
    let capability = keys.verify(&token, now()).unwrap();
    let may = |x, y, w, h| capability.allows_write(&PAGE, &Region::around(x, y, w, h));
    assert!(may(-10.0, 0.0, 110.0, 100.0) && may(0.5, 0.5, 10.0, 10.0));
    assert!(!may(-10.5, 0.0, 5.0, 5.0) && !may(0.0, 0.0, 100.1, 5.0));
    assert!(capability.allows(Op::Read, &PAGE) && capability.allows(Op::Edit, &PAGE));

    for bad in [
        r#"{"region":{"x":0,"y":0,"w":0,"h":5}}"#,
        r#"{"region":{"x":0,"y":0,"w":9223372036854775807,"h":5}}"#,
        r#"{"region":{"x":0.5,"y":0,"w":5,"h":5}}"#,
        r#"{"region":{"x":0,"y":0,"w":5,"h":5,"z":1}}"#,
    ] {
        assert!(
            serde_json::from_str::<NarrowerRequest>(bad).is_err(),
            "{bad}"
        );
    }
}

#[test]
fn a_folder_stands_for_all_in_it_and_for_nothing_beside_it() {
    let keys = new_keys();
    let paths = |paths: &[&str]| Narrower {
        paths: Some(paths.iter().map(|p| (*p).to_owned()).collect()),
        ..Narrower::default()
    };
    let token = keys
        .attenuate(
            &keys.owner_token().unwrap(),
            &paths(&["src", "docs/guide.md"]),
        )
        .unwrap();
    let capability = keys.verify(&token, now()).unwrap();
    for inside in ["src", "src/a b.rs", "src/x/y", "docs/guide.md"] {
        assert!(capability.allows_path(inside), "{inside}");
    }
    for outside in [
        "srcs/a.rs",
        "docs",
        "docs/guide.md.bak",
        "/src",
        "src/../key",
        "./src",
        "src//a",
        "",
    ] {
        assert!(!capability.allows_path(outside), "{outside}");
    }
    let narrower = keys.attenuate(&token, &paths(&["src/x", "etc"])).unwrap();
    let capability = keys.verify(&narrower, now()).unwrap();
    assert!(capability.allows_path("src/x/y") && !capability.allows_path("src/y"));
    assert!(!capability.allows_path("etc") && !capability.allows_path("docs/guide.md"));
    for bad in ["../a", "a/../b", "/etc", "a//b", "a b"] {
        let error = keys.attenuate(&token, &paths(&[bad])).unwrap_err();
        assert!(
            matches!(error, AccessError::BadName { kind: "path", .. }),
            "{bad}"
        );
    }
}

#[test]
fn code_is_no_page_and_in_links_from_before_it_means_nothing() {
    let keys = new_keys();
    let owner = keys.owner_token().unwrap();
    let code = Narrower {
        pages: Some(["pg_1".to_owned(), "code".to_owned()].into()),
        ..Narrower::default()
    };
    let refused = keys.attenuate(&owner, &code).unwrap_err().to_string();
    assert!(refused.contains("`project`"), "{refused}");
    let before = keys.verify(&owner, now()).unwrap().narrow(&code).unwrap();
    assert_eq!(before.project(), &[].into());
}

#[test]
fn the_project_is_left_only_where_every_block_names_it() {
    let keys = new_keys();
    let owner = keys.owner_token().unwrap();
    let rights = |token: &str| keys.verify(token, now()).unwrap().project().clone();
    let narrow = |token: &str, request: &str| {
        let request: NarrowerRequest = serde_json::from_str(request).unwrap();
        keys.attenuate(token, &request.at(now()))
    };
    assert_eq!(rights(&owner), Op::PROJECT.into());
    // As every link was before there was the sentence, whatever else it says.
    for before in [
        r#"{"subject":"person:ann"}"#,
        r#"{"ops":["read","edit","command"]}"#,
        r#"{"pages":["pg_1"],"tiers":["code"]}"#,
        r#"{"paths":["src"]}"#,
        r#"{"project":false}"#,
        r#"{"project":[]}"#,
    ] {
        let link = narrow(&owner, before).unwrap();
        assert_eq!(rights(&link), [].into(), "{before}");
        let named = narrow(&link, r#"{"project":["read","edit","command"]}"#).unwrap();
        assert_eq!(
            rights(&named),
            [].into(),
            "what is gone stays gone: {before}"
        );
    }
    for (request, left) in [
        (r#"{"project":true}"#, vec![Op::Read, Op::Edit, Op::Command]),
        (
            r#"{"ops":["read","comment"],"project":true}"#,
            vec![Op::Read],
        ),
        (
            r#"{"ops":["read"],"project":["read","command"]}"#,
            vec![Op::Read, Op::Command],
        ),
        (r#"{"pages":["pg_1"],"project":["read"]}"#, vec![Op::Read]),
    ] {
        let link = narrow(&owner, request).unwrap();
        assert_eq!(rights(&link), left.into_iter().collect(), "{request}");
    }
    let reader = narrow(&owner, r#"{"project":["read"]}"#).unwrap();
    let more = narrow(&reader, r#"{"project":["read","edit"]}"#).unwrap();
    assert_eq!(rights(&more), [Op::Read].into());
    let bad = narrow(&owner, r#"{"project":["comment"]}"#).unwrap_err();
    assert!(
        matches!(bad, AccessError::NotInProject { op: "comment" }),
        "{bad}"
    );
    for bad in [
        r#"{"project":"read"}"#,
        r#"{"project":["fly"]}"#,
        r#"{"project":{}}"#,
    ] {
        assert!(
            serde_json::from_str::<NarrowerRequest>(bad).is_err(),
            "{bad}"
        );
    }
}

/// A capability that was stored before there was the right, such as a project's asker.
#[test]
fn a_capability_stored_without_the_project_has_none() {
    let keys = new_keys();
    let owner = keys.verify(&keys.owner_token().unwrap(), now()).unwrap();
    let mut stored = serde_json::to_value(&owner).unwrap();
    assert!(stored.as_object_mut().unwrap().remove("project").is_some());
    let read: glade_access::Capability = serde_json::from_value(stored).unwrap();
    assert_eq!(read.project(), &[].into());
    assert_eq!(read.ops(), owner.ops());
}
