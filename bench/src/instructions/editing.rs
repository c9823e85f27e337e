//! What a room does with tokens, updates and runs.

use std::time::SystemTime;

use anyhow::{Context, Result, ensure};
use glade_access::{Keys, Narrower, Op};
use glade_canvas::Scene;
use glade_doc::{Edit, GuardedPage, PageDoc, RollbackRequest, RunId, RunTag, Surface, blob_spans};

use super::Work;
use crate::fixtures::{move_box, put_box};

const SETUP: u64 = 1;
const PERSON: u64 = 2;
const FAIRY: u64 = 3;
const SERVER: u64 = 4;
const SHAPES: usize = 500;
const ROUNDS: usize = 40;

fn page() -> Result<PageDoc> {
    let doc = PageDoc::new();
    let boxes: Vec<Edit> = (0..SHAPES).map(put_box).collect();
    doc.commit(SETUP, None, &boxes)?;
    Ok(doc)
}

pub fn token_verified() -> Result<Work> {
    let folder = tempfile::tempdir()?;
    let keys = Keys::load_or_create(&folder.path().join("owner.key"))?;
    let narrower = Narrower {
        ops: Some([Op::Read, Op::Edit].into()),
        pages: Some(["pg_one".to_owned()].into()),
        subject: Some("person:ann".to_owned()),
        ..Narrower::default()
    };
    let token = keys.attenuate(&keys.owner_token()?, &narrower)?;
    Ok(Box::new(move || {
        let capability = keys.verify(&token, SystemTime::UNIX_EPOCH)?;
        ensure!(capability.subject == "person:ann", "somebody else's token");
        Ok(())
    }))
}

pub fn update_walked() -> Result<Work> {
    let doc = PageDoc::new();
    let boxes: Vec<Edit> = (0..50).map(put_box).collect();
    let commit = doc.commit(SETUP, None, &boxes)?.context("no update")?;
    Ok(Box::new(move || {
        for _ in 0..ROUNDS {
            ensure!(!blob_spans(&commit.update)?.is_empty(), "nothing was read");
        }
        Ok(())
    }))
}

pub fn move_admitted() -> Result<Work> {
    let doc = page()?;
    let browser = doc.fork();
    let mut guarded = GuardedPage::open(doc, Vec::new())?;
    let mut updates = Vec::new();
    for round in 0..ROUNDS {
        let moved = browser.commit(PERSON, None, &[move_box(round, round)])?;
        updates.push(moved.context("a move that moves nothing")?.update);
    }
    Ok(Box::new(move || {
        for update in &updates {
            guarded.admit(update, &mut |_, _| Ok(()))?;
        }
        Ok(())
    }))
}

/// A run that makes boxes, each in an action of its own.
fn tag(action: usize) -> Result<RunTag> {
    Ok(RunTag {
        run: RunId::from("run_1"),
        step: 1,
        action: u32::try_from(action)?,
    })
}

fn draw(guarded: &mut GuardedPage, replica: &PageDoc) -> Result<()> {
    for round in 0..ROUNDS {
        let made = put_box(SHAPES + round);
        let commit = replica.commit(FAIRY, Some(&tag(round)?), &[made])?;
        let update = commit.context("a shape that is nothing")?.update;
        guarded.admit(&update, &mut |_, _| Ok(()))?;
    }
    Ok(())
}

pub fn shape_merged() -> Result<Work> {
    let doc = page()?;
    let replica = doc.fork();
    let mut guarded = GuardedPage::open(doc, Vec::new())?;
    Ok(Box::new(move || draw(&mut guarded, &replica)))
}

pub fn run_undone() -> Result<Work> {
    let doc = page()?;
    let replica = doc.fork();
    let mut guarded = GuardedPage::open(doc, Vec::new())?;
    draw(&mut guarded, &replica)?;
    Ok(Box::new(move || {
        let whole = RollbackRequest::whole(RunId::from("run_1"));
        let undone = guarded.rollback(SERVER, &whole)?.undone.len();
        ensure!(undone == ROUNDS, "{undone} shapes were undone");
        Ok(())
    }))
}

pub fn page_opened() -> Result<Work> {
    let snapshot = page()?.snapshot()?;
    Ok(Box::new(move || {
        let doc = PageDoc::open(Surface::Canvas, Some(&snapshot), &[])?;
        let scene = Scene::from_doc(&doc);
        ensure!(scene.live_count() == SHAPES, "shapes are missing");
        Ok(())
    }))
}
