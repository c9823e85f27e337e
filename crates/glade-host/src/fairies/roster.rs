//! Who a fairy is: what people may set about one, and what is filled in when they do not.

use std::collections::BTreeSet;

use glade_agent::{Limits, action};
use glade_store::FairyRow;
use serde::Deserialize;
use utoipa::ToSchema;

use super::HostError;
use super::saved::Saved;
use crate::clock::now_ms;
use crate::ids;
use crate::models::Models;
use crate::workspace::{Fairy, FairySettings, Scope};

/// What is to be so of a fairy; what is left out stays, or is filled in for a new one.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct FairyChange {
    pub name: Option<String>,
    /// One that `GET /api/models` lists; empty: the server's own choice.
    pub model: Option<String>,
    pub page: Option<String>,
    pub sign: Option<String>,
    /// top, pointy, bald, antenna, spiky, hair, ears or propeller
    pub hat: Option<String>,
    /// `#rrggbb`
    pub hat_color: Option<String>,
    /// `#rrggbb`
    pub color: Option<String>,
    pub personality: Option<String>,
    pub plan_first: Option<bool>,
    pub keep_at_once: Option<bool>,
    /// Replaces the whole scope; `{}` limits nothing.
    pub scope: Option<Scope>,
    /// What one run may cost: `steps`, `tokens`, `usd`; replaces all three.
    pub limits: Option<Limits>,
}

impl FairyChange {
    /// Whether it changes nothing but where the fairy is.
    pub fn only_moves(&self) -> bool {
        let moves = Self {
            page: self.page.clone(),
            ..Self::default()
        };
        *self == moves
    }
}

/// More fairies than this in one workspace are a mistake.
pub const MOST: usize = 500;

const NAMES: [&str; 36] = [
    "Wisp", "Fern", "Pip", "Juniper", "Moth", "Bramble", "Thistle", "Sorrel", "Linnet", "Tansy",
    "Rowan", "Clover", "Briar", "Ember", "Lark", "Hazel", "Nettle", "Poppy", "Reed", "Sage",
    "Willow", "Wren", "Alder", "Bluebell", "Comfrey", "Dew", "Elder", "Finch", "Gorse", "Heath",
    "Ivy", "Larch", "Mallow", "Oriole", "Quill", "Yarrow",
];

/// Signs and the character that goes with each.
const SIGNS: [(&str, &str); 12] = [
    (
        "the Heron",
        "patient and exact; looks twice before it draws",
    ),
    (
        "the Spark",
        "quick and cheerful; starts before others have finished asking",
    ),
    (
        "the Snail",
        "careful with space; leaves generous margins around everything",
    ),
    ("the Magpie", "fond of colour, and never of clutter"),
    (
        "the Owl",
        "asks itself what is missing and says so in few words",
    ),
    ("the Otter", "playful with shapes, serious about alignment"),
    (
        "the Spider",
        "sees connections first; draws arrows that do not cross",
    ),
    (
        "the Hedgehog",
        "plain and honest; prefers one good box to three",
    ),
    ("the Swift", "brief, and gone before it is in the way"),
    (
        "the Badger",
        "thorough; finishes what others left half done",
    ),
    (
        "the Hare",
        "curious about what people mean, and light on its feet",
    ),
    ("the Moon", "calm and soft-spoken; likes things centred"),
];

const HATS: [&str; 8] = [
    "pointy",
    "top",
    "antenna",
    "propeller",
    "ears",
    "spiky",
    "hair",
    "bald",
];

const COLORS: [&str; 10] = [
    "#2f9e44", "#1971c2", "#e8590c", "#9c36b5", "#0c8599", "#e03131", "#f08c00", "#6741d9",
    "#c2255c", "#5c940d",
];

const HAT_COLORS: [&str; 8] = [
    "#7048e8", "#f76707", "#1098ad", "#d6336c", "#37b24d", "#f59f00", "#4263eb", "#868e96",
];

/// A new fairy on `page`, beside the ones that are there.
pub fn new_row(
    change: &FairyChange,
    page: &str,
    position_json: String,
    others: &[Fairy],
) -> FairyRow {
    let pick = |choices: &[&str], used: &dyn Fn(&Fairy) -> &str| {
        let taken: BTreeSet<&str> = others.iter().map(used).collect();
        let unused = choices.iter().find(|choice| !taken.contains(**choice));
        let again = others.len() % choices.len();
        unused.map_or_else(|| choices[again].to_owned(), |free| (*free).to_owned())
    };
    let signs = SIGNS.map(|(sign, _)| sign);
    let sign = change.sign.clone();
    let sign = sign.unwrap_or_else(|| pick(&signs, &|fairy| &fairy.sign));
    let born = SIGNS.iter().find(|(name, _)| *name == sign);
    let settings = FairySettings {
        personality: born.map_or_else(String::new, |(_, character)| (*character).to_owned()),
        ..FairySettings::default()
    };
    let mut row = FairyRow {
        id: ids::fairy(),
        name: unused_name(others),
        page: page.to_owned(),
        sign,
        hat: pick(&HATS, &|fairy| &fairy.hat),
        hat_color: pick(&HAT_COLORS, &|fairy| &fairy.hat_color),
        color: pick(&COLORS, &|fairy| &fairy.color),
        settings_json: settings.written(),
        state_json: Saved::NONE_YET.to_owned(),
        position_json,
        created_ms: now_ms(),
        ..FairyRow::default()
    };
    apply(change, settings, &mut row);
    row
}

fn unused_name(others: &[Fairy]) -> String {
    let taken: BTreeSet<&str> = others.iter().map(|fairy| fairy.name.as_str()).collect();
    let rounds = (1..).flat_map(|round: usize| {
        NAMES.iter().map(move |name| match round {
            1 => (*name).to_owned(),
            more => format!("{name} {more}"),
        })
    });
    rounds
        .into_iter()
        .find(|name| !taken.contains(name.as_str()))
        .unwrap_or_default()
}

/// Writes what is to be different into a row; the page is not among it: a fairy goes there itself.
pub fn apply(change: &FairyChange, mut settings: FairySettings, row: &mut FairyRow) {
    let set = |field: &mut String, value: &Option<String>| {
        if let Some(value) = value {
            value.trim().clone_into(field);
        }
    };
    set(&mut row.name, &change.name);
    set(&mut row.model, &change.model);
    set(&mut row.sign, &change.sign);
    set(&mut row.hat, &change.hat);
    set(&mut row.hat_color, &change.hat_color);
    set(&mut row.color, &change.color);
    set(&mut settings.personality, &change.personality);
    settings.plan_first = change.plan_first.unwrap_or(settings.plan_first);
    settings.keep_at_once = change.keep_at_once.unwrap_or(settings.keep_at_once);
    if let Some(scope) = &change.scope {
        settings.scope.clone_from(scope);
    }
    settings.limits = change.limits.unwrap_or(settings.limits);
    row.settings_json = settings.written();
}

/// Whether a change makes sense, in words for whoever made it.
pub fn check(change: &FairyChange, models: &Models) -> Result<(), HostError> {
    let wrong = |words: &str| Err(HostError::Invalid(words.to_owned()));
    let longer = |text: &Option<String>, most: usize| {
        text.as_ref()
            .is_some_and(|text| text.chars().count() > most)
    };
    let blank = |text: &Option<String>| text.as_ref().is_some_and(|text| text.trim().is_empty());
    if blank(&change.name) || longer(&change.name, 60) {
        return wrong("A fairy's name has 1 to 60 characters.");
    }
    if longer(&change.sign, 200) {
        return wrong("A sign has at most 200 characters.");
    }
    if longer(&change.personality, 2_000) {
        return wrong("A personality has at most 2000 characters.");
    }
    if change
        .hat
        .as_deref()
        .is_some_and(|hat| !HATS.contains(&hat))
    {
        return wrong("A hat is one of: top, pointy, bald, antenna, spiky, hair, ears, propeller.");
    }
    let colors = [&change.color, &change.hat_color];
    if colors.into_iter().flatten().any(|color| !is_color(color)) {
        return wrong("A colour is written #rrggbb.");
    }
    if let Some(model) = change.model.as_deref().map(str::trim)
        && !model.is_empty()
        && models.get(model).is_none()
    {
        return Err(HostError::NoModel(model.to_owned()));
    }
    let dear =
        |limits: &Limits| limits.steps == 0 || !(limits.usd.is_finite() && limits.usd >= 0.0);
    if change.limits.as_ref().is_some_and(dear) {
        return wrong(
            "Limits are whole numbers of steps (at least 1) and tokens, and an amount in usd.",
        );
    }
    if let Some(scope) = &change.scope {
        let scoped = || action::scoped().map(|action| action.facts().name);
        let mut names = scope.actions.iter().flatten();
        if let Some(name) = names.find(|name| !scoped().any(|known| known == name.as_str())) {
            let words = format!(
                "There is no action {name} that changes anything: a scope names some of {}.",
                scoped().collect::<Vec<_>>().join(", ")
            );
            return Err(HostError::Invalid(words));
        }
        // Compiled once to see that it can be.
        let compiled = scope.capability("fy_000000000000");
        let on_code = || scope.capability_on_code("fy_000000000000", 0);
        if let Err(error) = compiled.and_then(|_| on_code()) {
            return Err(HostError::Invalid(format!("The scope is wrong: {error}")));
        }
    }
    Ok(())
}

fn is_color(text: &str) -> bool {
    text.strip_prefix('#')
        .is_some_and(|hex| hex.len() == 6 && hex.bytes().all(|b| b.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::super::place_beside;
    use super::*;

    #[test]
    fn a_hundred_new_fairies_all_have_names_of_their_own() {
        let mut others: Vec<Fairy> = Vec::new();
        for _ in 0..100 {
            let row = new_row(&FairyChange::default(), "pg_1", place_beside(0), &others);
            others.push(Fairy::from_row(&row).unwrap());
        }
        let names: BTreeSet<&str> = others.iter().map(|fairy| fairy.name.as_str()).collect();
        assert_eq!(names.len(), 100);
        let first: BTreeSet<&str> = others[..8].iter().map(|fairy| fairy.hat.as_str()).collect();
        assert_eq!(first.len(), 8, "hats are unused while there are any");
        let colors: BTreeSet<&str> = others[..10].iter().map(|f| f.color.as_str()).collect();
        assert_eq!(colors.len(), 10);
        let signs: BTreeSet<&str> = others[..12].iter().map(|f| f.sign.as_str()).collect();
        assert_eq!(signs.len(), 12);
        assert!(
            others
                .iter()
                .all(|fairy| !fairy.settings.personality.is_empty())
        );
    }
}
