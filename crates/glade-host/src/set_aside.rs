//! What cannot be read in a data folder, found by reading all of it.
//!
//! A row that cannot be read is named, does nothing and is left as it is; the others work. What decides
//! for everybody (plugins, revoked tokens, the clock) stops the server from starting instead.

use glade_store::{
    LinkRow, Listed, PageRow, ReadCode, ReadPages, ReadRest, ReadRuns, RunFilter, SessionRow,
    StoreError, Unreadable,
};

use crate::fairies::Saved;
use crate::rows::{good_tier, surface_of};
use crate::workspace::{Fairy, Held, PluginSettings, Rights, Run, Task};
use crate::{clock, code, first_start};

/// What stands in `setting`. Another name there is one of these that was changed.
const SETTINGS: [&str; 4] = [
    clock::MARK,
    first_start::DONE,
    PluginSettings::KEY,
    READINESS,
];
/// Written by the server to see whether it can write.
pub const READINESS: &str = "readiness";

/// The rows that cannot be read, but for runs.
pub fn find(
    rows: &(impl ReadPages + ReadCode + ReadRest + ?Sized),
) -> Result<Vec<Unreadable>, StoreError> {
    let mut found = Vec::new();
    check(&mut found, rows.pages()?, page);
    check(&mut found, rows.fairies()?, |row| {
        Fairy::from_row(row)?;
        Saved::of(row).map(drop)
    });
    check(&mut found, rows.tasks()?, |row| {
        Task::try_from(row.clone()).map(drop)
    });
    check(&mut found, rows.projects(u32::MAX)?, |row| {
        Held::from_row(row).map(drop)
    });
    check(&mut found, rows.people()?, |row| Rights::of(row).map(drop));
    check(&mut found, rows.links()?, |row| link_chain(row).map(drop));
    check(&mut found, rows.sessions()?, |row| {
        session_chain(row).map(drop)
    });
    check(&mut found, rows.code_chats()?, code::check);
    found.extend(rows.contradicted()?);
    Ok(found)
}

/// The runs that cannot be read, with their steps.
pub fn find_runs(
    rows: &(impl ReadRuns + ?Sized),
    filter: RunFilter,
) -> Result<Vec<Unreadable>, StoreError> {
    let mut found = Vec::new();
    let runs = rows.runs(filter)?;
    found.extend(runs.unreadable);
    for row in runs.rows {
        match rows.steps_of_run(&row.id) {
            Ok(steps) => found.extend(Run::from_rows(row, steps).err()),
            Err(StoreError::Unreadable(step)) => found.push(step),
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}

/// Refuses a folder whose settings cannot all be told: a lost one would be taken for its default.
pub fn check_settings(rows: &(impl ReadRest + ?Sized)) -> Result<(), StoreError> {
    let unknown = |key: &String| !SETTINGS.contains(&key.as_str());
    if let Some(key) = rows.setting_keys()?.into_iter().find(unknown) {
        return Err(Unreadable::new("setting", &key, "key", "is none that there is").into());
    }
    let mut contradicted = rows.contradicted()?.into_iter();
    match contradicted.find(|one| one.table == "setting") {
        Some(setting) => Err(setting.into()),
        None => PluginSettings::read(rows).map(drop),
    }
}

fn check<T>(
    found: &mut Vec<Unreadable>,
    listed: Listed<T>,
    read: impl Fn(&T) -> Result<(), Unreadable>,
) {
    found.extend(listed.unreadable);
    found.extend(listed.rows.iter().filter_map(|row| read(row).err()));
}

fn page(row: &PageRow) -> Result<(), Unreadable> {
    surface_of(row)?;
    let wrong = |reason| {
        let reason = format!("is {:?}: {reason}", row.tier);
        Unreadable::new("page", &row.id, "tier", reason)
    };
    good_tier(&row.tier).map(drop).map_err(wrong)
}

/// The revocation ids of the token that a link is.
pub fn link_chain(row: &LinkRow) -> Result<Vec<String>, Unreadable> {
    Unreadable::json("link", &row.id, "chain_json", &row.chain_json)
}

/// The revocation ids of the token that opened a session.
pub fn session_chain(row: &SessionRow) -> Result<Vec<String>, Unreadable> {
    Unreadable::json("session", &row.id, "chain_json", &row.chain_json)
}
