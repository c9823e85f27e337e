//! What was said about a text page: seen as threads, answered, resolved, and said by a fairy itself.

use glade_agent::parts::comments::{Reply, Thread};
use glade_agent::{Comment, Effect, PartData, Remark};
use serde_json::json;

use crate::room::Room;
use crate::writing::room;

fn comment(id: &str, parent: Option<&str>, text: &str) -> Comment {
    Comment {
        id: id.to_owned(),
        element: Some("b".into()),
        by: "Ann".to_owned(),
        text: text.to_owned(),
        parent: parent.map(str::to_owned),
        resolved: false,
    }
}

fn remarks(effects: &[Effect]) -> Vec<(&str, Remark)> {
    let said = |effect: &'_ Effect| match effect {
        Effect::Comment { name, remark, .. } => Some((*name, remark.clone())),
        _ => None,
    };
    effects.iter().filter_map(said).collect()
}

fn two_blocks() -> Room {
    let mut room = room(&[
        ("a", "heading", "Plan"),
        ("b", "paragraph", "We meet soon."),
    ]);
    let mut element = room.scene.any(&"b".into()).unwrap().clone();
    let marks = json!([[3, 7, "comment-anchor", "cm_1"]]);
    element.props.insert("marks".to_owned(), marks);
    room.scene.apply(&[glade_doc::Edit::Put {
        id: "b".into(),
        props: element.props,
    }]);
    room
}

#[test]
fn open_threads_are_shown_with_the_words_that_they_are_about() {
    let mut room = two_blocks();
    let done = Comment {
        resolved: true,
        ..comment("cm_3", None, "Typo")
    };
    room.comments = vec![
        comment("cm_1", None, "When?"),
        comment("cm_2", Some("cm_1"), "On Monday, I think"),
        done,
    ];
    room.prompt("help");
    let shown = room.last_prompt().parts.iter().find_map(|part| match part {
        PartData::Comments(comments) => Some(comments.threads.clone()),
        _ => None,
    });
    let thread = Thread {
        comment_id: "cm_1".to_owned(),
        block_id: Some("b2".to_owned()),
        words: Some("meet".to_owned()),
        by: "Ann".to_owned(),
        text: "When?".to_owned(),
        replies: vec![Reply {
            by: "Ann".to_owned(),
            text: "On Monday, I think".to_owned(),
        }],
    };
    assert_eq!(shown, Some(vec![thread]));
}

#[test]
fn it_comments_on_words_answers_in_the_thread_and_resolves_it() {
    let mut room = two_blocks();
    room.comments = vec![
        comment("cm_1", None, "When?"),
        comment("cm_2", Some("cm_1"), "On Monday, I think"),
    ];
    room.prompt("help");
    let effects = room.answer(json!([
        {"_type": "comment-add", "intent": "ask", "blockId": "b", "words": "soon", "text": "How soon? "},
        {"_type": "comment-reply", "commentId": "cm_2", "text": "Monday it is."},
        {"_type": "comment-resolve", "commentId": "cm_1"},
    ]));
    let add = Remark::Add {
        block: "b".into(),
        words: Some("soon".to_owned()),
        which: 0,
        text: "How soon?".to_owned(),
    };
    let reply = Remark::Reply {
        to: "cm_1".to_owned(),
        text: "Monday it is.".to_owned(),
    };
    let resolve = Remark::Resolve {
        id: "cm_1".to_owned(),
    };
    assert_eq!(
        remarks(&effects),
        [
            ("comment-add", add),
            ("comment-reply", reply),
            ("comment-resolve", resolve)
        ]
    );
}

#[test]
fn what_nobody_said_cannot_be_answered_and_missing_words_not_be_commented_on() {
    let mut room = two_blocks();
    room.prompt("help");
    let effects = room.answer(json!([
        {"_type": "comment-reply", "commentId": "cm_9", "text": "Yes."},
        {"_type": "comment-add", "intent": "", "blockId": "b", "words": "never", "text": "Why?"},
        {"_type": "comment-add", "intent": "", "blockId": "b", "text": "  "},
    ]));
    assert_eq!(remarks(&effects), []);
    for reason in [
        "no comment with the id \"cm_9\"",
        "does not hold the words \"never\"",
        "lacks fields",
    ] {
        assert!(room.told().contains(reason), "{reason}: {}", room.told());
    }
}
