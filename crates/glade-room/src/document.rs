//! The page's document, and what follows it: the fairies' replica, the scene, and the whole page as
//! somebody who joins is given it.
//!
//! Who has a version gets what it misses. Who has nothing gets everything, and for a large page
//! that is a snapshot: as it lies in the store if nothing has changed since, or else made once and
//! given to all who come before the next change.

use std::collections::BTreeSet;
use std::sync::{PoisonError, RwLockReadGuard};

use bytes::Bytes;
use glade_canvas::Scene;
use glade_doc::{DocError, Edit, ElementId, GuardedPage, PageDoc, Touch};

use crate::SharedScene;
use crate::replica::{Replica, Seen};

/// From so many operations on a page is large: a snapshot is cheaper than its whole history.
const LARGE_OPERATIONS: usize = 20_000;
/// A stored page is given as it is if it lies in no more parts than this.
const MOST_PARTS: usize = 32;

pub(crate) struct Document {
    pub guarded: GuardedPage,
    pub replica: Replica,
    /// There is no spare gate, and there should be one.
    pub needs_spare: bool,
    scene: SharedScene,
    /// Whether the scene is kept up to date: somebody reads it.
    shown: bool,
    pub(crate) whole: Option<Whole>,
    /// What the page takes as it is stored: its last state and all updates since.
    pub bytes: usize,
}

/// The whole page, in parts.
pub(crate) struct Whole {
    version: Vec<u8>,
    parts: Vec<Bytes>,
}

impl Document {
    /// The page, as it was read from these bytes.
    pub fn open(
        doc: PageDoc,
        touches: Vec<Touch>,
        snapshot: Option<Vec<u8>>,
        updates: Vec<Vec<u8>>,
    ) -> Result<Self, DocError> {
        let mut document = Self {
            guarded: GuardedPage::open(doc, touches)?,
            replica: Replica::default(),
            needs_spare: false,
            scene: SharedScene::default(),
            shown: false,
            whole: None,
            bytes: 0,
        };
        let parts = snapshot.into_iter().chain(updates);
        let parts: Vec<Bytes> = parts.map(Bytes::from).collect();
        document.bytes = parts.iter().map(Bytes::len).sum();
        if document.is_large() && parts.len() <= MOST_PARTS {
            let version = document.doc().version();
            document.whole = Some(Whole { version, parts });
        }
        Ok(document)
    }

    pub fn doc(&self) -> &PageDoc {
        self.guarded.doc()
    }

    /// The scene shows these elements as the document has them now.
    pub fn refresh(&mut self, elements: &BTreeSet<ElementId>) {
        self.whole = None;
        if self.shown {
            write_scene(&self.scene, |scene| {
                scene.refresh(self.guarded.doc(), elements)
            });
        }
    }

    /// From now on the scene shows the page. Most rooms have nobody who would look at it.
    pub fn show(&mut self) {
        if !self.shown {
            self.shown = true;
            let doc = self.guarded.doc();
            write_scene(&self.scene, |scene| *scene = Scene::from_doc(doc));
        }
    }

    pub fn scene(&self) -> &SharedScene {
        &self.scene
    }

    pub fn read_scene(&self) -> RwLockReadGuard<'_, Scene> {
        self.scene.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The fairies' replica, equal to the page.
    pub fn whole_replica(&mut self) -> &PageDoc {
        self.replica.whole(self.guarded.doc())
    }

    /// The fairies' replica, with all that matters to these edits.
    pub fn replica_for(&mut self, edits: &[Edit]) -> &PageDoc {
        self.replica.for_edits(self.guarded.doc(), edits)
    }

    /// The page has merged an update that was not made on the fairies' replica.
    pub fn follow(&mut self, blob: &[u8], elements: &BTreeSet<ElementId>) {
        let seen = if self.guarded.is_joined() {
            Seen::All
        } else {
            Seen::Part
        };
        self.replica.follow(blob, elements, seen);
    }

    pub fn prepare_spare(&mut self) {
        self.needs_spare = false;
        self.guarded.prepare_spare();
    }

    fn is_large(&self) -> bool {
        self.doc().size() >= LARGE_OPERATIONS
    }

    /// What a client at `version` (empty: without anything) is missing.
    pub fn missing_since(&mut self, version: &[u8]) -> Result<Vec<Bytes>, DocError> {
        if !version.is_empty() || !self.is_large() {
            let updates = self.doc().updates_since(version)?;
            return Ok(vec![Bytes::from(updates)]);
        }
        let now = self.doc().version();
        if let Some(whole) = self.whole.as_ref().filter(|whole| whole.version == now) {
            return Ok(whole.parts.clone());
        }
        let parts = vec![Bytes::from(self.doc().snapshot()?)];
        self.whole = Some(Whole {
            version: now,
            parts: parts.clone(),
        });
        Ok(parts)
    }
}

fn write_scene(scene: &SharedScene, change: impl FnOnce(&mut Scene)) {
    // A poisoned lock means a reader panicked; the scene itself is only written here.
    let mut guard = scene.write().unwrap_or_else(PoisonError::into_inner);
    change(&mut guard);
}
