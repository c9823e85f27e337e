//! Comments: whose they are, what they may be, and that fairies leave them alone.

use glade_doc::{Change, Commenter, GuardedPage, PageDoc, Props, Refusal};
use loro::LoroDoc;
use serde_json::{Value, json};

use crate::support::{ANN, BEN, fairy, live_ids, page, person, props, put, rect, tag, undo};

const ONE: &str = "cm_aaaaaaaaaaaa";
const TWO: &str = "cm_bbbbbbbbbbbb";

fn said(author: &str, words: &str) -> Props {
    props(json!({
        "author": author, "authorName": "A person", "createdAt": 1_790_000_000_000u64,
        "element": null, "x": 10, "y": 20.5, "parent": null,
        "resolved": false, "isDeleted": false, "text": words,
    }))
}

/// Sends a comment as somebody who is called `subject` and writes as `peer`.
fn comment(
    page: &mut GuardedPage,
    who: Commenter<'_>,
    peer: u64,
    id: &str,
    what: Value,
) -> Result<(), String> {
    let replica = page.doc().fork();
    let commit = replica.comment(peer, &id.into(), &props(what));
    let update = commit.unwrap().expect("something to say").update;
    admit(page, who, &update)
}

fn admit(page: &mut GuardedPage, who: Commenter<'_>, update: &[u8]) -> Result<(), String> {
    let mut judge = |changes: &[Change], before: &PageDoc| who.check(changes, before);
    let code = |refusal: Refusal| refusal.code().to_owned();
    page.admit(update, &mut judge).map(drop).map_err(code)
}

fn ann() -> Commenter<'static> {
    Commenter {
        subject: "person:ann",
        moderates: false,
    }
}

fn ben() -> Commenter<'static> {
    Commenter {
        subject: "person:ben",
        moderates: false,
    }
}

fn with_one_comment() -> GuardedPage {
    let mut page = page();
    let what = Value::Object(said("person:ann", "why blue?"));
    comment(&mut page, ann(), ANN, ONE, what).unwrap();
    page
}

#[test]
fn a_comment_reads_as_it_was_written_and_stays_out_of_the_elements() {
    let page = with_one_comment();
    let comments = page.doc().comments();
    assert_eq!(comments.len(), 1);
    let mut found = comments[&ONE.into()].clone();
    let mut wanted = said("person:ann", "why blue?");
    found.sort_keys();
    wanted.sort_keys();
    assert_eq!(found, wanted);
    assert!(page.doc().elements().is_empty());
}

#[test]
fn its_author_rewords_moves_and_deletes_it() {
    let mut page = with_one_comment();
    for what in [
        json!({ "text": "why green?" }),
        json!({ "x": 1, "y": 2, "element": "box" }),
        json!({ "isDeleted": true }),
    ] {
        comment(&mut page, ann(), ANN, ONE, what).unwrap();
    }
    let now = &page.doc().comments()[&ONE.into()];
    assert_eq!(
        (&now["text"], &now["x"], &now["isDeleted"]),
        (&json!("why green?"), &json!(1), &json!(true))
    );
}

#[test]
fn others_only_resolve_it() {
    let mut page = with_one_comment();
    comment(&mut page, ben(), BEN, ONE, json!({ "resolved": true })).unwrap();
    for what in [
        json!({ "text": "I like blue" }),
        json!({ "isDeleted": true }),
        json!({ "x": 99 }),
        json!({ "element": "box" }),
        json!({ "createdAt": 5 }),
        json!({ "authorName": "Ben" }),
        json!({ "parent": ONE }),
        json!({ "author": "person:ben" }),
    ] {
        let refused = comment(&mut page, ben(), BEN, ONE, what.clone()).unwrap_err();
        assert!(
            ["foreign-comment", "bad-comment"].contains(&refused.as_str()),
            "{what}: {refused}"
        );
    }
    let mut wanted = said("person:ann", "why blue?");
    wanted.insert("resolved".to_owned(), json!(true));
    assert_eq!(page.doc().comments()[&ONE.into()], wanted);
}

#[test]
fn the_owner_deletes_any_and_rewords_none() {
    let mut page = with_one_comment();
    let owner = Commenter {
        subject: "person:owner",
        moderates: true,
    };
    comment(&mut page, owner, BEN, ONE, json!({ "isDeleted": true })).unwrap();
    let refused = comment(&mut page, owner, BEN, ONE, json!({ "text": "no" }));
    assert_eq!(refused, Err("foreign-comment".to_owned()));
}

#[test]
fn nobody_speaks_in_anothers_name() {
    let mut page = with_one_comment();
    let forged = Value::Object(said("person:ann", "I agree with Ben"));
    let refused = comment(&mut page, ben(), BEN, TWO, forged);
    assert_eq!(refused, Err("comment-author".to_owned()));
    let nameless = json!({ "createdAt": 1, "x": 0, "y": 0, "text": "boo" });
    let refused = comment(&mut page, ben(), BEN, TWO, nameless);
    assert_eq!(refused, Err("bad-comment".to_owned()));
    assert_eq!(page.doc().comments().len(), 1);
}

#[test]
fn the_same_id_made_by_two_at_once_is_the_firsts() {
    let mut page = page();
    let apart = page.doc().fork();
    let theirs = apart.comment(BEN, &ONE.into(), &said("person:ben", "mine"));
    let update = theirs.unwrap().unwrap().update;
    let what = Value::Object(said("person:ann", "first"));
    comment(&mut page, ann(), ANN, ONE, what).unwrap();
    assert_eq!(
        admit(&mut page, ben(), &update),
        Err("foreign-comment".to_owned())
    );
    assert_eq!(page.doc().comments()[&ONE.into()]["text"], json!("first"));
}

#[test]
fn an_answer_names_a_comment_that_is_there_and_not_itself() {
    let mut page = with_one_comment();
    let answer = |parent: &str| {
        let mut what = said("person:ben", "because");
        what.insert("parent".to_owned(), json!(parent));
        Value::Object(what)
    };
    let lost = comment(&mut page, ben(), BEN, TWO, answer("cm_zzzzzzzzzzzz"));
    assert_eq!(lost, Err("bad-comment".to_owned()));
    let own = comment(&mut page, ben(), BEN, TWO, answer(TWO));
    assert_eq!(own, Err("bad-comment".to_owned()));
    comment(&mut page, ben(), BEN, TWO, answer(ONE)).unwrap();
    let ring = comment(&mut page, ann(), ANN, ONE, json!({ "parent": TWO }));
    assert_eq!(ring, Err("bad-comment".to_owned()));
}

#[test]
fn what_is_not_a_comment_is_refused() {
    let mut page = with_one_comment();
    for what in [
        json!({ "likes": 5 }),
        json!({ "resolved": "yes" }),
        json!({ "x": "left" }),
        json!({ "element": { "id": "box" } }),
        json!({ "author": 7 }),
        json!({ "parent": "box" }),
        json!({ "text": "x".repeat(20_001) }),
    ] {
        let refused = comment(&mut page, ann(), ANN, ONE, what.clone());
        assert_eq!(refused, Err("bad-comment".to_owned()), "{what}");
    }
    let what = Value::Object(said("person:ann", "hi"));
    for id in ["box", "cm_short", "cm_AAAAAAAAAAAA", "cm_aaaaaaaaaaaaa"] {
        let refused = comment(&mut page, ann(), ANN, id, what.clone());
        assert_eq!(refused, Err("bad-comment".to_owned()), "{id}");
    }
}

/// Bytes that our own writer would not make.
fn raw(page: &GuardedPage, change: impl FnOnce(&LoroDoc)) -> Vec<u8> {
    let doc = page.doc().fork();
    let before = doc.loro().oplog_vv();
    doc.loro().set_peer_id(ANN).unwrap();
    change(doc.loro());
    doc.loro().commit();
    doc.loro()
        .export(loro::ExportMode::updates(&before))
        .unwrap()
}

#[test]
fn removed_keys_plain_containers_styles_and_other_roots_are_refused() {
    let mut page = with_one_comment();
    let words = |doc: &LoroDoc| {
        let map = doc.get_map("comments").ensure_mergeable_map(ONE).unwrap();
        map.ensure_mergeable_text("text").unwrap()
    };
    let blobs = [
        raw(&page, |doc| doc.get_map("comments").delete(ONE).unwrap()),
        raw(&page, |doc| {
            let map = doc.get_map("comments").ensure_mergeable_map(ONE).unwrap();
            map.delete("x").unwrap();
        }),
        raw(&page, |doc| {
            let map = doc.get_map("comments");
            map.insert_container(TWO, loro::LoroMap::new()).unwrap();
        }),
        raw(&page, |doc| {
            doc.get_map("comments").insert(TWO, "boo").unwrap();
        }),
        raw(&page, |doc| words(doc).mark(0..3, "bold", true).unwrap()),
        raw(&page, |doc| {
            doc.get_map("remarks").insert("a", 1).unwrap();
        }),
    ];
    for (at, blob) in blobs.iter().enumerate() {
        assert!(admit(&mut page, ann(), blob).is_err(), "blob {at}");
    }
    assert_eq!(page.doc().comments().len(), 1);
}

#[test]
fn a_run_cannot_hold_a_comment_and_undoing_one_leaves_what_was_said() {
    let mut page = page();
    fairy(&mut page, "run_1", 1, &[put("box", rect(0))]);
    let mut pinned = said("person:ann", "nice");
    pinned.insert("element".to_owned(), json!("box"));
    comment(&mut page, ann(), ANN, ONE, Value::Object(pinned.clone())).unwrap();
    person(&mut page, BEN, &[put("own", rect(5))]);

    let blob = raw(&page, |doc| {
        let map = doc.get_map("comments").ensure_mergeable_map(ONE).unwrap();
        map.insert("resolved", true).unwrap();
        doc.set_next_commit_message(&tag("run_1", 2).to_message());
    });
    assert_eq!(
        admit(&mut page, ann(), &blob),
        Err("comment-in-run".to_owned())
    );

    undo(&mut page, "run_1");
    assert_eq!(live_ids(&page), ["own"]);
    assert_eq!(page.doc().comments()[&ONE.into()], pinned);
}
