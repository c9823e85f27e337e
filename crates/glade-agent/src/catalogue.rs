//! All that there is, printed: the actions with their facts and schemas, and what each mode's menu and
//! prompts come to on each surface. Nothing is written down here; everything is derived.

use glade_doc::Surface;
use serde_json::{Value, json};

use crate::action::{self, Described};
use crate::mode::{self, ModeRow};
use crate::part::{self, AnyPart};
use crate::plugins::{self, AtFirst, Plugin};

/// The catalogue, with whatever a binary of one's own adds.
pub fn catalogue() -> Value {
    json!({
        "actions": action::described().map(described).collect::<Vec<_>>(),
        "parts": part::all().map(part).collect::<Vec<_>>(),
        "modes": mode::all().map(row).collect::<Vec<_>>(),
        "plugins": plugins::all().map(plugin).collect::<Vec<_>>(),
    })
}

/// One action.
pub fn described(action: &'static dyn Described) -> Value {
    let facts = action.facts();
    let leads = facts.leads.iter();
    let leads = leads.map(|(from, to)| json!({"from": from.name(), "to": to.name()}));
    json!({
        "name": facts.name,
        "icon": facts.icon,
        "about": facts.about,
        "on": facts.on,
        "work": facts.work,
        "impact": facts.impact,
        "needs": facts.needs(),
        "runs": facts.runs,
        "asksFirst": facts.asks_first,
        "shows": facts.shows,
        "remembered": facts.remembered,
        "plugin": facts.plugin.map(|plugin| plugin.name),
        "leads": leads.collect::<Vec<_>>(),
        "live": facts.live,
        "interrupts": facts.interrupts,
        "once": facts.once,
        "makesRoom": facts.makes_room,
        "mostMade": facts.most_made,
        "formerly": facts.formerly,
        "input": action.input(),
        "output": action.output(),
    })
}

fn part(part: &'static dyn AnyPart) -> Value {
    let facts = part.facts();
    json!({
        "name": facts.name,
        "topic": facts.topic,
        "on": facts.on,
        "about": facts.about,
    })
}

fn row(row: &'static ModeRow) -> Value {
    let on = |surface: Surface| {
        let actions = action::allowed(row).map(|action| action.facts());
        let actions = actions.filter(|facts| facts.on.fits(surface));
        let parts = part::all().map(|part| part.facts());
        let parts = parts.filter(|facts| facts.belongs(row, surface));
        json!({
            "actions": actions.map(|facts| facts.name).collect::<Vec<_>>(),
            "parts": parts.map(|facts| facts.name).collect::<Vec<_>>(),
        })
    };
    json!({
        "name": row.mode.name(),
        "memory": row.memory,
        "sees": row.sees,
        "work": row.work,
        "canvas": on(Surface::Canvas),
        "text": on(Surface::Text),
    })
}

fn plugin(plugin: &'static Plugin) -> Value {
    json!({
        "name": plugin.name,
        "about": plugin.about,
        "blocks": plugin.blocks,
        "marks": plugin.marks,
        "tools": plugin.tools().collect::<Vec<_>>(),
        "editor": plugin.editor,
        "always": plugin.at_first == AtFirst::Always,
        "atFirst": plugin.at_first != AtFirst::Off,
    })
}
