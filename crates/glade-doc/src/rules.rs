//! What an element may be: which properties of which types and sizes.
//!
//! One element that an editor cannot show would spoil a page for everybody on it. So the gate holds
//! every property against these rules before it is merged, files are held against them before they
//! become elements, and whoever shows a page that was spoilt before leaves such an element out and
//! says so. The rules are data (`element-rules.json`), which the studio reads too; both are tested
//! against `vectors/element-rules.json`.
//!
//! They are generous: nothing that anybody draws comes near them. What is null fits, since it reads
//! as missing.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::Value;

use crate::page_load::PageLimits;
use crate::schema::TEXT;
use crate::strokes::Strokes;
use crate::{Props, TableLimits};

#[derive(Deserialize)]
struct Rules {
    /// Types of elements that run what lies in them. Others that nobody knows are kept: whoever
    /// shows a page leaves them out.
    barred: HashSet<String>,
    /// Names that every JavaScript object has a meaning for.
    reserved: HashSet<String>,
    /// Longest name.
    name: usize,
    /// Most characters of an element's words.
    words: usize,
    /// Most strokes that it may take to draw an element.
    strokes: f64,
    /// The most that all elements of a page come to.
    page: PageLimits,
    table: TableLimits,
    formula: FormulaLimits,
    /// Most line breaks of a block's words; in code and formulas they are characters.
    #[serde(rename = "lineBreaks")]
    line_breaks: usize,
    /// Attributes of a text page's blocks.
    blocks: HashMap<String, Rule>,
    /// What holds of every value without a rule of its own.
    anything: Anything,
    properties: HashMap<String, Rule>,
}

/// What a formula, by itself or among words, may be.
#[derive(Clone, Copy, Default, Deserialize)]
pub(crate) struct FormulaLimits {
    /// Characters.
    pub length: usize,
    /// How deep it is nested.
    pub depth: usize,
}

#[derive(Deserialize)]
struct Anything {
    depth: usize,
    values: usize,
    text: usize,
    number: f64,
}

#[derive(Deserialize)]
#[serde(tag = "rule", rename_all = "lowercase")]
enum Rule {
    Type,
    Number {
        min: f64,
        max: f64,
    },
    /// A number without a fraction.
    Whole {
        min: f64,
        max: f64,
    },
    Numbers {
        most: usize,
        within: f64,
    },
    Points {
        most: usize,
        within: f64,
    },
    Flag,
    Text {
        most: usize,
    },
    /// One of an editor's own words, which it may look up by name.
    Word,
    Name,
    Names {
        most: usize,
    },
    /// Which way each of two axes goes: 1 or -1.
    Signs,
    List {
        most: usize,
        of: Box<Rule>,
    },
    /// An object. What it has beside these is held to what holds of anything.
    Record {
        fields: HashMap<String, Rule>,
    },
}

/// A test holds that the file can be read. Should it not, nothing fits.
static RULES: LazyLock<Option<Rules>> =
    LazyLock::new(|| serde_json::from_str(include_str!("element-rules.json")).ok());

/// What is wrong with an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    pub property: String,
    pub reason: String,
}

/// Whether a name means something to every JavaScript object.
pub fn is_reserved(name: &str) -> bool {
    rules().is_none_or(|rules| rules.reserved.contains(name))
}

/// Most characters of the words of one element on a canvas.
pub fn most_words() -> usize {
    rules().map_or(0, |rules| rules.words)
}

pub(crate) fn page_limits() -> PageLimits {
    rules().map(|rules| rules.page).unwrap_or_default()
}

pub(crate) fn table_limits() -> TableLimits {
    rules().map(|rules| rules.table).unwrap_or_default()
}

/// The first property of an element that does not fit, in the order of their names; `None` if all
/// do, together too.
pub fn fault_of(props: &Props) -> Option<Fault> {
    let mut names: Vec<&String> = props.keys().collect();
    names.sort();
    let fault = names.into_iter().find_map(|property| {
        let reason = check(property, props.get(property)?).err()?;
        Some(Fault {
            property: property.clone(),
            reason,
        })
    });
    fault.or_else(|| too_many_strokes(props))
}

/// Whether an element takes too long to draw, by all its properties together.
pub fn too_many_strokes(props: &Props) -> Option<Fault> {
    let most = rules().map_or(0.0, |rules| rules.strokes);
    let strokes = Strokes::of(props);
    (strokes.count > most).then(|| Fault {
        property: strokes.property.to_owned(),
        reason: format!(
            "with its size it takes {:.0} strokes to draw, and {most} are the most",
            strokes.count
        ),
    })
}

/// Whether an element may have this property; if not, why.
pub fn check(property: &str, value: &Value) -> Result<(), String> {
    let Some(rules) = rules() else {
        return Err("there are no rules to hold it against".to_owned());
    };
    if rules.reserved.contains(property) || property.len() > rules.name {
        return Err("it is not a name for a property".to_owned());
    }
    if value.is_null() {
        return Ok(());
    }
    if property == TEXT {
        return match value {
            Value::String(words) if length(words, rules.words) => Ok(()),
            _ => Err(format!(
                "it is not text of up to {} characters",
                rules.words
            )),
        };
    }
    match rules.properties.get(property) {
        Some(rule) => rule.check(rules, value),
        None => check_anything(&rules.anything, rules, value),
    }
}

pub(crate) fn formula_limits() -> FormulaLimits {
    rules().map(|rules| rules.formula).unwrap_or_default()
}

/// Most line breaks of the words of a block that is neither code nor a formula.
pub fn most_line_breaks() -> usize {
    rules().map_or(0, |rules| rules.line_breaks)
}

/// The same for a block of a text page, but for what it is and where.
pub fn check_block(property: &str, value: &Value) -> Result<(), String> {
    let Some(rules) = rules().filter(|rules| !rules.reserved.contains(property)) else {
        return Err("it is not a name for a property".to_owned());
    };
    match rules.blocks.get(property) {
        _ if value.is_null() => Ok(()),
        Some(rule) => rule.check(rules, value),
        None => check_anything(&rules.anything, rules, value),
    }
}

fn rules() -> Option<&'static Rules> {
    RULES.as_ref()
}

impl Rule {
    fn check(&self, rules: &Rules, value: &Value) -> Result<(), String> {
        let number = |value: &Value| value.as_f64().filter(|number| number.is_finite());
        let near = |value: &Value, within: f64| number(value).is_some_and(|it| it.abs() <= within);
        let text = |most: usize| value.as_str().is_some_and(|text| length(text, most));
        let named = |value: &Value| {
            let name = value.as_str();
            name.is_some_and(|name| length(name, rules.name) && !rules.reserved.contains(name))
        };
        let list = |most: usize| value.as_array().filter(|items| items.len() <= most);
        let (fits, wanted) = match self {
            Self::Type => {
                let barred = value.as_str().is_none_or(|it| rules.barred.contains(it));
                let wanted = "a type of element that may be on a page";
                (named(value) && !barred, wanted.to_owned())
            }
            Self::Number { min, max } => (
                number(value).is_some_and(|it| (*min..=*max).contains(&it)),
                format!("a number from {min} to {max}"),
            ),
            Self::Whole { min, max } => (
                number(value).is_some_and(|it| (*min..=*max).contains(&it) && it.fract() == 0.0),
                format!("a whole number from {min} to {max}"),
            ),
            Self::Numbers { most, within } => (
                list(*most).is_some_and(|items| items.iter().all(|item| near(item, *within))),
                format!("up to {most} numbers within {within}"),
            ),
            Self::Points { most, within } => {
                let point = |item: &Value| {
                    let axes = item.as_array().filter(|axes| (2..=3).contains(&axes.len()));
                    axes.is_some_and(|axes| axes.iter().all(|axis| near(axis, *within)))
                };
                (
                    list(*most).is_some_and(|items| items.iter().all(point)),
                    format!("up to {most} points within {within}"),
                )
            }
            Self::Flag => (value.is_boolean(), "true or false".to_owned()),
            Self::Text { most } => (text(*most), format!("text of up to {most} characters")),
            Self::Word | Self::Name => (named(value), "a name".to_owned()),
            Self::Names { most } => (
                list(*most).is_some_and(|items| items.iter().all(named)),
                format!("up to {most} names"),
            ),
            Self::Signs => {
                let sign = |item: &Value| number(item).is_some_and(|it| it.abs() == 1.0);
                let signs = list(2).filter(|items| items.len() == 2);
                let fits = signs.is_some_and(|items| items.iter().all(sign));
                (fits, "two numbers that are 1 or -1".to_owned())
            }
            Self::List { most, of } => {
                let fits = |item: &Value| of.check(rules, item).is_ok();
                (
                    list(*most).is_some_and(|items| items.iter().all(fits)),
                    format!("up to {most} of what an editor puts there"),
                )
            }
            Self::Record { fields } => {
                let fits = |(name, rule): (&String, &Self)| {
                    let field = value.get(name).filter(|field| !field.is_null());
                    field.is_none_or(|field| rule.check(rules, field).is_ok())
                };
                let plain = check_anything(&rules.anything, rules, value).is_ok();
                (
                    value.is_object() && plain && fields.iter().all(fits),
                    "what an editor puts there".to_owned(),
                )
            }
        };
        if fits {
            Ok(())
        } else {
            Err(format!("it is not {wanted}"))
        }
    }
}

fn check_anything(limits: &Anything, rules: &Rules, value: &Value) -> Result<(), String> {
    let mut values = limits.values;
    fits(limits, rules, value, limits.depth, &mut values)
        .map_err(|reason| format!("something in it is {reason}"))
}

fn fits(
    limits: &Anything,
    rules: &Rules,
    value: &Value,
    depth: usize,
    left: &mut usize,
) -> Result<(), &'static str> {
    *left = left.checked_sub(1).ok_or("one too many")?;
    let depth = depth.checked_sub(1).ok_or("nested too deeply")?;
    match value {
        Value::Null | Value::Bool(_) => Ok(()),
        Value::Number(number) => match number.as_f64() {
            Some(number) if number.abs() <= limits.number => Ok(()),
            _ => Err("a number that is too large"),
        },
        Value::String(text) => {
            if length(text, limits.text) {
                Ok(())
            } else {
                Err("a text that is too long")
            }
        }
        Value::Array(items) => items
            .iter()
            .try_for_each(|item| fits(limits, rules, item, depth, left)),
        Value::Object(entries) => entries.iter().try_for_each(|(name, item)| {
            if rules.reserved.contains(name) || !length(name, limits.text) {
                Err("not a name for a property")
            } else {
                fits(limits, rules, item, depth, left)
            }
        }),
    }
}

/// Whether a text has at most so many characters, as JavaScript counts them.
fn length(text: &str, most: usize) -> bool {
    text.len() <= most || text.encode_utf16().count() <= most
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the studio is tested against too.
    #[derive(Deserialize)]
    struct Case {
        element: Props,
        /// Which property is wrong, if one is.
        fault: Option<String>,
    }

    #[test]
    fn elements_are_judged_as_the_shared_cases_say() {
        let cases = include_str!("../../../vectors/element-rules.json");
        let cases: Vec<Case> = serde_json::from_str(cases).unwrap();
        assert!(cases.len() > 30);
        for case in cases {
            let found = fault_of(&case.element).map(|fault| fault.property);
            assert_eq!(found, case.fault, "{:?}", case.element);
        }
    }

    #[test]
    fn long_and_many_are_held_to_their_limits() {
        let rules = rules().unwrap();
        let words = Value::String("a".repeat(rules.words + 1));
        assert!(check(TEXT, &words).is_err());
        assert!(check("link", &Value::String("é".repeat(8192))).is_ok());
        assert!(check("link", &Value::String("é".repeat(8193))).is_err());
        let points = |count: usize| Value::Array(vec![serde_json::json!([0, 1.5]); count]);
        assert!(check("points", &points(100_000)).is_ok());
        assert!(check("points", &points(100_001)).is_err());
        let mut deep = Value::Null;
        for _ in 0..rules.anything.depth - 1 {
            deep = Value::Array(vec![deep]);
        }
        assert!(check("customData", &deep).is_ok());
        assert!(check("customData", &Value::Array(vec![deep])).is_err());
        let many = Value::Array(vec![Value::Null; rules.anything.values]);
        assert!(check("customData", &many).is_err());
    }
}
