//! The gate: how long the room is busy with one update, admitted or refused.
//!
//! `cargo xtask bench gate [SHAPES]`: a page of SHAPES boxes (10,000 if none is said) of 20
//! properties each. Another replica moves boxes one by one, as a browser does while a person
//! drags; every hundredth update is one that the gate must refuse after it has looked inside.

use anyhow::{Context, Result, ensure};
use glade_bench::Times;
use glade_bench::fixtures::{move_box, put_box};
use glade_doc::{Edit, ElementId, GuardedPage, PageDoc, Props, RollbackRequest, RunId, RunTag};
use serde_json::json;

const SETUP: u64 = 1;
const PERSON: u64 = 2;
const FAIRY: u64 = 3;
const SERVER: u64 = 4;
const UPDATES: usize = 2_000;
const UNDOS: usize = 20;
const REFUSED_EVERY: usize = 100;

fn main() -> Result<()> {
    let shapes = match std::env::args().nth(1) {
        Some(text) => text
            .parse()
            .with_context(|| format!("{text} is not a number of shapes"))?,
        None => 10_000,
    };
    ensure!(shapes > 0, "a page without shapes has nothing to move");

    let doc = PageDoc::new();
    let boxes: Vec<Edit> = (0..shapes).map(put_box).collect();
    doc.commit(SETUP, None, &boxes)?;
    let browser = doc.fork();
    let mut page = GuardedPage::open(doc, Vec::new())?;

    let (mut admitted, mut refused, mut after) =
        (Times::default(), Times::default(), Times::default());
    let mut just_refused = false;
    for round in 0..UPDATES {
        if round % REFUSED_EVERY == REFUSED_EVERY - 1 {
            let blob = foreign_root(&browser)?;
            let answer = refused.of(|| page.admit(&blob, &mut |_, _| Ok(())));
            ensure!(answer.is_err(), "the gate let an unknown root through");
            just_refused = true;
            continue;
        }
        let edit = move_box(round % shapes, round);
        let commit = browser
            .commit(PERSON, None, &[edit])?
            .context("a move that moves nothing")?;
        let times = if just_refused {
            &mut after
        } else {
            &mut admitted
        };
        times
            .of(|| page.admit(&commit.update, &mut |_, _| Ok(())))
            .context("the gate refused a plain move")?;
        just_refused = false;
    }

    let (mut first_undo, mut undo) = (Times::default(), Times::default());
    for round in 0..UNDOS {
        let tag = RunTag {
            run: RunId::from(format!("run_{round}").as_str()),
            step: 1,
            action: 1,
        };
        let made = Edit::Put {
            id: ElementId::from(format!("made-{round}")),
            props: Props::from_iter([("x".to_owned(), json!(1))]),
        };
        let commit = page.doc().fork().commit(FAIRY, Some(&tag), &[made])?;
        let commit = commit.context("a shape that is nothing")?;
        page.admit(&commit.update, &mut |_, _| Ok(()))?;
        let times = match round {
            0 => &mut first_undo,
            _ => &mut undo,
        };
        times.of(|| page.rollback(SERVER, &RollbackRequest::whole(tag.run)))?;
    }

    glade_bench::line(&format!("a page of {shapes} shapes"));
    admitted.print("a move, admitted");
    refused.print("an unknown root, refused");
    after.print("the first move after a refusal");
    first_undo.print("the first undo of a made shape");
    undo.print("a later undo of a made shape");
    Ok(())
}

/// An update that is sound in every byte and writes where nobody may. It is made on a copy, so
/// that the browser's own document stays one that the server can follow.
fn foreign_root(browser: &PageDoc) -> Result<Vec<u8>> {
    let copy = browser.fork();
    let before = copy.version();
    copy.loro().get_map("elsewhere").insert("key", 1)?;
    copy.loro().commit();
    Ok(copy.updates_since(&before)?)
}
