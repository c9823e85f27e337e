//! The code project's conversations, and what runs did to files.

use glade_store::{Change, CodeChatRow, FileWriteRow, MessageRow, StoreError, WriteState};

use crate::run;
use crate::suite::Place;

fn wrote(
    run: &str,
    path: &str,
    index: i64,
    before: Option<&str>,
    after: Option<&str>,
) -> FileWriteRow {
    let bytes = |text: Option<&str>| text.map(|text| text.as_bytes().to_vec());
    FileWriteRow {
        run: run.to_owned(),
        path: path.to_owned(),
        index,
        before: bytes(before),
        after: bytes(after),
        state: WriteState::Pending,
    }
}

pub fn what_a_run_did_to_files_comes_back_by_run_and_by_path<P: Place>() {
    let (place, store) = P::opened();
    let made = wrote("run_1", "src/a.rs", 0, None, Some("one"));
    let changed = wrote("run_1", "src/a.rs", 1, Some("one"), Some("two"));
    let gone = wrote("run_1", "b.txt", 0, Some(""), None);
    let later = wrote("run_2", "src/a.rs", 0, Some("two"), Some("one"));
    let put = |row: &FileWriteRow| Change::PutFileWrite(row.clone());
    let refused = store.write_blocking(vec![put(&made)]);
    assert!(
        matches!(refused, Err(StoreError::Missing { .. })),
        "{refused:?}"
    );
    store
        .write_blocking(vec![
            Change::PutRun(run("run_1", 1)),
            Change::PutRun(run("run_2", 2)),
            put(&made),
            put(&later),
            put(&changed),
            put(&gone),
        ])
        .unwrap();
    let of_run = store.file_writes_of_run("run_1").unwrap();
    assert_eq!(of_run, [gone.clone(), made.clone(), changed]);
    let rest = FileWriteRow {
        state: WriteState::Kept,
        ..made
    };
    store
        .write_blocking(vec![Change::SetFileWrites {
            run: "run_1".to_owned(),
            path: "src/a.rs".to_owned(),
            rows: vec![rest.clone()],
        }])
        .unwrap();
    drop(store);
    let store = place.open();
    assert_eq!(
        store.file_writes_of_path("src/a.rs").unwrap(),
        [rest.clone(), later]
    );
    assert_eq!(store.file_writes_of_run("run_1").unwrap(), [gone, rest]);
}

pub fn a_conversation_goes_with_its_messages_and_leaves_its_runs<P: Place>() {
    let (_place, store) = P::opened();
    let chat = |id: &str, at| CodeChatRow {
        id: id.to_owned(),
        title: "Rename things".to_owned(),
        settings_json: "{}".to_owned(),
        created_ms: at,
        changed_ms: at,
    };
    let message = |id: &str, chat: &str| {
        Change::PutMessage(MessageRow {
            id: id.to_owned(),
            chat: chat.to_owned(),
            role: "user".to_owned(),
            body_json: "{}".to_owned(),
            created_ms: 1,
        })
    };
    let mut of_chat = run("run_1", 1);
    of_chat.owner = glade_store::RunOwner::Fairy("ch_1".to_owned());
    store
        .write_blocking(vec![
            Change::PutCodeChat(chat("ch_1", 1)),
            Change::PutCodeChat(chat("ch_2", 2)),
            Change::PutRun(of_chat.clone()),
            message("msg_1", "ch_1"),
            message("msg_2", "ch_1"),
            message("msg_3", "ch_2"),
            // Of another chat: not this one's to delete.
            Change::DeleteMessages {
                chat: "ch_1".to_owned(),
                ids: vec!["msg_2".to_owned(), "msg_3".to_owned()],
            },
        ])
        .unwrap();
    let ids = |chat: &str| -> Vec<String> {
        let rows = store.messages(chat).unwrap();
        rows.into_iter().map(|row| row.id).collect()
    };
    assert_eq!(
        (ids("ch_1"), ids("ch_2")),
        (vec!["msg_1".to_owned()], vec!["msg_3".to_owned()])
    );
    let id = "ch_1".to_owned();
    store
        .write_blocking(vec![Change::DeleteCodeChat { id }])
        .unwrap();
    assert_eq!(store.code_chats().unwrap().rows, [chat("ch_2", 2)]);
    assert_eq!(ids("ch_1"), Vec::<String>::new());
    assert_eq!(store.run("run_1").unwrap(), Some(of_chat));
}
