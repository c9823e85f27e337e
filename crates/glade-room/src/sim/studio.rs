//! Tabs of the studio among the people: the browser's own `PageSession`, which runs in Node
//! (`web/tests/sim`) and is told everything that happens to it.
//!
//! A tab has a line of its own to one room. Orders go to the process, and what its sessions do comes
//! back as events: lines that they dial, frames that they send, what they have kept on their device.

mod tabs;
mod wire;

pub use tabs::Tabs;
pub use wire::{Event, Order, Put, Reply, Shown, Studio, Written};

use glade_access::{Capability, Op};
use glade_doc::{Edit, PageDoc, blob_spans};
use loro_protocol::{CrdtType, ProtocolMessage, decode};
use rand::Rng;

use super::act::{self, Act, words};
use super::laws::{demand, same};
use super::network::{Down, Holder, Pipe, Sent};
use super::world::{Weather, World, only, person};
use super::{Breach, PAGES, ROOMS};
use crate::ConnId;
use tabs::{Tab, Typed};

/// The number of the first tab's person: nobody else's.
const FIRST: usize = 100;
/// How much time passes in one round of peace; a session waits up to 15 s before it calls again.
const ROUND_MS: i64 = 400;
const TOKENS: u32 = 0x4e00;

impl World {
    /// One to three tabs, in any of the rooms.
    pub fn open_tabs(&mut self, studio: Box<dyn Studio>) -> Result<(), Breach> {
        self.tabs.studio = Some(studio);
        let begin = Order::Begin {
            seed: self.rng.random(),
            now_ms: self.clock,
        };
        self.order(&begin)?;
        for number in 0..self.rng.random_range(1..=3) {
            let room = self.rng.random_range(0..ROOMS);
            self.tabs.all.push(Tab::new(room, person(FIRST + number)));
            self.open_tab(number)?;
        }
        Ok(())
    }

    fn open_tab(&mut self, tab: usize) -> Result<(), Breach> {
        let Tab {
            room, capability, ..
        } = &self.tabs.all[tab];
        let kind = self.disk.synced[*room].surface.kind();
        let open = Order::Open {
            tab,
            page: PAGES[*room],
            kind,
            subject: capability.subject.clone(),
        };
        self.order(&open).map(drop)
    }

    /// Has an order carried out, and takes in what follows from it.
    fn order(&mut self, order: &Order) -> Result<Reply, Breach> {
        let Some(studio) = &mut self.tabs.studio else {
            return Ok(Reply::default());
        };
        let mut reply = studio.perform(order).map_err(Breach)?;
        for event in std::mem::take(&mut reply.events) {
            self.heard(event)?;
        }
        Ok(reply)
    }

    fn heard(&mut self, event: Event) -> Result<(), Breach> {
        match event {
            Event::Dial { tab, line } => self.tabs.all[tab].dialing = Some(line),
            Event::Send { line, bytes } => self.send_from_tab(line, bytes)?,
            Event::Ping { line } => {
                let conn = self.tabs.conn(line);
                if let Some(pipe) = conn.and_then(|conn| self.pipes.get_mut(&conn)) {
                    pipe.say(Down::Text("pong".into()));
                }
            }
            Event::Close { line } => {
                let conn = self.tabs.conn(line);
                self.tabs.forget(line);
                if let Some(conn) = conn {
                    self.let_go(conn);
                }
            }
            Event::Peer { tab, peer } => {
                let subject = self.tabs.all[tab].capability.subject.clone();
                self.note(|| format!("tab {tab} writes as {peer}"));
                self.owners.insert(peer, subject);
            }
            Event::Kept { tab, peer, to } => self.tabs.all[tab].keep(peer, to),
            Event::Copy { tab, words } => {
                self.note(|| format!("tab {tab} gives its person a copy"));
                self.tabs.all[tab].copies.push_str(&words);
            }
        }
        Ok(())
    }

    fn send_from_tab(&mut self, line: u64, bytes: Vec<u8>) -> Result<(), Breach> {
        let unreadable = |error| Breach(format!("the studio sent a frame that is none: {error}"));
        if let ProtocolMessage::DocUpdate {
            crdt: CrdtType::Loro,
            updates,
            batch_id,
            ..
        } = decode(&bytes).map_err(unreadable)?
        {
            let spans = updates
                .iter()
                .flat_map(|blob| blob_spans(blob).unwrap_or_default())
                .collect();
            let hostile = false;
            self.batches.insert(batch_id, Sent { spans, hostile });
        }
        let conn = self.tabs.conn(line);
        if let Some(pipe) = conn.and_then(|conn| self.pipes.get_mut(&conn)) {
            pipe.up.push_back(bytes);
        }
        Ok(())
    }

    // --- Lines ---

    pub fn capability_of(&self, holder: Holder, room: usize) -> Capability {
        match holder {
            Holder::Person(person) => self.clients[Self::client(person, room)].capability.clone(),
            Holder::Tab(tab) => self.tabs.all[tab].capability.clone(),
        }
    }

    pub fn deliver_to(&mut self, tab: usize, down: Down) -> Result<(), Breach> {
        let Some((line, _)) = self.tabs.all[tab].line else {
            return Ok(());
        };
        let order = match down {
            Down::Frame(frame) => Order::Deliver {
                line,
                bytes: frame.to_vec(),
            },
            Down::Text(text) => Order::Say {
                line,
                text: text.into_owned(),
            },
        };
        self.order(&order).map(drop)
    }

    /// A tab notices that its line is gone.
    pub fn hang_up_on(&mut self, tab: usize) -> Result<(), Breach> {
        let Some((line, _)) = self.tabs.all[tab].line.take() else {
            return Ok(());
        };
        self.order(&Order::HangUp { line }).map(drop)
    }

    /// The server takes a call, if there is one.
    fn accept(&mut self, tab: usize) -> Result<(), Breach> {
        let Some(line) = self.tabs.all[tab].dialing.take() else {
            return Ok(());
        };
        let conn = ConnId(self.number());
        self.note(|| format!("tab {tab} connects as {conn}"));
        self.pipes.insert(conn, Pipe::new(Holder::Tab(tab)));
        self.tabs.all[tab].line = Some((line, conn));
        self.order(&Order::Accept { line }).map(drop)
    }

    fn lose_line(&mut self, tab: usize) -> Result<(), Breach> {
        if let Some((_, conn)) = self.tabs.all[tab].line {
            self.note(|| format!("tab {tab} loses {conn}"));
            self.let_go(conn);
        }
        self.hang_up_on(tab)
    }

    // --- What a tab lives through ---

    pub fn tab_step(&mut self, weather: &Weather) -> Result<(), Breach> {
        if self.tabs.all.is_empty() {
            return Ok(());
        }
        self.order(&Order::Pass { now_ms: self.clock })?;
        let tab = self.rng.random_range(0..self.tabs.all.len());
        if self.rng.random_bool(0.3) {
            return self.accept(tab);
        }
        match self.rng.random_range(0..100) {
            drawn if drawn < weather.edit => self.edit_in_tab(tab, weather.clumsy),
            drawn if drawn < weather.edit + weather.disconnect => self.lose_line(tab),
            drawn if drawn < weather.edit + weather.disconnect + weather.reload => self.reload(tab),
            99 if self.rng.random_range(0..8) < weather.demote => {
                self.note(|| format!("tab {tab} may only read from the next join on"));
                let capability = &mut self.tabs.all[tab].capability;
                *capability = only(capability, vec![Op::Read]);
                Ok(())
            }
            98 if self.rng.random_range(0..8) < weather.revoke => {
                if let Some((_, conn)) = self.tabs.all[tab].line {
                    self.revoked.insert(conn);
                    self.hang_up(conn);
                }
                self.outputs()
            }
            _ => Ok(()),
        }
    }

    /// The tab ends in the middle of whatever it does; the person opens the page again.
    fn reload(&mut self, tab: usize) -> Result<(), Breach> {
        self.note(|| format!("tab {tab} is killed and opened again"));
        self.order(&Order::Kill { tab })?;
        let line = self.tabs.all[tab].line.take();
        self.tabs.all[tab].dialing = None;
        if let Some((_, conn)) = line {
            self.let_go(conn);
        }
        self.open_tab(tab)
    }

    fn edit_in_tab(&mut self, tab: usize, clumsy: f64) -> Result<(), Breach> {
        let shown = self.show(tab)?;
        if shown.permission != "write" {
            return Ok(());
        }
        let doc = self.document_of(tab, &shown)?;
        let (fresh, token) = (self.name(), self.token(TOKENS));
        let mut act = act::random(&doc, &mut self.rng, &fresh, token);
        if let (Some(id), true) = (doc.elements().keys().next(), self.rng.random_bool(clumsy)) {
            act = Act::RemoveKey(id.clone());
        }
        self.note(|| format!("tab {tab} does {act:?}"));
        self.tabs.all[tab].touched.extend(act.targets());
        let removed = match &act {
            Act::RemoveKey(id) => Some(id.clone()),
            _ => None,
        };
        let mine = &mut self.tabs.all[tab];
        // What was typed into it has gone by the person's own hand.
        mine.typed
            .retain(|_, typed| Some(&typed.into) != removed.as_ref());
        let puts: Vec<Put> = act.on(&doc).into_iter().filter_map(put).collect();
        let into = puts.iter().find(|put| put.types(token));
        let into = into.map(|put| put.id.clone());
        let reply = self.order(&Order::Edit { tab, puts, removed })?;
        if let (Some(into), Some(written)) = (into, reply.written) {
            let typed = Typed { into, written };
            self.tabs.all[tab].typed.insert(token, typed);
        }
        Ok(())
    }

    fn show(&mut self, tab: usize) -> Result<Shown, Breach> {
        let reply = self.order(&Order::Show { tab })?;
        reply
            .shown
            .ok_or_else(|| Breach(format!("tab {tab} shows nothing")))
    }

    fn document_of(&self, tab: usize, shown: &Shown) -> Result<PageDoc, Breach> {
        let room = self.tabs.all[tab].room;
        let doc = PageDoc::blank(self.disk.synced[room].surface);
        let unreadable = |error| Breach(format!("the document of tab {tab}: {error}"));
        doc.import(&shown.document).map_err(unreadable)?;
        Ok(doc)
    }

    // --- Peace ---

    pub fn calm_tabs(&mut self) -> Result<(), Breach> {
        if self.tabs.all.is_empty() {
            return Ok(());
        }
        self.clock += ROUND_MS;
        self.order(&Order::Pass { now_ms: self.clock })?;
        (0..self.tabs.all.len()).try_for_each(|tab| self.accept(tab))
    }

    /// Whether every tab says that all is saved, and holds nothing back.
    pub fn tabs_are_content(&mut self) -> Result<bool, Breach> {
        for tab in 0..self.tabs.all.len() {
            let shown = self.show(tab)?;
            let sent = shown.device == "[]" || shown.permission == "read";
            if shown.state != "saved" || shown.waiting > 0 || !sent {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What each tab says of itself.
    pub fn tabs_say(&mut self) -> Result<Vec<String>, Breach> {
        let all = 0..self.tabs.all.len();
        all.map(|tab| {
            let shown = self.show(tab)?;
            let Shown { state, device, .. } = &shown;
            let waiting = shown.waiting;
            Ok(format!("{state}, {waiting} waiting, kept {device}"))
        })
        .collect()
    }

    /// A tab shows what its room has, and what it kept for its person is there, or was given back.
    pub fn tabs_show_their_rooms(&mut self) -> Result<(), Breach> {
        for tab in 0..self.tabs.all.len() {
            let shown = self.show(tab)?;
            let doc = self.document_of(tab, &shown)?;
            let Tab {
                room, capability, ..
            } = &self.tabs.all[tab];
            let room = self.rooms[*room].core.document.doc();
            same(&format!("tab {tab} of {}", capability.subject), &doc, room)?;
            let there: String = room.elements().keys().map(|id| words(room, id)).collect();
            let mine = &self.tabs.all[tab];
            for (token, Typed { into, written }) in &mine.typed {
                let given_back = mine.copies.contains(*token) || shown.device.contains(*token);
                demand(
                    !mine.kept(written) || there.contains(*token) || given_back,
                    || {
                        format!(
                            "tab {tab} had kept {token} in {into} ({written:?}), and it is gone"
                        )
                    },
                )?;
            }
        }
        Ok(())
    }
}

fn put(edit: Edit) -> Option<Put> {
    match edit {
        Edit::Put { id, props } => Some(Put { id, props }),
        Edit::Delete { id } => {
            let props = [("isDeleted".to_owned(), true.into())];
            Some(Put {
                id,
                props: props.into_iter().collect(),
            })
        }
        Edit::Rewrite { .. } => None,
    }
}
