//! People and fairies on one text page, in any order: nobody loses a character, and all see the same.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use glade_access::Capability;
use glade_doc::{Edit, ElementId, PageDoc, PeerId, Props, RollbackRequest, RunTag, Surface};
use loro::LoroValue;
use loro::awareness::EphemeralStore;
use loro_protocol::{BatchId, CrdtType, ProtocolMessage, UpdateStatusCode};
use proptest::prelude::*;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde_json::{Value, json};

use super::Driven;
use crate::{
    Bounds, Call, CommitRefused, ConnId, FairySession, Input, TextRange, UndoReport, WritableRange,
};

const BLOCKS: usize = 6;

fn paragraph(at: usize, text: &str) -> Edit {
    put(
        &format!("b{at}"),
        json!({"nodeName": "paragraph", "parent": null, "index": format!("{}", at + 1), "originalText": text}),
    )
}

fn put(id: &str, props: Value) -> Edit {
    Edit::Put {
        id: id.into(),
        props: props.as_object().unwrap().clone(),
    }
}

/// A text page of six paragraphs.
fn room() -> Driven {
    let doc = PageDoc::blank(Surface::Text);
    let blocks: Vec<Edit> = (0..BLOCKS)
        .map(|at| {
            paragraph(
                at,
                &format!("This is paragraph number {at}. It says little."),
            )
        })
        .collect();
    doc.commit(1, None, &blocks).unwrap();
    let peers = BTreeMap::from([(1, "person:owner".to_owned())]);
    Driven::open(Surface::Text, Some(doc.snapshot().unwrap()), peers)
}

fn seat(room: &mut Driven, fairy: &str, peer: PeerId) -> FairySession {
    let capability = Capability::local("main", &format!("fairy:{fairy}")).unwrap();
    let session: FairySession = room
        .call(Call::Seat {
            fairy: fairy.to_owned(),
            capability: Box::new(capability),
            peer,
        })
        .unwrap();
    let begin = Call::BeginRun {
        session: session.clone(),
        run: format!("run_{fairy}").as_str().into(),
        asker: None,
    };
    room.call::<()>(begin).unwrap();
    session
}

fn bound(room: &mut Driven, session: &FairySession, range: Value) {
    let range: TextRange = serde_json::from_value(range).unwrap();
    let pinned: Result<TextRange, String> = room.call(Call::Pin { range }).unwrap();
    let bounds = Bounds {
        part: Some(WritableRange::Range(pinned.unwrap())),
        ..Bounds::default()
    };
    hold(room, session, bounds);
}

fn hold(room: &mut Driven, session: &FairySession, bounds: Bounds) {
    let session = session.clone();
    room.call::<()>(Call::Bound { session, bounds }).unwrap();
}

fn text_of(room: &mut Driven, id: &str) -> String {
    let props = room.elements()[&ElementId::from(id)].clone();
    props["originalText"].as_str().unwrap_or("").to_owned()
}

fn rewrite(room: &mut Driven, session: &FairySession, id: &str, text: &str) -> Result<(), String> {
    let edit = Edit::Rewrite {
        id: id.into(),
        base: text_of(room, id),
        text: text.to_owned(),
        marks: None,
    };
    commit(room, session, "text-rewrite", &[edit])
}

fn commit(
    room: &mut Driven,
    session: &FairySession,
    tool: &str,
    edits: &[Edit],
) -> Result<(), String> {
    let tag = RunTag {
        run: format!("run_{}", session.fairy).as_str().into(),
        step: 1,
        action: 1,
    };
    let done = room.call::<BTreeSet<ElementId>>(Call::Commit {
        session: session.clone(),
        tag,
        tool: tool.to_owned(),
        edits: edits.to_vec(),
    });
    let session = session.clone();
    room.call::<()>(Call::EndAction { session }).unwrap();
    match done {
        Ok(_) => Ok(()),
        Err(CommitRefused::Refused(reason)) => Err(reason),
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn three_fairies_in_three_scopes_and_two_in_one_keep_to_them() {
    let mut room = room();
    let of = |from: &str, to: &str| json!({"page": "pg_a", "from": {"block": from}, "to": {"block": to}});
    let scopes = [
        ("ash", of("b0", "b1")),
        ("birch", of("b2", "b3")),
        ("cedar", of("b4", "b5")),
        ("dill", of("b4", "b5")),
    ];
    let mut seats = Vec::new();
    for (peer, (fairy, scope)) in (20..).zip(scopes) {
        let session = seat(&mut room, fairy, peer);
        bound(&mut room, &session, scope);
        seats.push(session);
    }
    let own = [
        (0, "b0"),
        (0, "b1"),
        (1, "b2"),
        (1, "b3"),
        (2, "b4"),
        (3, "b5"),
        (2, "b5"),
        (3, "b4"),
    ];
    for (who, block) in own {
        let text = format!("{} By {}.", text_of(&mut room, block), seats[who].fairy);
        assert_eq!(
            rewrite(&mut room, &seats[who].clone(), block, &text),
            Ok(())
        );
    }
    for (who, block) in [(0, "b2"), (1, "b1"), (1, "b4"), (2, "b3"), (3, "b0")] {
        let reason = rewrite(&mut room, &seats[who].clone(), block, "Mine now.").unwrap_err();
        assert!(reason.contains("outside"), "{reason}");
    }
    assert_eq!(
        text_of(&mut room, "b4"),
        "This is paragraph number 4. It says little. By cedar. By dill."
    );
    // A person pulls a paragraph into the middle of ash's scope: it is ash's to change from then on.
    let owner = Capability::local("main", "person:owner").unwrap();
    let moved = put("b3", json!({"index": "1V"}));
    let edit = Call::EditAs {
        capability: Box::new(owner),
        peer: 50,
        edits: vec![moved],
    };
    room.call::<BTreeSet<ElementId>>(edit).unwrap();
    assert_eq!(
        rewrite(&mut room, &seats[0].clone(), "b3", "Ash's."),
        Ok(())
    );
    // What is its part, others see.
    let shown = LoroValue::from(json!({"kind": "fairy", "name": "Ash"}));
    room.give(Input::FairyPresence {
        session: seats[0].clone(),
        value: shown,
    });
    let scopes: Vec<Value> = states(&mut room)
        .into_iter()
        .map(|state| state["scope"].clone())
        .collect();
    let scope = json!({"from": {"block": "b0"}, "to": {"block": "b1"}});
    assert_eq!(scopes, [scope]);
}

/// What somebody who comes now is shown of the others.
fn states(room: &mut Driven) -> Vec<Value> {
    room.messages();
    join_presence(room, ConnId(77), "person:late");
    let store = EphemeralStore::new(i64::MAX / 4);
    for (_, message) in room.messages() {
        if let ProtocolMessage::DocUpdate { updates, .. } = message {
            updates.iter().for_each(|bytes| store.apply(bytes).unwrap());
        }
    }
    let states = store.get_all_states().into_values();
    states.map(|state| json!(state)).collect()
}

fn join_presence(room: &mut Driven, conn: ConnId, subject: &str) {
    let capability = Capability::local("main", subject).unwrap();
    room.give(Input::Join {
        conn,
        crdt: CrdtType::LoroEphemeralStore,
        capability: Box::new(capability),
        version: Vec::new(),
    });
}

#[test]
fn nobody_shows_themselves_in_the_place_of_a_fairy_that_has_not_written_yet() {
    let mut room = room();
    let ash = seat(&mut room, "ash", 20);
    let shown = json!({"kind": "fairy", "name": "Ash"});
    room.give(Input::FairyPresence {
        session: ash,
        value: LoroValue::from(shown.clone()),
    });
    join_presence(&mut room, ConnId(1), "person:eve");
    for (key, name) in [("20", "Ash"), ("21", "Ash")] {
        let store = EphemeralStore::new(i64::MAX / 4);
        store.set(key, LoroValue::from(json!({ "name": name })));
        room.give(Input::Presence {
            conn: ConnId(1),
            name: "Eve".to_owned(),
            batch: BatchId([1; 8]),
            blobs: vec![store.encode_all()],
        });
    }
    let mut names: Vec<Value> = states(&mut room)
        .into_iter()
        .map(|state| json!([state["kind"], state["name"]]))
        .collect();
    names.sort_by_key(Value::to_string);
    assert_eq!(names, [json!(["fairy", "Ash"]), json!(["person", "Eve"])]);
}

#[test]
fn a_block_that_somebody_is_in_is_neither_moved_nor_deleted_by_a_fairy() {
    let mut room = room();
    let ash = seat(&mut room, "ash", 20);
    let here = json!({"block": "b1"});
    let ann = json!({"kind": "person", "name": "Ann", "caret": {"anchor": here, "head": here}});
    let store = EphemeralStore::new(i64::MAX / 4);
    store.set("7", LoroValue::from(ann));
    join_presence(&mut room, ConnId(1), "person:ann");
    room.give(Input::Presence {
        conn: ConnId(1),
        name: "Ann".to_owned(),
        batch: BatchId([1; 8]),
        blobs: vec![store.encode_all()],
    });
    let to_the_end = |id: &str| put(id, json!({"index": "9"}));
    let gone = |id: &str| Edit::Delete { id: id.into() };
    for (tool, edit) in [
        ("block-move", to_the_end("b1")),
        ("block-delete", gone("b1")),
    ] {
        let reason = commit(&mut room, &ash, tool, &[edit]).unwrap_err();
        assert_eq!(reason, "Ann is writing in the block b1");
    }
    assert_eq!(rewrite(&mut room, &ash, "b1", "Words beside hers."), Ok(()));
    assert_eq!(
        commit(&mut room, &ash, "block-move", &[to_the_end("b2")]),
        Ok(())
    );
    assert_eq!(
        commit(&mut room, &ash, "block-delete", &[gone("b3")]),
        Ok(())
    );
}

#[test]
fn two_fairies_in_one_paragraph_write_beside_each_other() {
    let mut room = room();
    let (ash, birch) = (seat(&mut room, "ash", 20), seat(&mut room, "birch", 21));
    let part = |from: usize, to: usize| json!({"page": "pg_a", "from": {"block": "b0", "offset": from}, "to": {"block": "b0", "offset": to}});
    // "This is paragraph number 0." and "It says little."
    bound(&mut room, &ash, part(0, 27));
    bound(&mut room, &birch, part(28, 43));
    let first = "This is the very first paragraph of all. It says little.";
    assert_eq!(rewrite(&mut room, &ash, "b0", first), Ok(()));
    let second = "This is the very first paragraph of all. It says quite a lot.";
    assert!(rewrite(&mut room, &ash, "b0", second).is_err());
    assert_eq!(rewrite(&mut room, &birch, "b0", second), Ok(()));
    assert!(rewrite(&mut room, &birch, "b0", "It says quite a lot.").is_err());
    assert_eq!(text_of(&mut room, "b0"), second);
}

#[test]
fn a_plugin_that_is_switched_off_is_refused_whatever_the_menu_said() {
    let mut room = room();
    let ash = seat(&mut room, "ash", 20);
    let mut bounds = Bounds::default();
    let off = |names: &[&str], plugin: &str| {
        let why = format!("the plugin {plugin} is off");
        let names = names.iter().map(|name| ((*name).to_owned(), why.clone()));
        names.collect::<BTreeMap<_, _>>()
    };
    bounds.barred.blocks = off(&["table", "tableRow", "tableCell"], "tables");
    bounds.barred.tools = off(&["list-set"], "lists");
    hold(&mut room, &ash, bounds);
    let table = put(
        "t",
        json!({"nodeName": "table", "parent": null, "index": "9"}),
    );
    let reason = commit(&mut room, &ash, "block-insert", &[table]).unwrap_err();
    assert!(reason.contains("plugin tables"), "{reason}");
    let item = put("b0", json!({"nodeName": "listItem"}));
    let reason = commit(&mut room, &ash, "list-set", &[item]).unwrap_err();
    assert!(reason.contains("plugin lists"), "{reason}");
    assert_eq!(rewrite(&mut room, &ash, "b0", "Words go on."), Ok(()));
}

/// A person with a copy of the page, on a slow line both ways.
struct Person {
    conn: ConnId,
    peer: PeerId,
    doc: PageDoc,
    incoming: VecDeque<Vec<u8>>,
    outgoing: VecDeque<Vec<u8>>,
}

impl Person {
    fn act(&mut self, rng: &mut StdRng) {
        let before = self.doc.loro().oplog_vv();
        let id: ElementId = format!("b{}", rng.random_range(0..BLOCKS)).into();
        self.doc.loro().set_peer_id(self.peer).unwrap();
        let text = self.doc.words(&id).unwrap();
        let length = text.len_unicode();
        match rng.random_range(0..10) {
            0..6 => {
                let at = rng.random_range(0..=length);
                let typed = format!("<{}{}>", self.peer, rng.random_range(0..100));
                text.insert(at, &typed).unwrap();
            }
            6..8 if length > 2 => {
                let at = rng.random_range(0..length - 1);
                text.delete(at, 1).unwrap();
            }
            8 if length > 2 => {
                let at = rng.random_range(0..length - 1);
                text.mark(at..at + 1, "bold", true).unwrap();
            }
            _ => {
                let index = format!("{}", rng.random_range(1..9));
                let map = self.doc.loro().get_map("doc");
                let block = map.ensure_mergeable_map(id.as_str()).unwrap();
                block.insert("index", index).unwrap();
            }
        }
        self.doc.loro().commit();
        let update = self.doc.loro().export(loro::ExportMode::updates(&before));
        self.outgoing.push_back(update.unwrap());
    }
}

fn carry(room: &mut Driven, people: &mut [Person]) {
    for (conn, message) in room.messages() {
        let person = people.iter_mut().find(|one| one.conn == conn).unwrap();
        match message {
            ProtocolMessage::DocUpdate { updates, .. } => person.incoming.extend(updates),
            ProtocolMessage::Ack { status, .. } => assert_eq!(status, UpdateStatusCode::Ok),
            _ => {}
        }
    }
}

fn letters(elements: &BTreeMap<ElementId, Props>) -> BTreeSet<(ElementId, String)> {
    let words = |props: &Props| props["originalText"].as_str().unwrap_or("").to_owned();
    elements
        .iter()
        .map(|(id, props)| (id.clone(), words(props)))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn random_people_and_fairies_end_with_the_servers_page(seed in any::<u64>()) {
        let mut rng = StdRng::seed_from_u64(seed);
        let mut room = room();
        let mut people: Vec<Person> = (0..3u64).map(|at| Person {
            conn: ConnId(at + 1),
            peer: 100 + at,
            doc: room.room.document.doc().fork(),
            incoming: VecDeque::new(),
            outgoing: VecDeque::new(),
        }).collect();
        for person in &people {
            let subject = format!("person:p{}", person.peer);
            room.join(person.conn, &subject, person.doc.version());
        }
        carry(&mut room, &mut people);
        let fairies = [seat(&mut room, "ash", 20), seat(&mut room, "birch", 21)];
        let nouns = ["moss", "fern", "paragraph", "oak", "number", "It"];
        let mut typed: BTreeSet<String> = BTreeSet::new();
        for step in 0..60 {
            match rng.random_range(0..4) {
                0 => {
                    let who = rng.random_range(0..people.len());
                    people[who].act(&mut rng);
                }
                1 => {
                    let who = rng.random_range(0..people.len());
                    if let Some(update) = people[who].outgoing.pop_front() {
                        let (conn, batch) = (people[who].conn, BatchId([step; 8]));
                        room.update(conn, batch, update);
                    }
                }
                2 => {
                    let who = rng.random_range(0..people.len());
                    if let Some(update) = people[who].incoming.pop_front() {
                        people[who].doc.import(&update).unwrap();
                    }
                }
                _ => {
                    let fairy = &fairies[rng.random_range(0..2)];
                    let id = format!("b{}", rng.random_range(0..BLOCKS));
                    let noun = nouns[rng.random_range(0..nouns.len())];
                    let word = format!("{noun}{step}");
                    let text = text_of(&mut room, &id).replacen(noun, &word, 1) + " " + &word;
                    rewrite(&mut room, fairy, &id, &text).unwrap();
                    typed.insert(word);
                }
            }
            carry(&mut room, &mut people);
        }
        for person in 0..people.len() {
            while let Some(update) = people[person].outgoing.pop_front() {
                room.update(people[person].conn, BatchId([99; 8]), update);
                carry(&mut room, &mut people);
            }
        }
        for person in &mut people {
            while let Some(update) = person.incoming.pop_front() {
                person.doc.import(&update).unwrap();
            }
            prop_assert_eq!(person.doc.elements(), room.elements());
        }
        // Undoing both runs takes nothing that a person typed.
        let before = room.elements();
        for fairy in ["run_ash", "run_birch"] {
            let whole = RollbackRequest::whole(fairy.into());
            room.call::<UndoReport>(Call::UndoPart(whole)).unwrap();
        }
        let after = room.elements();
        for (id, text) in letters(&before) {
            let kept: Vec<&str> = text.match_indices('<').filter_map(|(at, _)| text[at..].split_inclusive('>').next()).collect();
            let left = after[&id]["originalText"].as_str().unwrap_or("").to_owned();
            let whole = |piece: &&&str| piece.ends_with('>') && piece[1..].chars().all(|ch| ch.is_ascii_digit() || ch == '>');
            for piece in kept.iter().filter(whole) {
                prop_assert!(left.contains(*piece), "{piece} of {text:?} is not in {left:?}");
            }
        }
        prop_assert!(!typed.iter().any(|word| letters(&after).iter().any(|(_, text)| text.split(' ').any(|one| one == word))));
    }
}
