//! One page: a Loro document with the schema of [`crate::schema`].

use std::collections::{BTreeMap, BTreeSet};

use loro::{
    CommitOptions, Container, ExportMode, Frontiers, ID, IdSpan, JsonMapOp, JsonOpContent, LoroDoc,
    LoroMap, LoroText, LoroValue, ValueOrContainer, VersionVector,
};
use loro_internal::OpLog;
use serde_json::Value;

use crate::edit::Pen;
use crate::schema::{self, ContainerPath, IS_DELETED, TEXT};
use crate::surface::Surface;
use crate::text;
use crate::value::to_json;
use crate::{Counter, DocError, Edit, ElementId, PeerId, PeerSpan, Props, RunTag, check_version};

/// The elements of one page, shared by everyone who works on it: the shapes of a canvas, or the
/// blocks of a text page.
pub struct PageDoc {
    doc: LoroDoc,
    surface: Surface,
}

/// What one commit added to the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    pub peer: PeerId,
    pub from: Counter,
    pub to: Counter,
    /// The bytes to merge elsewhere, to log and to broadcast.
    pub update: Vec<u8>,
    pub elements: BTreeSet<ElementId>,
}

impl Default for PageDoc {
    fn default() -> Self {
        Self::new()
    }
}

impl PageDoc {
    /// An empty canvas.
    pub fn new() -> Self {
        Self::blank(Surface::Canvas)
    }

    /// An empty page.
    pub fn blank(surface: Surface) -> Self {
        Self::over(LoroDoc::new(), surface)
    }

    fn over(doc: LoroDoc, surface: Surface) -> Self {
        if surface.has_styled_words() {
            doc.config_text_style(text::styles());
        }
        Self { doc, surface }
    }

    /// A page from durable state: the last snapshot and the updates logged since. The bytes do not
    /// say which surface they are of.
    pub fn open(
        surface: Surface,
        snapshot: Option<&[u8]>,
        updates: &[Vec<u8>],
    ) -> Result<Self, DocError> {
        let unreadable = |error: loro::LoroError| DocError::Unreadable(error.to_string());
        let doc = match snapshot {
            Some(bytes) => LoroDoc::from_snapshot(bytes).map_err(unreadable)?,
            None => LoroDoc::new(),
        };
        if !updates.is_empty() {
            let status = doc.import_batch(updates).map_err(unreadable)?;
            if status.pending.is_some() {
                return Err(DocError::MissingHistory);
            }
        }
        Ok(Self::over(doc, surface))
    }

    /// What the page is for.
    pub fn surface(&self) -> Surface {
        self.surface
    }

    /// The document underneath, for what this type does not offer. Writes made there bypass
    /// everything this crate promises.
    pub fn loro(&self) -> &LoroDoc {
        &self.doc
    }

    /// Merge trusted bytes (from the log, or already admitted). Answers which elements changed.
    pub fn import(&self, blob: &[u8]) -> Result<BTreeSet<ElementId>, DocError> {
        let was_shallow = self.doc.is_shallow();
        let status = self
            .doc
            .import(blob)
            .map_err(|error| DocError::Unreadable(error.to_string()))?;
        if status.pending.is_some() {
            return Err(DocError::MissingHistory);
        }
        if self.doc.is_shallow() && !was_shallow {
            // A page without its past came as a state, which no operation tells of.
            return Ok(self.elements().into_keys().collect());
        }
        let spans: Vec<PeerSpan> = status
            .success
            .iter()
            .map(|(&peer, &(from, to))| PeerSpan { peer, from, to })
            .collect();
        Ok(self.elements_in(&spans))
    }

    /// Merge trusted bytes, one update after the other.
    pub fn import_all(&self, blobs: &[Vec<u8>]) -> Result<(), DocError> {
        if blobs.is_empty() {
            return Ok(());
        }
        let imported = self.doc.import_batch(blobs);
        let status = imported.map_err(|error| DocError::Unreadable(error.to_string()))?;
        match status.pending {
            Some(_) => Err(DocError::MissingHistory),
            None => Ok(()),
        }
    }

    /// Write edits as `author`. Answers `None` when the document already says all that.
    pub fn commit(
        &self,
        author: PeerId,
        tag: Option<&RunTag>,
        edits: &[Edit],
    ) -> Result<Option<Commit>, DocError> {
        for edit in edits {
            edit.check()?;
        }
        let pen = Pen {
            surface: self.surface,
            run: tag.map(|tag| &tag.run),
        };
        self.write(author, tag, self.surface.root(), |root| {
            edits.iter().try_for_each(|edit| edit.apply(root, pen))
        })
    }

    /// One commit by `author` of whatever `change` writes below a root map.
    pub(crate) fn write(
        &self,
        author: PeerId,
        tag: Option<&RunTag>,
        root: &str,
        change: impl FnOnce(&LoroMap) -> Result<(), DocError>,
    ) -> Result<Option<Commit>, DocError> {
        self.doc
            .set_peer_id(author)
            .map_err(|_| DocError::BadPeer(author))?;
        let before = self.doc.oplog_vv();
        let outcome = change(&self.doc.get_map(root));
        let mut options = CommitOptions::new();
        if let Some(tag) = tag {
            options = options.commit_msg(&tag.to_message());
        }
        // Committing nothing could hand its message to the next commit.
        if self.doc.get_pending_txn_len() > 0 {
            self.doc.commit_with(options);
        }
        outcome?;
        let span = PeerSpan {
            peer: author,
            from: before.get(&author).copied().unwrap_or(0),
            to: self.next_counter(author),
        };
        if span.from == span.to {
            return Ok(None);
        }
        Ok(Some(Commit {
            peer: author,
            from: span.from,
            to: span.to,
            update: self.doc.export(ExportMode::updates(&before))?,
            elements: self.elements_in(&[span]),
        }))
    }

    /// How many elements there are, deleted ones included.
    pub fn element_count(&self) -> usize {
        self.root().len()
    }

    /// Whether there is such an element, deleted or not.
    pub fn has_element(&self, id: &ElementId) -> bool {
        self.map(id).is_some()
    }

    /// All properties of an element, deleted or not.
    ///
    /// A block of a text page has `marks` besides, read from its words.
    pub fn element(&self, id: &ElementId) -> Option<Props> {
        let mut props = self.plain_element(id)?;
        self.add_marks(id, &mut props);
        Some(props)
    }

    /// The same without marks.
    pub(crate) fn plain_element(&self, id: &ElementId) -> Option<Props> {
        Some(props(self.map(id)?.get_deep_value()))
    }

    fn add_marks(&self, id: &ElementId, props: &mut Props) {
        if self.surface.has_styled_words()
            && let Some(words) = self.text(id)
            && let marks = text::marks_of(&words)
            && !marks.is_empty()
        {
            props.insert(text::MARKS.to_owned(), text::to_value(&marks));
        }
    }

    /// All elements, deleted ones too (`isDeleted`).
    pub fn elements(&self) -> BTreeMap<ElementId, Props> {
        match self.root().get_deep_value() {
            LoroValue::Map(entries) => entries
                .iter()
                .filter(|(_, value)| value.is_map())
                .map(|(id, value)| {
                    let id = ElementId(id.clone());
                    let mut props = props(value.clone());
                    self.add_marks(&id, &mut props);
                    (id, props)
                })
                .collect(),
            _ => BTreeMap::new(),
        }
    }

    /// The encoded version vector: what this replica has seen.
    pub fn version(&self) -> Vec<u8> {
        self.doc.oplog_vv().encode()
    }

    /// Everything that a replica at `version` (empty bytes: a new one) is missing. It must not be
    /// [behind](PageDoc::is_behind).
    pub fn updates_since(&self, version: &[u8]) -> Result<Vec<u8>, DocError> {
        let version = if version.is_empty() {
            VersionVector::default()
        } else {
            check_version(version)?;
            VersionVector::decode(version).map_err(|_| DocError::BadVersion(version.to_vec()))?
        };
        // What a document has let go of can only be had as a state.
        let mode = if version.is_empty() && self.doc.is_shallow() {
            ExportMode::Snapshot
        } else {
            ExportMode::updates(&version)
        };
        Ok(self.doc.export(mode)?)
    }

    /// The whole document with its history.
    pub fn snapshot(&self) -> Result<Vec<u8>, DocError> {
        Ok(self.doc.export(ExportMode::Snapshot)?)
    }

    /// An independent replica at the same version.
    pub fn fork(&self) -> Self {
        Self::over(self.doc.fork(), self.surface)
    }

    /// What the document shows is brought up to date with its history.
    pub(crate) fn show_latest(&self) {
        self.doc.checkout_to_latest();
        // It would go through every container that it has met since the page was opened, at each step again.
        self.doc.free_diff_calculator();
    }

    /// An independent replica as this one was at `frontiers`.
    pub(crate) fn fork_at(&self, frontiers: &Frontiers) -> Option<Self> {
        let doc = self.doc.fork_at(frontiers).ok()?;
        Some(Self::over(doc, self.surface))
    }

    /// The counter that the next operation of `peer` must have.
    pub fn next_counter(&self, peer: PeerId) -> Counter {
        let next = |history: &OpLog| history.dag().vv().get(&peer).copied();
        self.doc.with_oplog(next).unwrap_or(0)
    }

    fn root(&self) -> LoroMap {
        self.doc.get_map(self.surface.root())
    }

    pub(crate) fn map(&self, id: &ElementId) -> Option<LoroMap> {
        match self.root().get(id.as_str())? {
            ValueOrContainer::Container(Container::Map(map)) => Some(map),
            _ => None,
        }
    }

    pub(crate) fn text(&self, id: &ElementId) -> Option<LoroText> {
        match self.map(id)?.get(TEXT)? {
            ValueOrContainer::Container(Container::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// The words of an element, to look at.
    pub fn words(&self, id: &ElementId) -> Option<LoroText> {
        self.text(id)
    }

    pub(crate) fn exists(&self, id: &ElementId) -> bool {
        self.map(id).is_some()
    }

    /// The value of one register, `None` when it was never written.
    pub fn register(&self, id: &ElementId, property: &str) -> Option<Value> {
        register_of(&self.map(id)?, property)
    }

    pub(crate) fn last_editor(&self, id: &ElementId, property: &str) -> Option<PeerId> {
        self.map(id)?.get_last_editor(property)
    }

    pub(crate) fn is_deleted(&self, id: &ElementId) -> bool {
        self.register(id, IS_DELETED) == Some(Value::Bool(true))
    }

    /// Every element's map, without reading its properties.
    pub(crate) fn for_each_map(&self, mut visit: impl FnMut(&ElementId, &LoroMap)) {
        self.root().for_each(|id, value| {
            if let ValueOrContainer::Container(Container::Map(map)) = value {
                visit(&ElementId::from(id), &map);
            }
        });
    }

    fn elements_in(&self, spans: &[PeerSpan]) -> BTreeSet<ElementId> {
        let mut elements = BTreeSet::new();
        for span in spans {
            let length = usize::try_from(span.to - span.from).unwrap_or(0);
            let containers = self
                .doc
                .get_changed_containers_in(ID::new(span.peer, span.from), length);
            for container in &containers {
                match schema::place(self.surface, container) {
                    ContainerPath::Element(id) | ContainerPath::Text(id) => {
                        elements.insert(ElementId(id));
                    }
                    ContainerPath::Elements => elements.extend(self.elements_created_in(span)),
                    ContainerPath::Comments
                    | ContainerPath::Comment(_)
                    | ContainerPath::CommentText(_) => {}
                    ContainerPath::Plain | ContainerPath::Unknown => {}
                }
            }
        }
        elements
    }

    /// An element made without any property shows only as a key of the root map.
    fn elements_created_in(&self, span: &PeerSpan) -> Vec<ElementId> {
        let root = self.surface.root_id();
        self.doc
            .export_json_in_id_span(IdSpan::new(span.peer, span.from, span.to))
            .into_iter()
            .flat_map(|change| change.ops)
            .filter(|op| op.container == root)
            .filter_map(|op| match op.content {
                JsonOpContent::Map(JsonMapOp::Insert { key, .. }) => Some(ElementId(key)),
                _ => None,
            })
            .collect()
    }
}

pub(crate) fn register_of(map: &LoroMap, property: &str) -> Option<Value> {
    match map.get(property)? {
        ValueOrContainer::Value(value) => Some(to_json(&value)),
        ValueOrContainer::Container(_) => None,
    }
}

pub(crate) fn props(value: LoroValue) -> Props {
    match to_json(&value) {
        Value::Object(props) => props,
        _ => Props::new(),
    }
}
