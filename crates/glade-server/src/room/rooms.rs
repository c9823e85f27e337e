//! The rooms of a server: each page's room is opened when first needed.

use std::collections::HashMap;
use std::sync::{Arc, RwLock};

use glade_canvas::Scene;
use glade_doc::{CanvasDoc, PageId, Touch};
use glade_store::Store;
use tokio::sync::Mutex;

use super::actor::{RoomError, RoomHandle};
use super::core::RoomCore;
use crate::ids;

pub struct Rooms {
    store: Store,
    open: Mutex<HashMap<PageId, RoomHandle>>,
}

impl Rooms {
    pub fn new(store: Store) -> Self {
        Self {
            store,
            open: Mutex::new(HashMap::new()),
        }
    }

    pub async fn count(&self) -> usize {
        let open = self.open.lock().await;
        open.values().filter(|room| room.is_open()).count()
    }

    /// The page's room if it is open; a room that nobody opened has nobody to tell.
    pub async fn if_open(&self, page: &PageId) -> Option<RoomHandle> {
        let open = self.open.lock().await;
        open.get(page).filter(|room| room.is_open()).cloned()
    }

    /// The page's room, opened from the store if it is not open.
    pub async fn room(&self, page: &PageId) -> Result<RoomHandle, RoomError> {
        let mut open = self.open.lock().await;
        if let Some(room) = open.get(page).filter(|room| room.is_open()) {
            return Ok(room.clone());
        }
        let (store, id) = (self.store.clone(), page.clone());
        let core = tokio::task::spawn_blocking(move || load(&store, id))
            .await
            .map_err(|error| RoomError::Document(error.to_string()))??;
        let room = RoomHandle::spawn(core, self.store.clone());
        open.insert(page.clone(), room.clone());
        Ok(room)
    }
}

fn load(store: &Store, page: PageId) -> Result<RoomCore, RoomError> {
    let row = store
        .page(page.as_str())?
        .ok_or_else(|| RoomError::NoPage(page.to_string()))?;
    let stored = store.load_page(page.as_str())?;
    let doc = CanvasDoc::open(stored.snapshot.as_deref(), &stored.updates)?;
    let touches: Vec<Touch> = stored
        .touches
        .iter()
        .map(|row| serde_json::from_str(&row.body_json))
        .collect::<Result<_, _>>()
        .map_err(|error| {
            RoomError::Document(format!("a touch of {page} is unreadable: {error}"))
        })?;
    let peers = stored
        .peers
        .into_iter()
        .map(|row| (row.peer, row.subject))
        .collect();
    let scene = Arc::new(RwLock::new(Scene::new()));
    Ok(RoomCore::new(
        page,
        row.tier,
        doc,
        touches,
        peers,
        ids::peer(),
        scene,
    )?)
}
