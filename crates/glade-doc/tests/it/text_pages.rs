//! Text pages: blocks, marks, rewriting, and taking a fairy's words back.

use glade_doc::{
    CharId, Edit, GuardedPage, PageDoc, Refusal, RollbackRequest, Surface, TouchKind, text, words,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::*;

fn text_page() -> GuardedPage {
    GuardedPage::open(PageDoc::blank(Surface::Text), Vec::new()).unwrap()
}

fn block(words: &str) -> Value {
    json!({ "nodeName": "paragraph", "index": "V", "parent": null, "originalText": words })
}

fn rewrite(page: &GuardedPage, id: &str, text: &str) -> Edit {
    Edit::Rewrite {
        id: id.into(),
        base: words(page, id),
        text: text.to_owned(),
        marks: None,
    }
}

fn marks(page: &GuardedPage, id: &str) -> Value {
    get(page, id, "marks")
}

/// Types as a browser would: characters at a place.
fn type_at(page: &mut GuardedPage, peer: u64, id: &str, at: usize, what: &str) {
    let replica = page.doc().fork();
    replica.loro().set_peer_id(peer).unwrap();
    let before = replica.loro().oplog_vv();
    let text = replica.words(&id.into()).unwrap();
    text.insert(at.min(text.len_unicode()), what).unwrap();
    replica.loro().commit();
    let update = replica.loro().export(loro::ExportMode::updates(&before));
    admit(page, &update.unwrap());
}

#[test]
fn undoing_a_written_block_keeps_what_a_person_typed_in_it() {
    let mut page = text_page();
    fairy(
        &mut page,
        "run_1",
        1,
        &[put("b", block("The fairy writes."))],
    );
    type_at(&mut page, ANN, "b", 10, "(says Ann) ");
    assert_eq!(words(&page, "b"), "The fairy (says Ann) writes.");
    let mut page = restart_text(&page);
    let undone = undo(&mut page, "run_1");
    assert_eq!(words(&page, "b"), "(says Ann) ");
    assert_eq!(undone.kept, [kept("b", "originalText", ANN)]);
    assert_eq!(live_ids(&page), ["b"]);
    // Nothing of it looks pending any more.
    assert_eq!(pending(&page, "b"), 0);
}

#[test]
fn undoing_a_written_block_that_nobody_touched_deletes_it() {
    let mut page = text_page();
    person(&mut page, ANN, &[put("a", block("Mine."))]);
    fairy(
        &mut page,
        "run_1",
        1,
        &[put("b", block("The fairy writes."))],
    );
    undo(&mut page, "run_1");
    assert_eq!(live_ids(&page), ["a"]);
}

#[test]
fn undoing_a_rewriting_brings_words_back_with_their_marks() {
    let mut page = text_page();
    person(
        &mut page,
        ANN,
        &[put("a", block("We meet on Monday, all of us."))],
    );
    let bold = Edit::Rewrite {
        id: "a".into(),
        base: words(&page, "a"),
        text: words(&page, "a"),
        marks: Some(json!([[11, 17, "bold", true]])),
    };
    person(&mut page, ANN, &[bold]);
    let edit = rewrite(&page, "a", "We gather on Tuesday, all of us.");
    fairy(&mut page, "run_1", 1, &[edit]);
    assert_eq!(words(&page, "a"), "We gather on Tuesday, all of us.");
    // The new word wears what the old one wore.
    assert_eq!(marks(&page, "a"), json!([[13, 20, "bold", true]]));
    type_at(&mut page, BEN, "a", 0, "Well: ");
    let mut page = restart_text(&page);
    undo(&mut page, "run_1");
    assert_eq!(words(&page, "a"), "Well: We meet on Monday, all of us.");
    assert_eq!(marks(&page, "a"), json!([[17, 23, "bold", true]]));
}

#[test]
fn a_rewriting_with_marks_leaves_those_on_words_that_others_typed() {
    let mut page = text_page();
    person(&mut page, ANN, &[put("a", block("We meet on Monday."))]);
    let base = words(&page, "a");
    type_at(&mut page, BEN, "a", 7, " early");
    let bold = Edit::Rewrite {
        id: "a".into(),
        base: words(&page, "a"),
        text: words(&page, "a"),
        marks: Some(json!([[8, 13, "bold", true]])),
    };
    person(&mut page, BEN, &[bold]);
    let edit = Edit::Rewrite {
        id: "a".into(),
        base,
        text: "We meet on Tuesday.".to_owned(),
        marks: Some(json!([[11, 18, "italic", true]])),
    };
    fairy(&mut page, "run_1", 1, &[edit]);
    assert_eq!(words(&page, "a"), "We meet early on Tuesday.");
    assert_eq!(
        marks(&page, "a"),
        json!([[8, 13, "bold", true], [17, 24, "italic", true]])
    );
}

#[test]
fn a_rewriting_takes_no_comment_off_its_words() {
    let mut page = text_page();
    person(&mut page, ANN, &[put("a", block("We meet on Monday."))]);
    let base = words(&page, "a");
    let anchor = Edit::Rewrite {
        id: "a".into(),
        base: base.clone(),
        text: base.clone(),
        marks: Some(json!([[3, 7, "comment-anchor", "cm_1"]])),
    };
    person(&mut page, ANN, &[anchor]);
    // Of a fairy that has not heard of the comment yet.
    let edit = Edit::Rewrite {
        id: "a".into(),
        base,
        text: "We meet on Tuesday.".to_owned(),
        marks: Some(json!([[11, 18, "bold", true]])),
    };
    fairy(&mut page, "run_1", 1, &[edit]);
    assert_eq!(
        marks(&page, "a"),
        json!([[3, 7, "comment-anchor", "cm_1"], [11, 18, "bold", true]])
    );
}

#[test]
fn a_word_typed_before_the_one_that_it_stands_for_takes_its_marks_over() {
    let mut page = text_page();
    person(
        &mut page,
        ANN,
        &[put("a", block("We meet on Monday, all."))],
    );
    let bold = Edit::Rewrite {
        id: "a".into(),
        base: words(&page, "a"),
        text: words(&page, "a"),
        marks: Some(json!([[11, 17, "bold", true]])),
    };
    person(&mut page, ANN, &[bold]);
    for text in [
        "We meet on Tuesday Monday, all.",
        "We meet on Tuesday, all.",
    ] {
        let edit = rewrite(&page, "a", text);
        fairy(&mut page, "run_1", 1, &[edit]);
    }
    assert_eq!(marks(&page, "a"), json!([[11, 18, "bold", true]]));
    undo(&mut page, "run_1");
    assert_eq!(words(&page, "a"), "We meet on Monday, all.");
    assert_eq!(marks(&page, "a"), json!([[11, 17, "bold", true]]));
}

#[test]
fn marks_of_a_run_go_and_those_that_a_person_changed_stay() {
    let mut page = text_page();
    person(&mut page, ANN, &[put("a", block("one two three"))]);
    let all = |page: &GuardedPage, marks: Value| Edit::Rewrite {
        id: "a".into(),
        base: words(page, "a"),
        text: words(page, "a"),
        marks: Some(marks),
    };
    let edit = all(
        &page,
        json!([[0, 3, "italic", true], [4, 13, "highlight", "yellow"]]),
    );
    fairy(&mut page, "run_1", 1, &[edit]);
    let edit = all(
        &page,
        json!([
            [0, 3, "italic", true],
            [4, 7, "highlight", "yellow"],
            [8, 13, "highlight", "green"]
        ]),
    );
    person(&mut page, ANN, &[edit]);
    let mut page = restart_text(&page);
    undo(&mut page, "run_1");
    assert_eq!(marks(&page, "a"), json!([[8, 13, "highlight", "green"]]));
    assert_eq!(page.touches().count(), 0);
}

#[test]
fn a_kept_run_leaves_words_without_a_sign_of_it() {
    let mut page = text_page();
    fairy(
        &mut page,
        "run_1",
        1,
        &[put("b", block("The fairy writes."))],
    );
    assert_eq!(pending(&page, "b"), 17);
    let commit = page
        .settle_words(SERVER, &RollbackRequest::whole("run_1".into()))
        .unwrap()
        .unwrap();
    page.settle(&"run_1".into());
    assert_eq!(pending(&page, "b"), 0);
    let copy = PageDoc::open(Surface::Text, Some(&page.doc().snapshot().unwrap()), &[]).unwrap();
    assert_eq!(copy.version(), page.doc().version());
    assert!(commit.to > commit.from);
    assert_eq!(page.touches().count(), 0);
    // The gate goes on.
    person(&mut page, ANN, &[put("c", block("More."))]);
}

/// Two actions of one run in one block: what becomes of one is not decided with the other.
fn two_changes() -> GuardedPage {
    let mut page = text_page();
    person(&mut page, ANN, &[put("b", block("one two three four"))]);
    let first = rewrite(&page, "b", "1 two three four");
    fairy(&mut page, "run_1", 1, &[first]);
    let second = rewrite(&page, "b", "1 two three 4");
    fairy(&mut page, "run_1", 2, &[second]);
    assert_eq!(pending(&page, "b"), 2);
    page
}

#[test]
fn one_change_of_a_block_is_undone_and_the_other_goes_on_waiting() {
    let mut page = two_changes();
    let what = RollbackRequest::part("run_1".into(), Some(1), Some(["b".into()].into()));
    page.rollback(SERVER, &what).unwrap();
    assert_eq!(words(&page, "b"), "one two three 4");
    assert_eq!(pending(&page, "b"), 1);
    undo(&mut page, "run_1");
    assert_eq!(words(&page, "b"), "one two three four");
    assert_eq!(pending(&page, "b"), 0);
}

#[test]
fn one_change_of_a_block_is_kept_and_the_other_can_be_undone() {
    let mut page = two_changes();
    let what = RollbackRequest::part("run_1".into(), Some(2), Some(["b".into()].into()));
    page.settle_words(SERVER, &what).unwrap().unwrap();
    page.settle_part(&what);
    assert_eq!(pending(&page, "b"), 1);
    undo(&mut page, "run_1");
    assert_eq!(words(&page, "b"), "one two three 4");
    assert_eq!(pending(&page, "b"), 0);
}

#[test]
fn a_block_of_a_run_is_kept_and_the_rest_is_undone() {
    let mut page = text_page();
    fairy(&mut page, "run_1", 1, &[put("b", block("stays"))]);
    fairy(&mut page, "run_1", 2, &[put("c", block("goes"))]);
    let what = RollbackRequest::part("run_1".into(), None, Some(["b".into()].into()));
    page.settle_words(SERVER, &what).unwrap().unwrap();
    page.settle_part(&what);
    assert_eq!((pending(&page, "b"), pending(&page, "c")), (0, 4));
    undo(&mut page, "run_1");
    assert_eq!(live_ids(&page), ["b"]);
}

#[test]
fn the_place_of_a_character_is_found_again_whatever_is_typed_before_it() {
    let mut page = two_changes();
    let row = page.touches().find(|row| row.action == 2).unwrap().clone();
    let TouchKind::Text { inserted, deleted } = row.kind else {
        panic!("words were rewritten");
    };
    type_at(&mut page, ANN, "b", 0, "So: ");
    let at = |peer, counter| {
        let place = text::cursor(&"b".into(), CharId { peer, counter });
        let cursor = loro::cursor::Cursor::decode(&place).unwrap();
        page.doc()
            .loro()
            .get_cursor_pos(&cursor)
            .unwrap()
            .current
            .pos
    };
    assert_eq!(at(inserted[0].peer, inserted[0].from), 16);
    let left = deleted[0].left.unwrap();
    assert_eq!(
        (deleted[0].text.as_str(), at(left.peer, left.counter)),
        ("four", 15)
    );
}

#[test]
fn the_gate_refuses_what_a_text_page_does_not_have() {
    let refuse = |raw: &dyn Fn(&PageDoc)| -> &'static str {
        let mut page = text_page();
        person(&mut page, ANN, &[put("a", block("words"))]);
        let replica = page.doc().fork();
        replica.loro().set_peer_id(BEN).unwrap();
        let before = replica.loro().oplog_vv();
        raw(&replica);
        replica.loro().commit();
        let blob = replica
            .loro()
            .export(loro::ExportMode::updates(&before))
            .unwrap();
        match page.admit(&blob, &mut anyone) {
            Ok(_) => "taken",
            Err(refusal) => refusal.code(),
        }
    };
    let map = |doc: &PageDoc| doc.loro().get_map("doc").ensure_mergeable_map("a").unwrap();
    let text = |doc: &PageDoc| map(doc).ensure_mergeable_text("originalText").unwrap();
    assert_eq!(
        refuse(&|doc| text(doc).mark(0..2, "bold", true).unwrap()),
        "taken"
    );
    assert_eq!(
        refuse(&|doc| text(doc).mark(0..2, "bold", "very").unwrap()),
        "bad-block"
    );
    assert_eq!(
        refuse(&|doc| text(doc).mark(0..2, "link", "https://x.org/").unwrap()),
        "taken"
    );
    assert_eq!(
        refuse(&|doc| text(doc).mark(0..2, "link", "javascript:alert(1)").unwrap()),
        "bad-block"
    );
    assert_eq!(
        refuse(&|doc| text(doc).mark(0..2, "link", " JavaScript:x").unwrap()),
        "bad-block"
    );
    assert_eq!(
        refuse(&|doc| map(doc).insert("nodeName", "script").unwrap()),
        "bad-block"
    );
    assert_eq!(
        refuse(&|doc| map(doc).insert("marks", "x").unwrap()),
        "bad-block"
    );
    assert_eq!(
        refuse(&|doc| map(doc).delete("index").unwrap()),
        "key-removed"
    );
    assert_eq!(
        refuse(&|doc| doc.loro().get_map("elements").insert("x", 1).unwrap()),
        "unknown-container"
    );
    assert_eq!(
        refuse(&|doc| {
            doc.loro()
                .get_map("doc")
                .insert_container("l", loro::LoroList::new())
                .unwrap();
        }),
        "plain-container"
    );
}

#[test]
fn a_canvas_still_refuses_styled_words() {
    let mut page = page();
    person(&mut page, ANN, &[put("t", text("words"))]);
    let replica = page.doc().fork();
    replica
        .loro()
        .config_default_text_style(Some(loro::StyleConfig {
            expand: loro::ExpandType::After,
        }));
    replica.loro().set_peer_id(BEN).unwrap();
    let before = replica.loro().oplog_vv();
    let map = replica
        .loro()
        .get_map("elements")
        .ensure_mergeable_map("t")
        .unwrap();
    map.ensure_mergeable_text("originalText")
        .unwrap()
        .mark(0..2, "bold", true)
        .unwrap();
    replica.loro().commit();
    let blob = replica
        .loro()
        .export(loro::ExportMode::updates(&before))
        .unwrap();
    let refused = page.admit(&blob, &mut anyone).unwrap_err();
    assert!(matches!(refused, Refusal::StyledText { .. }));
}

/// How many characters look pending.
fn pending(page: &GuardedPage, id: &str) -> usize {
    let map = page
        .doc()
        .loro()
        .get_map("doc")
        .ensure_mergeable_map(id)
        .unwrap();
    let text = map.ensure_mergeable_text("originalText").unwrap();
    let pieces = text.to_delta().into_iter();
    pieces
        .map(|piece| match piece {
            loro::TextDelta::Insert { insert, attributes }
                if attributes
                    .iter()
                    .flatten()
                    .any(|(name, value)| name == "agent-pending" && !value.is_null()) =>
            {
                insert.chars().count()
            }
            _ => 0,
        })
        .sum()
}

fn restart_text(page: &GuardedPage) -> GuardedPage {
    let rows: Vec<String> = page
        .touches()
        .map(|row| serde_json::to_string(row).unwrap())
        .collect();
    let rows = rows
        .iter()
        .map(|row| serde_json::from_str(row).unwrap())
        .collect();
    let doc = PageDoc::open(Surface::Text, Some(&page.doc().snapshot().unwrap()), &[]).unwrap();
    GuardedPage::open(doc, rows).unwrap()
}

fn sentence() -> impl Strategy<Value = String> {
    proptest::collection::vec("[a-c]{1,2}", 0..12).prop_map(|words| words.join(" "))
}

/// The fewest words typed and deleted, by dynamic programming.
fn optimal(old: &str, new: &str) -> usize {
    let (a, b) = (words::tokens(old), words::tokens(new));
    let mut cost = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (i, row) in cost.iter_mut().enumerate() {
        row[0] = i;
    }
    for (j, first) in cost[0].iter_mut().enumerate() {
        *first = j;
    }
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            cost[i][j] = if a[i - 1] == b[j - 1] {
                cost[i - 1][j - 1]
            } else {
                1 + cost[i - 1][j].min(cost[i][j - 1])
            };
        }
    }
    cost[a.len()][b.len()]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_rewriting_is_the_smallest_there_is(old in sentence(), new in sentence()) {
        let splices = words::diff(&old, &new);
        prop_assert_eq!(words::apply(&old, &splices), new.clone());
        let chars: Vec<char> = old.chars().collect();
        let spent: usize = splices.iter().map(|splice| {
            let gone: String = chars[splice.at..splice.at + splice.delete].iter().collect();
            words::tokens(&gone).len() + words::tokens(&splice.insert).len()
        }).sum();
        prop_assert!(spent as f64 <= 1.2 * optimal(&old, &new) as f64, "{spent} for {}", optimal(&old, &new));
    }

    #[test]
    fn every_cursor_whose_character_survives_stays_with_it(old in sentence(), new in sentence(), at in 0usize..30) {
        let mut page = text_page();
        person(&mut page, ANN, &[put("a", block(&old))]);
        let text = page.doc().loro().get_map("doc").ensure_mergeable_map("a").unwrap().ensure_mergeable_text("originalText").unwrap();
        let at = at.min(old.chars().count());
        let cursor = text.get_cursor(at, loro::cursor::Side::Middle);
        let survives = words::diff(&old, &new).iter().all(|splice| !(splice.at..splice.at + splice.delete).contains(&at));
        let edit = rewrite(&page, "a", &new);
        fairy(&mut page, "run_1", 1, &[edit]);
        if let (Some(cursor), true, true) = (cursor, survives, at < old.chars().count()) {
            let now = page.doc().loro().get_cursor_pos(&cursor).unwrap().current.pos;
            prop_assert_eq!(words(&page, "a").chars().nth(now), old.chars().nth(at));
        }
    }

    #[test]
    fn what_others_typed_survives_every_rewriting(base in sentence(), new in sentence(), at in 0usize..30) {
        let mut now: Vec<char> = base.chars().collect();
        now.insert(at.min(now.len()), '#');
        let now: String = now.into_iter().collect();
        let made = words::apply(&now, &words::rebase(&base, &now, &new));
        prop_assert_eq!(made.matches('#').count(), 1);
        prop_assert_eq!(made.replace('#', ""), new);
    }

    #[test]
    fn undoing_leaves_exactly_what_people_typed(
        old in sentence(), new in sentence(), at in 0usize..30, later in 0usize..30,
    ) {
        let mut page = text_page();
        person(&mut page, ANN, &[put("a", block(&old))]);
        let edit = rewrite(&page, "a", &new);
        fairy(&mut page, "run_1", 1, &[edit]);
        fairy(&mut page, "run_1", 2, &[put("b", block("A new paragraph of the fairy's."))]);
        type_at(&mut page, BEN, "a", at, "#");
        type_at(&mut page, BEN, "b", later, "@");
        undo(&mut page, "run_1");
        let left = words(&page, "a");
        prop_assert_eq!(left.matches('#').count(), 1);
        prop_assert_eq!(left.replace('#', ""), old);
        prop_assert_eq!(words(&page, "b"), "@");
    }
}

/// Bytes by BEN that say something else than Loro would ever let him say; `None`: Loro does not write them either.
fn forged(page: &GuardedPage, lie: impl FnOnce(&mut Value)) -> Option<Vec<u8>> {
    let honest = page.doc().fork();
    honest.loro().set_peer_id(BEN).unwrap();
    let version = honest.loro().oplog_vv();
    honest.words(&"a".into()).unwrap().insert(2, "x").unwrap();
    honest.loro().commit();
    let told = honest
        .loro()
        .export_json_updates(&version, &honest.loro().oplog_vv())
        .unwrap();
    let mut json = serde_json::to_value(&told).unwrap();
    lie(&mut json["changes"][0]["ops"][0]);
    let liar = page.doc().fork();
    // Without a state, nothing of it is looked at.
    liar.loro().detach();
    liar.loro().import_json_updates(json.to_string()).ok()?;
    liar.loro().export(loro::ExportMode::updates(&version)).ok()
}

#[test]
fn words_where_there_are_none_are_refused_and_leave_no_trace() {
    let lies = [
        json!({"type": "insert", "pos": 1000, "text": "x"}),
        json!({"type": "delete", "pos": 700, "len": 1, "start_id": "0@1"}),
    ];
    for with_spare in [false, true] {
        for lie in &lies {
            let mut page = text_page();
            person(&mut page, ANN, &[put("a", block("words"))]);
            if with_spare {
                page.prepare_spare();
            }
            let blob = forged(&page, |op| op["content"] = lie.clone()).expect("Loro takes it");
            let (version, elements) = (page.doc().version(), page.doc().elements());
            assert!(page.admit(&blob, &mut anyone).is_err(), "{lie}");
            assert_eq!(page.doc().version(), version);
            assert_eq!(page.doc().elements(), elements);
            type_at(&mut page, BEN, "a", 5, "!");
            assert_eq!(words(&page, "a"), "words!");
        }
    }
}

#[test]
fn words_below_a_block_that_was_never_made_are_refused() {
    let mut page = text_page();
    person(&mut page, ANN, &[put("a", block("words"))]);
    let ghost = forged(&page, |op| {
        op["container"] = json!("cid:root-🤝:🤝:$doc>ghost>originalText:Text");
        op["content"]["pos"] = json!(0);
    });
    let refusal = page.admit(&ghost.expect("Loro takes it"), &mut anyone);
    assert!(refusal.is_err(), "{refusal:?}");
    assert_eq!(page.doc().elements().len(), 1);
}

#[test]
fn a_link_is_followed_by_its_scheme_and_what_is_none_is_a_path() {
    for href in [
        "https://x.org",
        "MAILTO:a@b.c",
        "/a:b",
        "#page=pg_a",
        "foo):",
        "10%:x",
        "",
    ] {
        assert!(glade_doc::text::is_safe_link(href), "{href}");
    }
    for href in [
        "javascript:x",
        " JavaScript :x",
        "data:text/html,x",
        "a+b.c:d",
        "java\nscript:x",
    ] {
        assert!(!glade_doc::text::is_safe_link(href), "{href}");
    }
}
