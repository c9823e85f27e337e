//! A backup that somebody has changed. Done with every file of `tests/corpus/restore` in every test
//! run, and by the fuzzer.
//!
//! A script is a list of turns, each done to a sound backup: what is done, two bytes that say where,
//! a length and as many bytes.

use std::fs::{self, File};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::sync::LazyLock;

use glade_store::{Archive, Change, PageRow, Restoring, RunFilter, Settings, Store, backup};
use rusqlite::Connection;
use rusqlite::types::Value;

/// Statements that no backup's schema is made of, and some that change what it says of itself.
const STATEMENTS: [&str; 8] = [
    "CREATE TRIGGER t AFTER INSERT ON page BEGIN DELETE FROM page; END",
    "CREATE VIEW v AS SELECT 1",
    "CREATE TABLE more (x)",
    "PRAGMA user_version = 999",
    "PRAGMA user_version = 3",
    "DROP TABLE backup_file",
    "DELETE FROM audit",
    "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = 'CREATE TABLE page (id)' WHERE name = 'page'",
];

/// A data folder with a little of what one holds, backed up.
static SOUND: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let dir = tempfile::tempdir().expect("a folder");
    let data = dir.path().join("data");
    let store = Store::open(&data).expect("a store");
    let page = PageRow {
        id: "pg_1".to_owned(),
        name: "Page".to_owned(),
        kind: "canvas".to_owned(),
        tier: "internal".to_owned(),
        position: 1.0,
        created_ms: 1,
    };
    let update = Change::AppendUpdate {
        page: page.id.clone(),
        peer_spans: vec![(7, 0, 3)],
        blob: vec![1, 2, 3],
        subject: "person:ann".to_owned(),
        at_ms: 2,
    };
    store
        .write_blocking(vec![Change::PutPage(page), update])
        .expect("a write");
    drop(store);
    fs::write(data.join("owner.key"), "a key").expect("a file");
    let file = dir.path().join("backup");
    backup(&data, &file).expect("a backup");
    fs::read(&file).expect("its bytes")
});

/// Restores what a script makes of a sound backup. Refused, it leaves nothing; taken, it is a data
/// folder with its files inside, and reading it does no harm. Answers whether it was taken.
pub fn restore(script: &[u8]) -> bool {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("backup");
    fs::write(&file, &*SOUND).expect("a file");
    for (what, place, bytes) in turns(script) {
        change(&file, what, place, bytes);
    }
    let outside = dir.path().join("into");
    fs::create_dir(&outside).expect("a folder");
    let data = outside.join("data");
    let taken = Restoring::begin(&file, &data, Settings::LeftOut).and_then(|restoring| {
        Archive::open(restoring.path())?.verify(None, &|_, _, _| true)?;
        restoring.finish()
    });
    let there: Vec<_> = fs::read_dir(&outside).expect("the folder").collect();
    match &taken {
        Ok(()) => {
            assert_eq!(there.len(), 1, "{there:?}");
            read(&data);
        }
        Err(_) => assert!(there.is_empty(), "{there:?}"),
    }
    taken.is_ok()
}

fn turns(mut script: &[u8]) -> impl Iterator<Item = (u8, [u8; 2], &[u8])> {
    std::iter::from_fn(move || {
        let ([what, one, two, length], rest) = script.split_first_chunk()?;
        let (bytes, after) = rest.split_at(usize::from(*length).min(rest.len()));
        script = after;
        Some((*what, [*one, *two], bytes))
    })
}

/// What cannot be done is left.
fn change(file: &Path, what: u8, place: [u8; 2], bytes: &[u8]) {
    let _ = match what % 5 {
        0 => patch(file, u64::from(u16::from_le_bytes(place)) * 16, bytes),
        1 => patch(file, u64::from(u16::from_le_bytes(place)), bytes),
        2 => set_column(file, place, bytes).map_err(std::io::Error::other),
        3 => add_file(file, place, bytes).map_err(std::io::Error::other),
        _ => {
            let statement = STATEMENTS[usize::from(place[0]) % STATEMENTS.len()];
            let done = Connection::open(file).and_then(|db| db.execute_batch(statement));
            done.map_err(std::io::Error::other)
        }
    };
}

/// Writes over the file's own bytes, and cuts it off there if there is nothing to write.
fn patch(file: &Path, at: u64, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = File::options().write(true).open(file)?;
    if bytes.is_empty() {
        return file.set_len(at);
    }
    file.seek(SeekFrom::Start(at))?;
    file.write_all(bytes)
}

/// Gives a column of all rows of a table another value, of a kind that the first byte says.
fn set_column(file: &Path, [table, column]: [u8; 2], bytes: &[u8]) -> rusqlite::Result<()> {
    let db = Connection::open(file)?;
    db.pragma_update(None, "foreign_keys", false)?;
    let tables = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name";
    let table = nth(&db, tables, table)?;
    let column = nth(
        &db,
        &format!("SELECT name FROM pragma_table_info('{table}')"),
        column,
    )?;
    let (kind, rest) = bytes.split_first().unwrap_or((&0, &[]));
    let value = match kind % 4 {
        0 => Value::Null,
        1 => Value::Blob(rest.to_vec()),
        2 => Value::Text(String::from_utf8_lossy(rest).into_owned()),
        _ => {
            let mut number = [0; 8];
            let most = rest.len().min(8);
            number[..most].copy_from_slice(&rest[..most]);
            Value::Integer(i64::from_le_bytes(number))
        }
    };
    let insert = format!("INSERT OR IGNORE INTO \"{table}\" (\"{column}\") VALUES (?1)");
    let changed = db.execute(
        &format!("UPDATE \"{table}\" SET \"{column}\" = ?1"),
        [&value],
    )?;
    if changed == 0 {
        db.execute(&insert, [&value])?;
    }
    Ok(())
}

fn nth(db: &Connection, names: &str, at: u8) -> rusqlite::Result<String> {
    let mut statement = db.prepare(names)?;
    let names: Vec<String> = statement
        .query_map([], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    let at = usize::from(at) % names.len().max(1);
    names
        .get(at)
        .cloned()
        .ok_or(rusqlite::Error::QueryReturnedNoRows)
}

/// Puts another file beside the database: its name, and after a line its bytes.
fn add_file(file: &Path, _: [u8; 2], bytes: &[u8]) -> rusqlite::Result<()> {
    let db = Connection::open(file)?;
    let text = String::from_utf8_lossy(bytes);
    let (name, content) = text.split_once('\n').unwrap_or((&text, ""));
    let put = "INSERT INTO backup_file (name, bytes) VALUES (?1, ?2)";
    db.execute(put, (name, content.as_bytes()))?;
    Ok(())
}

/// Everything that a server reads when it starts and pages are opened. Errors are answers.
fn read(data: &Path) {
    let Ok(store) = Store::open(data) else {
        return;
    };
    for page in store.pages().map(|it| it.rows).unwrap_or_default() {
        let _ = store.load_page(&page.id);
        let _ = store.updates_after(&page.id, 0);
        let _ = store.pending_spans(&page.id);
    }
    for run in store
        .runs(RunFilter::default())
        .map(|it| it.rows)
        .unwrap_or_default()
    {
        let _ = store.steps_of_run(&run.id);
        let _ = store.touches_of_run(&run.id);
        let _ = store.file_writes_of_run(&run.id);
    }
    for chat in store.code_chats().map(|it| it.rows).unwrap_or_default() {
        let _ = store.messages(&chat.id);
    }
    let _ = (store.revoked(), store.people(), store.links());
    let _ = (store.sessions(), store.fairies(), store.tasks());
    let _ = store.projects(u32::MAX);
}
