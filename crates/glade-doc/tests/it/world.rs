//! A random world: two people on slow lines, two fairies, runs, restarts. The test keeps its own
//! account of who wrote what, by letters that occur only once and by watching each merge.

use std::collections::{BTreeMap, BTreeSet};

use glade_doc::{
    Admitted, Counter, Edit, ElementId, GuardedPage, OF_UNDO, PageDoc, PeerId, Props,
    RollbackRequest, RunTag, Surface, Touch, TouchKey, WriteKind,
};
use serde_json::{Value, json};

use crate::happenings::{Happening, NEW, OLD, Wish};
use crate::support::{self, SERVER, anyone, live, put};

/// Who a register's value is owed to, derived writes aside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Owner {
    Person(PeerId),
    Run(String),
}

struct Writer {
    peer: PeerId,
    replica: PageDoc,
    run: u32,
    action: u32,
}

pub struct World {
    pub page: GuardedPage,
    people: Vec<Writer>,
    fairies: Vec<Writer>,
    letters: u32,
    /// What the store would hold, from the answers alone.
    pub store: BTreeMap<TouchKey, Touch>,
    /// Whom each register's value is owed to, where it shows.
    pub owners: BTreeMap<(ElementId, String), Owner>,
    /// Letters that people typed, once delivered, and those that people erased.
    pub typed: BTreeSet<char>,
    /// Of those, the ones typed into texts that were there from the start.
    pub typed_in_old: BTreeSet<char>,
    pub erased: BTreeSet<char>,
    undelivered: Vec<Vec<(BTreeSet<char>, BTreeSet<char>)>>,
    /// Where each run began.
    starts: BTreeMap<String, (PeerId, Counter)>,
    /// Whether compaction is only played.
    pub remembers: bool,
    /// Which letters each run typed.
    pub run_letters: BTreeMap<String, BTreeSet<char>>,
}

pub fn start() -> GuardedPage {
    let mut page = support::page();
    support::person(
        &mut page,
        7,
        &[
            put(
                "a",
                json!({"type": "rectangle", "x": 1, "y": 1, "width": 10, "height": 10, "index": "a1"}),
            ),
            put(
                "b",
                json!({"type": "rectangle", "x": 2, "y": 2, "width": 20, "height": 20, "index": "a2"}),
            ),
            put(
                "t",
                json!({"type": "text", "x": 3, "width": 30, "originalText": "hello world", "containerId": "a"}),
            ),
            put(
                "r",
                json!({"type": "arrow", "x": 4, "width": 5, "startBinding": {"elementId": "a"}}),
            ),
        ],
    );
    page
}

fn name(on: usize) -> &'static str {
    OLD.iter().chain(&NEW).nth(on).unwrap()
}

fn letters_of(text: &str) -> BTreeSet<char> {
    text.chars().filter(|c| *c as u32 >= 0x4E00).collect()
}

pub fn text_of(doc: &PageDoc, id: &str) -> Option<String> {
    match doc.element(&id.into())?.get("originalText")? {
        Value::String(text) => Some(text.clone()),
        _ => None,
    }
}

impl World {
    pub fn new() -> Self {
        let page = start();
        let writer = |peer| Writer {
            peer,
            replica: page.doc().fork(),
            run: 0,
            action: 0,
        };
        Self {
            people: vec![writer(1), writer(2)],
            fairies: vec![writer(10), writer(11)],
            page,
            letters: 0x4E00,
            store: BTreeMap::new(),
            owners: BTreeMap::new(),
            typed: BTreeSet::new(),
            typed_in_old: BTreeSet::new(),
            erased: BTreeSet::new(),
            undelivered: vec![Vec::new(), Vec::new()],
            starts: BTreeMap::new(),
            remembers: false,
            run_letters: BTreeMap::new(),
        }
    }

    fn letter(&mut self) -> char {
        self.letters += 1;
        char::from_u32(self.letters).unwrap()
    }

    /// What a wish means in a document.
    fn edits(&mut self, wish: &Wish, doc: &PageDoc) -> Vec<Edit> {
        let exists = |on: usize| doc.element(&name(on).into()).is_some();
        let retext = |on: usize, change: &dyn Fn(&mut Vec<char>)| {
            let Some(text) = text_of(doc, name(on)) else {
                return Vec::new();
            };
            let mut chars: Vec<char> = text.chars().collect();
            change(&mut chars);
            vec![put(
                name(on),
                json!({ "originalText": chars.iter().collect::<String>() }),
            )]
        };
        match *wish {
            Wish::Set {
                on,
                property,
                value,
            } if exists(on) => {
                let property = ["x", "y", "width", "height", "angle"][property];
                vec![put(name(on), json!({ property: value }))]
            }
            Wish::Type { on, at } => {
                let letter = self.letter();
                retext(on, &|chars| chars.insert(at.min(chars.len()), letter))
            }
            Wish::Erase { on, at, length } => retext(on, &|chars| {
                let from = at.min(chars.len());
                chars.drain(from..(from + length).min(chars.len()));
            }),
            Wish::Rewrite { on, at, length } => {
                let letters = [self.letter(), self.letter()];
                retext(on, &|chars| {
                    let from = at.min(chars.len());
                    chars.splice(from..(from + length).min(chars.len()), letters);
                })
            }
            Wish::Make { new, kind, near } => {
                // Nobody ties anything to what is not there.
                let kind = if exists(near) { kind } else { kind % 2 };
                let near = name(near);
                let shape = match kind {
                    0 => {
                        json!({"type": "rectangle", "x": 9, "y": 9, "index": "a1", "isDeleted": false})
                    }
                    1 => {
                        json!({"type": "text", "x": 9, "originalText": self.letter().to_string(), "isDeleted": false})
                    }
                    2 => {
                        json!({"type": "text", "containerId": near, "originalText": self.letter().to_string(), "isDeleted": false})
                    }
                    _ => {
                        json!({"type": "arrow", "x": 0, "points": [[0, 0], [1, 1]], "endBinding": {"elementId": near}, "isDeleted": false})
                    }
                };
                vec![put(NEW[new], shape)]
            }
            Wish::Delete { on } => vec![support::delete(name(on))],
            Wish::Bind { on, to } if exists(on) => {
                let to = to.filter(|to| exists(*to));
                let binding = to.map_or(Value::Null, |to| json!({ "elementId": name(to) }));
                vec![put(name(on), json!({ "startBinding": binding }))]
            }
            Wish::Set { .. } | Wish::Bind { .. } => Vec::new(),
        }
    }

    fn all_letters(doc: &PageDoc) -> BTreeSet<char> {
        &Self::old_letters(doc) | &Self::letters_in(doc, &NEW)
    }

    /// The letters in the texts that were there from the start.
    pub fn old_letters(doc: &PageDoc) -> BTreeSet<char> {
        Self::letters_in(doc, &OLD)
    }

    fn letters_in(doc: &PageDoc, ids: &[&str]) -> BTreeSet<char> {
        ids.iter()
            .filter_map(|id| text_of(doc, id))
            .flat_map(|text| letters_of(&text))
            .collect()
    }

    pub fn run_name(&self, who: usize) -> String {
        format!("run_{}_{}", who, self.fairies[who].run)
    }

    fn tag(&self, who: usize) -> RunTag {
        RunTag {
            run: self.run_name(who).into(),
            step: 1,
            action: self.fairies[who].action,
        }
    }

    /// All runs so far.
    pub fn runs(&self) -> Vec<String> {
        (0..2)
            .flat_map(|who| (0..=self.fairies[who].run).map(move |run| format!("run_{who}_{run}")))
            .collect()
    }

    pub fn happen(&mut self, happening: &Happening) {
        match happening {
            Happening::Person { who, wish } => {
                let replica = self.people[*who].replica.fork();
                let edits = self.edits(wish, &replica);
                let writer = &self.people[*who];
                let before = Self::all_letters(&writer.replica);
                writer.replica.commit(writer.peer, None, &edits).unwrap();
                let after = Self::all_letters(&writer.replica);
                let new = &after - &before;
                self.typed_in_old
                    .extend(&new & &Self::old_letters(&writer.replica));
                self.undelivered[*who].push((new, &before - &after));
            }
            Happening::Sync { who } => self.sync(*who),
            Happening::Fairy { who, wishes } => {
                let tag = self.tag(*who);
                for wish in wishes {
                    if let Some(update) = self.fairy_update(*who, wish, &tag) {
                        self.admit(&update);
                    }
                }
            }
            Happening::Look { who } => self.look(*who),
            Happening::NextAction { who } => self.fairies[*who].action += 1,
            Happening::NextRun { who } => self.fairies[*who].run += 1,
            Happening::Cancel { who } => {
                let request =
                    RollbackRequest::action(self.run_name(*who).into(), self.fairies[*who].action);
                self.rollback(&request);
                // Which of its values are still the run's is more than this account knows.
                let run = Owner::Run(self.run_name(*who));
                self.owners.retain(|_, owner| *owner != run);
                self.look(*who);
                self.fairies[*who].action += 1;
            }
            Happening::Restart => self.restart(&self.page.doc().snapshot().unwrap()),
            Happening::Compact => {
                for who in 0..2 {
                    self.sync(who);
                }
                for who in 0..2 {
                    self.sync(who);
                    self.look(who);
                }
                let whole = self.page.doc().snapshot().unwrap();
                let compacted = self.page.doc().compacted(&self.pending()).unwrap();
                match compacted.filter(|_| !self.remembers) {
                    Some(compacted) => self.restart(&compacted.snapshot),
                    None => self.restart(&whole),
                }
            }
            Happening::Refuse { who, wish } => {
                let replica = self.page.doc().fork();
                let edits = self.edits(wish, &replica);
                let tag = self.tag(*who);
                // A stranger's update: its peer id is used for nothing else.
                let Some(commit) = replica.commit(50, Some(&tag), &edits).unwrap() else {
                    return;
                };
                let (version, elements) = (self.page.doc().version(), self.page.doc().elements());
                let refused = self.page.admit(&commit.update, &mut |_, _| {
                    Err(glade_doc::Refusal::Denied {
                        code: "no",
                        reason: String::new(),
                    })
                });
                assert!(refused.is_err());
                assert_eq!(
                    (self.page.doc().version(), self.page.doc().elements()),
                    (version, elements)
                );
            }
        }
        let rows: BTreeMap<TouchKey, Touch> = self
            .page
            .touches()
            .map(|row| (row.key(), row.clone()))
            .collect();
        assert_eq!(
            rows, self.store,
            "the answers must tell the store everything"
        );
    }

    fn restart(&mut self, snapshot: &[u8]) {
        let rows = self
            .store
            .values()
            .map(|row| serde_json::to_string(row).unwrap())
            .collect::<Vec<_>>();
        let rows = rows
            .iter()
            .map(|row| serde_json::from_str(row).unwrap())
            .collect();
        let doc = PageDoc::open(Surface::Canvas, Some(snapshot), &[]).unwrap();
        self.page = GuardedPage::open(doc, rows).unwrap();
    }

    /// Where the runs begin that can still be undone.
    fn pending(&self) -> Vec<(PeerId, Counter)> {
        let pending = self.store.keys().filter(|key| key.action != OF_UNDO);
        let runs: BTreeSet<&str> = pending.map(|key| key.run.as_str()).collect();
        runs.iter().map(|run| self.starts[*run]).collect()
    }

    fn fairy_update(&mut self, who: usize, wish: &Wish, tag: &RunTag) -> Option<Vec<u8>> {
        let replica = self.fairies[who].replica.fork();
        let edits = self.edits(wish, &replica);
        let writer = &self.fairies[who];
        let before = Self::all_letters(&writer.replica);
        let commit = writer
            .replica
            .commit(writer.peer, Some(tag), &edits)
            .unwrap()?;
        let after = Self::all_letters(&writer.replica);
        self.starts
            .entry(tag.run.0.clone())
            .or_insert((commit.peer, commit.from));
        self.run_letters
            .entry(tag.run.0.clone())
            .or_default()
            .extend(&after - &before);
        Some(commit.update)
    }

    /// One action of a fairy that has seen everything, for tests that then take it back.
    pub fn act(&mut self, who: usize, wishes: &[Wish]) {
        self.fairies[who].action += 1;
        self.look(who);
        self.happen(&Happening::Fairy {
            who,
            wishes: wishes.to_vec(),
        });
    }

    pub fn cancel(&mut self, who: usize) {
        let request = RollbackRequest::action(self.run_name(who).into(), self.fairies[who].action);
        self.rollback(&request);
    }

    fn look(&mut self, who: usize) {
        let replica = &self.fairies[who].replica;
        let missing = self.page.doc().updates_since(&replica.version()).unwrap();
        replica.import(&missing).unwrap();
    }

    pub fn sync(&mut self, who: usize) {
        let replica = self.people[who].replica.fork();
        let update = replica.updates_since(&self.page.doc().version()).unwrap();
        for (typed, erased) in std::mem::take(&mut self.undelivered[who]) {
            self.typed.extend(typed);
            self.erased.extend(erased);
        }
        self.admit(&update);
        let replica = &self.people[who].replica;
        let missing = self.page.doc().updates_since(&replica.version()).unwrap();
        replica.import(&missing).unwrap();
        assert_eq!(replica.elements(), self.page.doc().elements());
    }

    fn admit(&mut self, update: &[u8]) {
        let admitted = self.page.admit(update, &mut anyone).unwrap();
        for row in &admitted.touches {
            self.store.insert(row.key(), row.clone());
        }
        self.account(&admitted);
    }

    /// Our own idea of whom each register's value is owed to.
    fn account(&mut self, admitted: &Admitted) {
        for change in &admitted.changes {
            for write in &change.writes {
                if write.kind != WriteKind::Register {
                    continue;
                }
                let map = self
                    .page
                    .doc()
                    .loro()
                    .get_by_str_path(&format!("elements/{}", write.element));
                let editor = map
                    .and_then(|map| map.into_container().ok()?.into_map().ok())
                    .and_then(|map| map.get_last_editor(&write.property));
                let register = (write.element.clone(), write.property.clone());
                if editor != Some(change.peer) {
                    continue;
                }
                // What lies under a derived write is still owed, but does not show.
                if write.derived {
                    self.owners.remove(&register);
                } else {
                    let owner = match &change.tag {
                        Some(tag) => Owner::Run(tag.run.0.clone()),
                        None => Owner::Person(change.peer),
                    };
                    self.owners.insert(register, owner);
                }
            }
        }
    }

    pub fn rollback(&mut self, request: &RollbackRequest) -> glade_doc::RolledBack {
        let done = self.page.rollback(SERVER, request).unwrap();
        self.keep_rows(done)
    }

    fn keep_rows(&mut self, done: glade_doc::RolledBack) -> glade_doc::RolledBack {
        for row in &done.touches {
            self.store.insert(row.key(), row.clone());
        }
        for key in &done.forgotten {
            self.store.remove(key);
        }
        done
    }

    /// An undo that can be taken back.
    pub fn undo_for_now(&mut self, run: &str) -> glade_doc::RolledBack {
        let whole = RollbackRequest::whole(run.into());
        let done = self.page.undo(SERVER, &whole).unwrap();
        self.keep_rows(done)
    }

    pub fn reopen(&mut self, run: &str) -> glade_doc::RolledBack {
        let done = self.page.reopen(SERVER, &run.into()).unwrap();
        self.keep_rows(done)
    }

    pub fn undo(&mut self, run: &str) -> glade_doc::RolledBack {
        self.rollback(&RollbackRequest::whole(run.into()))
    }

    pub fn settle(&mut self, run: &str) {
        let settled = self.page.settle(&run.into());
        for row in settled.touches {
            self.store.insert(row.key(), row);
        }
        for key in settled.forgotten {
            self.store.remove(&key);
        }
    }

    pub fn live(&self) -> BTreeMap<ElementId, Props> {
        live(self.page.doc())
    }
}
