//! Pages carried out of a data folder and into one, with no server on it.
//!
//! What goes out is a file that the editor opens, pictures inside, and what was said about the page.
//! What comes in becomes a new page, or goes onto one through its room and the same gate as a
//! browser's edit.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::PoisonError;

use glade_access::{AccessError, Capability, OWNER, WORKSPACE};
use glade_canvas::Scene;
use glade_canvas::file::{self, FileError, Onto};
use glade_doc::{CanvasDoc, CommentId, DocError, PageId, Props, Surface};
use glade_store::{AuditKind, Change, PageRow, Store, StoreError};
use serde_json::json;

use crate::clock::now_ms;
use crate::room::{CommitRefused, RoomError, Rooms};
use crate::{audit, files, first_start, ids, rows};

/// A data folder that nobody else has open.
pub struct Carrier {
    store: Store,
}

/// A page on its way.
#[derive(Debug, Clone, PartialEq)]
pub struct CarriedPage {
    pub name: String,
    pub tier: String,
    /// An Excalidraw file; or, on its way in, any file that a page takes.
    pub file: Vec<u8>,
    pub comments: BTreeMap<CommentId, Props>,
}

#[derive(Debug, thiserror::Error)]
pub enum CarryError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the page could not be read: {0}")]
    Document(#[from] DocError),
    #[error("the file was not understood: {0}")]
    File(#[from] FileError),
    #[error(transparent)]
    Room(#[from] RoomError),
    #[error("the page does not take it: {0}")]
    Refused(#[from] CommitRefused),
    #[error(transparent)]
    Access(#[from] AccessError),
    #[error("the file could not be written: {0}")]
    Json(#[from] serde_json::Error),
    #[error("{0}")]
    Named(&'static str),
    #[error("{0} is a {1} page, and only canvas pages are carried")]
    Kind(String, String),
}

impl Carrier {
    /// Opens a folder, or makes one as a first start would.
    pub fn open(data: &Path) -> Result<Self, CarryError> {
        let store = Store::open(data)?;
        first_start::furnish(&store, "")?;
        Ok(Self { store })
    }

    /// All pages but those in the trash, in order.
    pub fn pages(&self) -> Result<Vec<PageRow>, CarryError> {
        Ok(self.store.pages()?)
    }

    pub fn take(&self, page: &PageRow) -> Result<CarriedPage, CarryError> {
        if page.kind != "canvas" {
            return Err(CarryError::Kind(page.name.clone(), page.kind.clone()));
        }
        let stored = self.store.load_page(&page.id)?;
        let doc = CanvasDoc::open(stored.snapshot.as_deref(), &stored.updates)?;
        let scene = Scene::from_doc(&doc);
        let images = files::images(&scene, &self.store)?;
        Ok(CarriedPage {
            name: page.name.clone(),
            tier: page.tier.clone(),
            file: serde_json::to_vec_pretty(&file::to_excalidraw_with_images(&scene, &images))?,
            comments: doc.comments(),
        })
    }

    /// Makes a page, the last of the list. Answers its id, and what was left out or repaired.
    pub async fn add(&self, page: &CarriedPage) -> Result<(String, Vec<String>), CarryError> {
        let last = self.store.pages()?.last().map_or(0.0, |page| page.position);
        let row = PageRow {
            id: ids::page(),
            name: rows::good_name(&page.name).map_err(CarryError::Named)?,
            kind: "canvas".to_owned(),
            tier: rows::good_tier(&page.tier).map_err(CarryError::Named)?,
            position: last + 1.0,
            created_ms: now_ms(),
        };
        let id = row.id.clone();
        let (loaded, notes, mut changes) = files::read(&page.file, OWNER)?;
        let told = json!({"page": id, "what": "imported", "tier": row.tier});
        changes.push(Change::PutPage(row));
        changes.extend(rows::filled_with(
            &id,
            Surface::Canvas,
            OWNER,
            &loaded.edits(),
            &page.comments,
        )?);
        changes.push(audit::entry(AuditKind::Page, OWNER, told));
        self.store.write(changes).await?;
        Ok((id, notes))
    }

    /// Puts a file onto a page that is there. Answers how many elements came, and what was left out or
    /// repaired.
    pub async fn put(
        &self,
        page: &str,
        bytes: &[u8],
        onto: Onto,
    ) -> Result<(usize, Vec<String>), CarryError> {
        let (loaded, notes, blobs) = files::read(bytes, OWNER)?;
        self.store.write(blobs).await?;
        let rooms = Rooms::new(self.store.clone());
        let room = rooms.room(&PageId::from(page)).await?;
        room.shown().await?;
        let edits = {
            let scene = room.scene().read().unwrap_or_else(PoisonError::into_inner);
            loaded.edits_onto(&scene, onto)
        };
        let owner = Capability::local(WORKSPACE, OWNER)?;
        room.edit_as(owner, ids::peer(), edits).await?;
        Ok((loaded.elements.len(), notes))
    }
}
