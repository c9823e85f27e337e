//! Every door and every kind of frame, with every kind of token.
//!
//! What each may do is written here by hand, from the rights, and never recorded from what it does:
//! [`kinds`] says what a token is good for, [`doors`] what each door needs of one. The doors
//! themselves are those of the router; one that is not in the table fails. Whatever a token may not
//! know of holds a word of its own, and no answer may have it.

mod doors;
mod frames;
mod kinds;
mod world;

use std::collections::BTreeSet;
use std::time::Duration;

use reqwest::Method;
use serde_json::json;

use doors::{DOORS, Door, Fresh};
use kinds::{Kind, Rights, kinds};
use world::{Path, World};

/// What came of one call.
struct Tried {
    status: u16,
    text: String,
}

async fn call(world: &World, token: Option<&str>, door: &Door, path: &str) -> Tried {
    let method: Method = door.method.parse().unwrap();
    let mut request = world.stage.http.request(method, world.stage.url(path));
    if let Some(token) = token {
        request = request.bearer_auth(token);
    }
    if door.method != "GET" {
        request = request.json(&world.filled_in(door.body));
    }
    let mut answer = request.send().await.unwrap();
    let status = answer.status().as_u16();
    let mut text = String::new();
    // Streams do not end: what they say first is what there is to say.
    while let Ok(Ok(Some(piece))) =
        tokio::time::timeout(Duration::from_millis(100), answer.chunk()).await
    {
        text.push_str(&String::from_utf8_lossy(&piece));
    }
    Tried { status, text }
}

/// What is wrong with how a door answered a kind of token.
fn wrong(kind: &Kind, door: &Door, path: &Path, tried: &Tried) -> Option<String> {
    let allowed = match &kind.rights {
        Some(rights) => (door.allows)(rights, path.about),
        None => door.is_open,
    };
    let as_it_should = match door.always {
        Some(status) => tried.status == status,
        None => answers(kind, allowed, tried.status),
    };
    // What the question names, the answer may name.
    let told = |word: &&String| tried.text.contains(*word) && !path.text.contains(*word);
    let leak = kind.hidden_words.iter().find(told);
    let text: String = tried.text.chars().take(300).collect();
    match (as_it_should, leak) {
        (true, None) => None,
        (false, _) => Some(format!(
            "{} though allowed is {allowed}: {text}",
            tried.status
        )),
        (true, Some(word)) => Some(format!("{} tells {word}: {text}", tried.status)),
    }
}

fn answers(kind: &Kind, allowed: bool, status: u16) -> bool {
    match (kind.rights.is_some(), allowed) {
        (_, true) => ![401, 403, 404].contains(&status),
        (false, false) => status == 401,
        (true, false) => [403, 404].contains(&status),
    }
}

/// How many calls were made, and what was wrong with them.
async fn try_doors(world: &World, kinds: &[Kind], doors: &[&Door]) -> (usize, Vec<String>) {
    let (mut count, mut failures) = (0, Vec::new());
    for door in doors {
        for kind in kinds {
            for path in world.paths(door).await {
                let tried = call(world, kind.token.as_deref(), door, &path.text).await;
                count += 1;
                if let Some(why) = wrong(kind, door, &path, &tried) {
                    let (method, name, path) = (door.method, &kind.name, &path.text);
                    failures.push(format!("{method} {path} as {name}: {why}"));
                }
            }
        }
    }
    (count, failures)
}

#[tokio::test(flavor = "multi_thread")]
async fn every_door_does_for_every_kind_of_token_what_its_rights_say() {
    let world = World::make().await;
    let kinds = kinds(&world).await;
    let doors: Vec<&Door> = DOORS.iter().collect();
    let (count, failures) = try_doors(&world, &kinds, &doors).await;
    let found = failures.join("\n");
    assert!(
        failures.is_empty(),
        "{} of {count}:\n{found}",
        failures.len()
    );
    assert!(count > 1500, "only {count} calls");
}

/// A token that may do more than its rights say is found at every door that it gets through.
#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_does_more_than_its_rights_say_is_found() {
    let world = World::make().await;
    let mut kinds = kinds(&world).await;
    let names = ["read", "a region", "paths", "one page"];
    kinds.retain(|kind| names.contains(&kind.name.as_str()));
    assert_eq!(kinds.len(), names.len());
    for kind in &mut kinds {
        kind.token = Some(world.stage.owner.clone());
    }
    let owner = Rights {
        owner: true,
        ..Rights::all()
    };
    for door in DOORS.iter().filter(|door| door.always.is_none()) {
        for kind in &kinds {
            let Some(rights) = &kind.rights else { continue };
            for path in world.paths(door).await {
                let more = (door.allows)(&owner, path.about) && !(door.allows)(rights, path.about);
                let tried = call(&world, kind.token.as_deref(), door, &path.text).await;
                let found = wrong(kind, door, &path, &tried).is_some();
                assert!(
                    found || !more,
                    "{} {} as {}",
                    door.method,
                    path.text,
                    kind.name
                );
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_door_of_the_router_is_in_the_table() {
    let stage = crate::arena::Stage::set().await;
    let described = stage.get(&stage.owner, "/api/openapi.json").await.value;
    let mut routed = BTreeSet::new();
    for (path, operations) in described["paths"].as_object().unwrap() {
        for method in operations.as_object().unwrap().keys() {
            routed.insert(format!("{} {path}", method.to_uppercase()));
        }
    }
    let written: BTreeSet<String> = DOORS
        .iter()
        .map(|door| format!("{} {}", door.method, door.route))
        .collect();
    assert_eq!(written, routed);
}

/// The search for words finds them where they are: with the owner's token, behind these doors.
#[tokio::test(flavor = "multi_thread")]
async fn words_that_are_told_are_found() {
    let world = World::make().await;
    let mut told = String::new();
    for door in DOORS
        .iter()
        .filter(|door| door.method == "GET" && door.fresh == Fresh::None)
    {
        for path in world.paths(door).await {
            told += &call(&world, Some(&world.stage.owner), door, &path.text)
                .await
                .text;
        }
    }
    let missing: Vec<&str> = world::WORDS
        .iter()
        .copied()
        .filter(|word| !told.contains(word))
        .collect();
    assert_eq!(missing, Vec::<&str>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn every_frame_does_for_every_kind_of_token_what_its_rights_say() {
    let world = World::make().await;
    let kinds = kinds(&world).await;
    let mut failures = Vec::new();
    for (peer, kind) in (1000..).step_by(10).zip(&kinds) {
        frames::try_all(&world, kind, peer, &mut failures).await;
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Every token of [`Rights`] is one that a link can have.
#[test]
fn rights_are_written_as_links_write_them() {
    let all = Rights::all();
    assert!(all.may("command") && all.project.contains(&"edit") && !all.limited());
    assert_eq!(
        json!(all.ops),
        json!(["read", "comment", "suggest", "edit", "command"])
    );
}
