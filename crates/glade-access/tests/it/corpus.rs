//! The fuzzer's corpus, case by case.

#[path = "../hostile/work.rs"]
mod work;

use glade_access::{Narrower, Op, Region};

#[test]
fn no_case_of_the_corpus_does_harm_or_allows_more_than_its_mother() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpus");
    let mut tried = 0;
    for case in std::fs::read_dir(folder).unwrap() {
        work::try_token(&std::fs::read(case.unwrap().path()).unwrap());
        tried += 1;
    }
    assert!(tried > 10);
}

/// The cases are worth something only while the token that they begin with holds, with these limits.
#[test]
fn the_mother_of_the_corpus_has_every_kind_of_limit() {
    let keys = work::keys();
    let mother = keys.verify(work::MOTHER, work::now()).unwrap();
    let named = |names: &[&str]| Some(names.iter().map(|&name| name.to_owned()).collect());
    let limits = Narrower {
        ops: Some([Op::Read, Op::Comment].into()),
        pages: named(&["pg_1"]),
        tiers: named(&["public"]),
        tools: named(&["readFile"]),
        region: Region::new(0, 0, 100, 100),
        paths: named(&["src"]),
        project: [Op::Read].into(),
        expires_at: Some(work::now() + std::time::Duration::from_secs(1_000_000_000)),
        subject: Some("person:ann".to_owned()),
    };
    let owner = keys
        .verify(&keys.owner_token().unwrap(), work::now())
        .unwrap();
    let direct = owner.narrow(&limits).unwrap();
    assert_eq!(mother.intersect(&direct), mother);
    assert_eq!(direct.project(), mother.project());
}
