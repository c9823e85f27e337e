//! Pages exported from a data folder and imported into one, with no server on it.
//!
//! What goes out is a file that the editor opens, pictures inside, and what was said about the page.
//! What comes in becomes a new page, or goes onto one through its room and the same gate as a
//! browser's edit.

use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::sync::PoisonError;

use glade_access::{AccessError, Capability, OWNER, WORKSPACE};
use glade_canvas::Scene;
use glade_canvas::file::{self, FileError, Onto};
use glade_doc::{CommentId, DocError, Edit, PageDoc, PageId, Props, Surface};
use glade_store::{AuditKind, Change, PageRow, Store, StoreError};
use glade_text::links::{Relink as _, relink_value};
use glade_text::{InsertAt, NewBlock, Page, markdown, write};
use serde_json::{Value, json};

use crate::clock::now_ms;
use crate::rooms::{CommitRefused, RoomError, Rooms};
use crate::{audit, files, first_start, ids, rows};

/// A data folder that nobody else has open.
pub struct PageFiles {
    store: Store,
}

/// A page on its way.
#[derive(Debug, Clone, PartialEq)]
pub struct PageFile {
    pub name: String,
    pub tier: String,
    pub surface: Surface,
    /// An Excalidraw file, or Markdown; or, on its way in, any file that a page takes.
    pub file: Vec<u8>,
    /// Of a text page: what its blocks are called, in order, so that what is said about them and what
    /// leads to them finds them again.
    pub blocks: Vec<String>,
    pub comments: BTreeMap<CommentId, Props>,
}

#[derive(Debug, thiserror::Error)]
pub enum PageFilesError {
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
    #[error("a text page takes Markdown in UTF-8")]
    Letters,
}

/// What stands in the place of a link, if something does.
pub type Links<'a> = &'a dyn Fn(&str) -> Option<String>;

impl PageFiles {
    /// Opens a folder, or makes one as a first start would.
    pub fn open(data: &Path) -> Result<Self, PageFilesError> {
        let store = Store::open(data)?;
        first_start::furnish(&store, "")?;
        Ok(Self { store })
    }

    /// All pages but those in the trash, in order.
    pub fn pages(&self) -> Result<Vec<PageRow>, PageFilesError> {
        Ok(self.store.pages()?.whole()?)
    }

    /// A page as a file, with these links in it.
    pub fn take(&self, page: &PageRow, links: Links<'_>) -> Result<PageFile, PageFilesError> {
        let stored = self.store.load_page(&page.id)?;
        let surface = rows::surface_of(page).map_err(StoreError::from)?;
        let doc = PageDoc::open(surface, stored.snapshot.as_deref(), &stored.updates)?;
        let (file, blocks) = match surface {
            Surface::Canvas => {
                let scene = Scene::from_doc(&doc);
                let images = files::images(&scene, &self.store)?;
                let mut file = file::to_excalidraw_with_images(&scene, &images);
                relink_shapes(&mut file, links);
                (serde_json::to_vec_pretty(&file)?, Vec::new())
            }
            Surface::Text => {
                let mut page = Page::read(&doc.elements());
                page.relink(links);
                let said = page.blocks.iter().filter(|block| markdown::is_said(block));
                let blocks = said.map(|block| block.id.to_string()).collect();
                (markdown::to_markdown(&page).into_bytes(), blocks)
            }
        };
        Ok(PageFile {
            name: page.name.clone(),
            tier: page.tier.clone(),
            surface,
            file,
            blocks,
            comments: doc.comments(),
        })
    }

    /// The id of a page yet to be.
    pub fn new_id() -> String {
        ids::page()
    }

    /// Makes a page, the last of the list, with these links in it. Answers what was left out or repaired.
    pub async fn add(
        &self,
        id: &str,
        page: &PageFile,
        links: Links<'_>,
    ) -> Result<Vec<String>, PageFilesError> {
        let last = self
            .store
            .pages()?
            .rows
            .last()
            .map_or(0.0, |page| page.position);
        let row = PageRow {
            id: id.to_owned(),
            name: rows::good_name(&page.name).map_err(PageFilesError::Named)?,
            kind: page.surface.kind().to_owned(),
            tier: rows::good_tier(&page.tier).map_err(PageFilesError::Named)?,
            position: last + 1.0,
            created_ms: now_ms(),
        };
        let (edits, notes, mut changes) = match page.surface {
            Surface::Canvas => {
                let mut scene = serde_json::from_slice(&page.file).ok();
                let linked = scene.as_mut().map(|scene| {
                    relink_shapes(scene, links);
                    serde_json::to_vec(scene)
                });
                // What is no JSON is a picture with a scene in it.
                let linked = linked.transpose()?;
                let bytes = linked.as_deref().unwrap_or(&page.file);
                let (loaded, notes, changes) = files::read(bytes, OWNER)?;
                (loaded.edits(), notes, changes)
            }
            Surface::Text => (text_edits(page, links)?, Vec::new(), Vec::new()),
        };
        let told = json!({"page": id, "what": "imported", "tier": row.tier});
        changes.push(Change::PutPage(row));
        changes.extend(rows::filled_with(
            id,
            page.surface,
            OWNER,
            &edits,
            &page.comments,
        )?);
        changes.push(audit::entry(AuditKind::Page, OWNER, told));
        self.store.write(changes).await?;
        Ok(notes)
    }

    /// Puts a file onto a page that is there. Answers how many elements came, and what was left out or
    /// repaired.
    pub async fn put(
        &self,
        page: &str,
        bytes: &[u8],
        onto: Onto,
    ) -> Result<(usize, Vec<String>), PageFilesError> {
        let rooms = Rooms::new(self.store.clone());
        let owner = Capability::local(WORKSPACE, OWNER)?;
        let room = rooms.room(&PageId::from(page)).await?;
        if room.surface().has_styled_words() {
            let source = std::str::from_utf8(bytes).map_err(|_| PageFilesError::Letters)?;
            let text = Page::read(&room.elements().await?);
            let count = markdown::from_markdown(source).len();
            let edits = files::markdown_onto(&text, source, onto == Onto::Replace);
            room.edit_as(owner, ids::peer(), edits).await?;
            return Ok((count, Vec::new()));
        }
        let (loaded, notes, blobs) = files::read(bytes, OWNER)?;
        self.store.write(blobs).await?;
        room.shown().await?;
        let edits = {
            let scene = room.scene().read().unwrap_or_else(PoisonError::into_inner);
            loaded.edits_onto(&scene, onto)
        };
        room.edit_as(owner, ids::peer(), edits).await?;
        Ok((loaded.elements.len(), notes))
    }
}

/// The blocks of a file, called as they were called if there are as many.
fn text_edits(page: &PageFile, links: Links<'_>) -> Result<Vec<Edit>, PageFilesError> {
    let source = std::str::from_utf8(&page.file).map_err(|_| PageFilesError::Letters)?;
    let mut blocks = markdown::from_markdown(source);
    for block in &mut blocks {
        block.relink(links);
    }
    if blocks.is_empty() {
        blocks.push(NewBlock::new("paragraph", "")); // something to write in
    }
    let mut names = VecDeque::new();
    if blocks.len() == page.blocks.len() {
        for (block, id) in blocks.iter().zip(&page.blocks) {
            names.push_back(Some(id.clone()));
            let width = block.rows.iter().map(Vec::len).max().unwrap_or(0);
            names.extend(std::iter::repeat_n(None, width + block.rows.len()));
        }
    }
    let mut name = || names.pop_front().flatten().unwrap_or_else(ids::block);
    Ok(write(&Page::default(), InsertAt::End, &blocks, &mut name))
}

/// Shapes have links too.
fn relink_shapes(file: &mut Value, links: Links<'_>) {
    let elements = file.get_mut("elements").and_then(Value::as_array_mut);
    for element in elements.into_iter().flatten() {
        if let Some(link) = element.get_mut("link") {
            relink_value(link, links);
        }
    }
}
