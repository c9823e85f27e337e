//! Requests of conversations about code.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use glade_agent::{
    CallEvent, CallResult, Dialogue, DialogueTurn, Effect, Event, Input, StopReason, Usage, World,
};
use glade_canvas::Scene;
use glade_code::chat::dialogue;
use glade_code::{Cancel, Project, ProjectInfo, Seen, ToolContext, prompt, run_calls};
use glade_doc::{PageId, RunId};
use serde_json::{Value, json};

use super::Sent;
use crate::fixtures::agent;

/// As it is sent: tools are read before the system text.
fn sent(dialogue: &Dialogue) -> Sent {
    let tools: Vec<String> = dialogue
        .tools
        .iter()
        .map(|tool| {
            json!({"name": tool.name, "description": tool.about, "parameters": tool.input})
                .to_string()
        })
        .collect();
    let turns = dialogue.turns.iter().flat_map(said);
    let text: Vec<String> = tools
        .into_iter()
        .chain([dialogue.system.clone()])
        .chain(turns)
        .collect();
    Sent {
        with_form: text.clone(),
        text,
    }
}

fn said(turn: &DialogueTurn) -> Vec<String> {
    match turn {
        DialogueTurn::Person { text, .. } => vec![text.clone()],
        DialogueTurn::Model { text, calls, .. } => std::iter::once(text.clone())
            .chain(
                calls
                    .iter()
                    .map(|call| format!("{} {}", call.tool, call.input)),
            )
            .collect(),
        DialogueTurn::Results(results) => results.iter().map(|it| it.output.clone()).collect(),
    }
}

/// The requests of five rounds in which a unit is added to a small project; `lock`: with a look at
/// its lock file in the second.
pub fn five_rounds(lock: bool) -> Result<Vec<Sent>> {
    let folder = tempfile::tempdir()?;
    project(folder.path())?;
    let project = Project::open(folder.path())?;
    let (seen, cancel) = (Seen::new(), Cancel::new());
    let context = ToolContext {
        project: &project,
        seen: &seen,
        cancel: &cancel,
    };
    let (scene, page) = (Scene::default(), PageId::from("pg_bench"));
    let world = World::new(&scene, &page);
    let mut agent = agent();
    let what = "Add miles to the units, with tests.";
    let asked = DialogueTurn::Person {
        text: what.to_owned(),
        images: Vec::new(),
    };
    let system = prompt::system(&project, &ProjectInfo::look(&project));
    let mut requests = Vec::new();
    let mut effects = agent.step(
        Event::Converse {
            run: RunId::from("run_1"),
            input: Input::message(what),
            dialogue: Box::new(dialogue(system, vec![asked], |_| true)),
            seed: 1,
        },
        &world,
    );
    for calls in rounds(lock) {
        let asked = effects.iter().find_map(|effect| match effect {
            Effect::Converse { dialogue, .. } => Some(sent(dialogue)),
            _ => None,
        });
        requests.push(asked.context("the model was not asked")?);
        let step = agent.awaited_step().context("no answer is awaited")?;
        for (at, (tool, input)) in calls.into_iter().enumerate() {
            let id = format!("call_{}_{at}", requests.len());
            let (tool, piece) = (tool.to_owned(), input.to_string());
            for call in [
                CallEvent::Begun {
                    id: id.clone(),
                    tool,
                },
                CallEvent::Input {
                    id: id.clone(),
                    piece,
                },
                CallEvent::Over { id },
            ] {
                agent.step(Event::Call { step, call }, &world);
            }
        }
        let (usage, stop) = (Usage::default(), StopReason::Stop);
        effects = agent.step(Event::Answered { step, usage, stop }, &world);
        let called = effects.iter().find_map(|effect| match effect {
            Effect::RunCalls { step, calls } => Some((*step, calls.clone())),
            _ => None,
        });
        if let Some((step, calls)) = called {
            let carried = run_calls(context, &calls, Duration::from_secs(30), &|_, _| Ok(()));
            for call in &carried {
                if let Err(error) = &call.outcome {
                    anyhow::bail!("{}: {error}", call.id);
                }
            }
            let results = carried.into_iter().map(CallResult::from).collect();
            effects = agent.step(Event::CallsDone { step, results }, &world);
        }
    }
    Ok(requests)
}

/// What the model calls, round by round; the fifth request is the last.
fn rounds(lock: bool) -> Vec<Vec<(&'static str, Value)>> {
    let read = |path: &str| ("read-file", json!({"path": path}));
    let edit = |path: &str, old: &str, new: &str| {
        let edits = json!([{"old_string": old, "new_string": new}]);
        ("multi-edit", json!({"path": path, "edits": edits}))
    };
    let mut second = vec![
        read("src/units.ts"),
        read("src/convert.ts"),
        read("tests/convert.test.ts"),
    ];
    if lock {
        second.push(read("package-lock.json"));
    }
    vec![
        vec![
            ("grep-search", json!({"query": "metres?|feet|inch"})),
            ("list-files", json!({"recursive": true})),
        ],
        second,
        vec![
            edit("src/units.ts", "\"unit 7\",", "\"unit 7\",\n  \"mile\","),
            edit("src/convert.ts", "// step 20\n", "// step 20: miles too\n"),
        ],
        vec![
            read("src/convert.ts"),
            edit(
                "tests/convert.test.ts",
                "// test 3\n",
                "// test 3: a mile\n",
            ),
        ],
        Vec::new(),
    ]
}

/// A project of thirty small files, and a lock file of some 130,000 characters.
fn project(root: &Path) -> Result<()> {
    let put = |path: String, text: String| -> Result<()> {
        let path = root.join(path);
        fs::create_dir_all(path.parent().context("a file lies in a folder")?)?;
        Ok(fs::write(path, text)?)
    };
    put(
        "package.json".to_owned(),
        json!({"name": "lengths", "scripts": {"test": "vitest run", "build": "tsc -p ."}, "devDependencies": {"typescript": "5.9.3", "vitest": "4.0.1"}}).to_string(),
    )?;
    put(
        "tsconfig.json".to_owned(),
        json!({"compilerOptions": {"strict": true}}).to_string(),
    )?;
    let lines = |count: usize, line: &dyn Fn(usize) -> String| -> String {
        (0..count).map(|at| line(at) + "\n").collect()
    };
    put(
        "src/units.ts".to_owned(),
        format!(
            "export const UNITS = [\n{}];\n",
            lines(40, &|at| format!("  \"unit {at}\","))
        ),
    )?;
    put(
        "src/convert.ts".to_owned(),
        lines(60, &|at| {
            format!(
                "// step {at}\nexport function toMetres{at}(value: number): number {{\n  return value * {at};\n}}"
            )
        }),
    )?;
    put(
        "tests/convert.test.ts".to_owned(),
        lines(30, &|at| {
            format!(
                "// test {at}\ntest(\"metres {at}\", () => expect(toMetres{at}(1)).toBe({at}));"
            )
        }),
    )?;
    for file in 0..26 {
        put(
            format!("src/parts/part{file}.ts"),
            lines(20, &|at| {
                format!(
                    "export const feet{file}x{at} = inch * {at}; // so many inches in {at} feet"
                )
            }),
        )?;
    }
    put(
        "package-lock.json".to_owned(),
        lines(1_100, &|at| {
            format!(
                "    \"node_modules/package-{at}\": {{\n      \"version\": \"1.{at}.0\",\n      \"integrity\": \"sha512-{:064x}\"\n    }},",
                at * 7_919
            )
        }),
    )
}
