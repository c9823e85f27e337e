//! Prompts: how long one takes on a page of 10,000 elements, how many tokens 200 shapes are, how much stays the same.
//!
//! Writes bench/results/prompt.md. Tokens are guessed as everywhere in Glade: four bytes each.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use glade_agent::history::tokens;
use glade_agent::{Agent, Event, LONGEST_SIDE, PartData, StopReason, Usage};
use glade_bench::fixtures::{VIEW, agent, ask, boxes, boxes_at, world};
use glade_bench::line;
use glade_bench::table::Table;
use glade_canvas::render::{Options, to_jpeg};
use glade_canvas::{Element, Scene, file, full};
use glade_doc::PageId;

fn main() -> Result<()> {
    let mut table = Table::new(&["what", "measured", "wanted"]);
    let mut say = |what: &str, measured: String, wanted: &str| {
        line(&format!("{what:<60} {measured:>16}   wanted {wanted}"));
        table.row([what.to_owned(), measured, wanted.to_owned()]);
    };

    let mut large = boxes(5_000);
    ensure!(
        large.live_count() == 10_000,
        "a box and its label are two elements"
    );
    let first = Instant::now();
    ask(&mut agent(), &large, "What is here?", 1)?;
    let first = first.elapsed().as_secs_f64() * 1e3;
    let (mut alone, mut pictured) = (Vec::new(), Vec::new());
    for turn in 0..50 {
        // As between two steps: a few things of the page have changed.
        let changed: Vec<Element> = large.live().skip(turn * 180).take(20).cloned().collect();
        for element in changed {
            let moved = serde_json::Map::from_iter([("x".to_owned(), (element.x() + 1.0).into())]);
            large.put(element.with(&moved.into_iter().collect()));
        }
        let began = Instant::now();
        let prompt = ask(&mut agent(), &large, "What is here?", 1)?;
        alone.push(began.elapsed().as_secs_f64() * 1e3);
        ensure!(!prompt.parts.is_empty(), "an empty prompt");
        let picture = to_jpeg(&large.seen_in(&VIEW), &as_seen())?;
        pictured.push(began.elapsed().as_secs_f64() * 1e3);
        ensure!(picture.len() > 10_000, "an empty picture");
    }
    for (what, times, wanted) in [
        ("without the picture", &mut alone, "< 5 ms"),
        ("with it", &mut pictured, "< 60 ms"),
    ] {
        times.sort_by(f64::total_cmp);
        let (median, worst) = (times[times.len() / 2], times[times.len() - 1]);
        let what = format!("a prompt on 10,000 elements, {what}: median, worst of 50");
        say(&what, format!("{median:.2}, {worst:.2} ms"), wanted);
    }
    say(
        "the first after the page was opened, without the picture",
        format!("{first:.2} ms"),
        "",
    );

    let small = boxes(200);
    let prompt = ask(&mut agent(), &small, "What is here?", 1)?;
    let shown = prompt
        .parts
        .iter()
        .find_map(|part| match part {
            PartData::BlurryShapes(data) => Some(data),
            _ => None,
        })
        .context("the prompt shows no shapes")?;
    ensure!(
        shown.shapes.len() == 200,
        "{} shapes are shown",
        shown.shapes.len()
    );
    let labels: BTreeMap<&str, ()> = shown
        .shapes
        .iter()
        .filter_map(|shape| Some((shape.text.as_deref()?, ())))
        .collect();
    ensure!(labels.len() == 200, "every label is there");
    let print: String = prompt
        .messages
        .iter()
        .map(|message| message.content.as_str())
        .collect();
    for shape in &shown.shapes {
        ensure!(
            print.contains(&shape.shape_id),
            "{} is not printed",
            shape.shape_id
        );
    }
    let ours = tokens(&print);
    let elements = tokens(&file::to_excalidraw(&small).to_string());
    let ids: Vec<_> = small.live().map(|element| element.id.clone()).collect();
    let focused = tokens(&serde_json::to_string(&full::full(&small, &ids))?);
    let fewer = |than: usize| 100.0 * (1.0 - ours as f64 / than as f64);
    say(
        "tokens of all messages, 200 shapes in view",
        ours.to_string(),
        "",
    );
    say(
        "fewer than the page's elements in full",
        format!("{:.1} %", fewer(elements)),
        "> 85 %",
    );
    say(
        "fewer than the shapes in the format of selected ones",
        format!("{:.1} %", fewer(focused)),
        "",
    );

    let spread = spread_out(200);
    let prompt = ask(&mut agent(), &spread, "What is here?", 1)?;
    let print: String = prompt
        .messages
        .iter()
        .map(|message| message.content.as_str())
        .collect();
    let seen = glade_canvas::view::in_view(&spread, &VIEW).len();
    ensure!((10..100).contains(&seen), "{seen} shapes are in view");
    let ids: Vec<_> = spread.live().map(|element| element.id.clone()).collect();
    let focused = tokens(&serde_json::to_string(&full::full(&spread, &ids))?);
    say(
        &format!("the same for 200 shapes over a wide page, {seen} of them in view"),
        format!(
            "{:.1} %",
            100.0 * (1.0 - tokens(&print) as f64 / focused as f64)
        ),
        "> 85 %",
    );

    say(
        "the same as one step before, over a chat of 10 steps",
        format!("{:.1} %", 100.0 * stable(&small)?),
        "",
    );
    let text = format!(
        "# Prompts\n\n`cargo xtask bench prompt`. Tokens are guessed: four bytes each. \"The same as one step before\" is the share of \
         a prompt's bytes, from its beginning, that a provider's cache has already read at the step before.\n\n{}",
        table.markdown()
    );
    fs::create_dir_all("bench/results")?;
    fs::write(Path::new("bench/results/prompt.md"), text)?;
    Ok(())
}

/// The share of a prompt that begins as the one before, over ten messages of one chat.
fn stable(scene: &Scene) -> Result<f64> {
    let mut agent = agent();
    let mut before: Option<String> = None;
    let (mut same, mut all) = (0, 0);
    for step in 1..=10 {
        let prompt = ask(
            &mut agent,
            scene,
            &format!("Message number {step}, please."),
            step,
        )?;
        let messages = prompt
            .messages
            .iter()
            .map(|message| message.content.as_str());
        let text: String = std::iter::once(prompt.system.as_str())
            .chain(messages)
            .collect();
        if let Some(before) = before.replace(text.clone()) {
            let bytes = before.bytes().zip(text.bytes());
            same += bytes.take_while(|(a, b)| a == b).count();
            all += text.len();
        }
        answer(&mut agent, scene, step);
    }
    Ok(same as f64 / all as f64)
}

/// As the host draws what a fairy looks at.
fn as_seen() -> Options {
    Options {
        bounds: Some(VIEW),
        padding: 0.0,
        scale: (LONGEST_SIDE / VIEW.w).min(1.0),
        ..Options::default()
    }
}

/// A short answer, so that the next message finds the fairy idle.
fn answer(agent: &mut Agent, scene: &Scene, step: u32) {
    let page = PageId::from("pg_bench");
    let world = world(scene, &page);
    let text =
        r#"{"actions":[{"_type":"message","text":"There are many boxes here."}]}"#.to_owned();
    agent.step(Event::Delta { step, text }, &world);
    let usage = Usage::default();
    agent.step(
        Event::Answered {
            step,
            usage,
            stop: StopReason::Stop,
        },
        &world,
    );
}

/// Labelled boxes in groups of twenty, one of which is in view.
fn spread_out(count: u32) -> Scene {
    boxes_at(count, |n| {
        let (group, own) = (n / 20, n % 20);
        let x = f64::from(group % 4) * 1_800.0 + f64::from(own % 5) * 98.0;
        (
            x,
            f64::from(group / 4) * 1_200.0 + f64::from(own / 5) * 98.0,
        )
    })
}
