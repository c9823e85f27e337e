//! Where a run was: the page that it began on, and every other that it wrote on.

use std::collections::BTreeSet;

use glade_doc::PageId;
use glade_store::{Store, StoreError};

use super::Deps;
use crate::rooms::RoomHandle;
use crate::workspace::{Run, Workspace};

/// The pages of a run that there still are.
pub fn pages_of_run(
    store: &Store,
    workspace: &Workspace,
    run: &str,
    began_on: &str,
) -> Result<BTreeSet<String>, StoreError> {
    let spans = store.spans_of_run(run)?;
    let mut pages: BTreeSet<String> = spans.into_iter().map(|span| span.page).collect();
    pages.insert(began_on.to_owned());
    pages.retain(|page| workspace.page(page).is_some());
    Ok(pages)
}

/// Their rooms; what cannot be opened is left out, and said.
pub async fn rooms_of_run(deps: &Deps, run: &Run) -> Vec<RoomHandle> {
    let pages = pages_of_run(&deps.store, &deps.workspace, &run.id, &run.page);
    let pages = pages.unwrap_or_else(|error| {
        tracing::error!(run = run.id, %error, "the pages of a run could not be read");
        [run.page.clone()].into()
    });
    let mut rooms = Vec::new();
    for page in pages {
        match deps.rooms.room(&PageId::from(page.as_str())).await {
            Ok(room) => rooms.push(room),
            Err(error) => tracing::error!(run = run.id, page, %error, "a room could not be opened"),
        }
    }
    rooms
}
