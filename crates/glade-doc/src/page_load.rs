//! How much there is on a page, all its elements together.
//!
//! Each element may be within its limits, and thousands of them still keep an editor busy for minutes or fill a
//! server's memory. Most elements are so light that as many as a page holds are no matter: these are not counted. The
//! rest is added up when a change first brings something heavy, and followed from then on. The studio holds a page
//! against the same numbers (`element-rules.json`).

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::Deserialize;
use serde_json::Value;

use crate::schema::{IS_DELETED, TEXT};
use crate::strokes::Strokes;
use crate::text::{NODE, TEX, pieces};
use crate::{Change, ElementId, PageDoc, Props, Refusal, Surface, TextWrite, Write, rules};

/// The most that a page takes.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
pub(crate) struct PageLimits {
    /// Strokes that it takes to draw, as for an element.
    strokes: f64,
    /// Values within lists and records: points, and whatever programs note.
    values: usize,
    /// The same as written since the page last let go of its past.
    #[serde(rename = "valuesWritten")]
    values_written: usize,
    formulas: usize,
    /// Stretches of words that wear something.
    marks: usize,
    #[serde(rename = "marksWritten")]
    marks_written: usize,
    /// Of one block.
    block: BlockLimits,
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
struct BlockLimits {
    formulas: usize,
    marks: usize,
}

/// An element with up to so many strokes is light: as many as a page holds stay within its limits.
const LIGHT: f64 = 40.0;
/// Words of this size are light, as many as nobody counts.
const LIGHT_LETTERS: f64 = 50.0;
/// So many values are light at once, and so many are written before they are counted.
const FEW_VALUES: usize = 40;
const UNCOUNTED_VALUES: usize = 250_000;

#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Load {
    strokes: f64,
    values: usize,
    formulas: usize,
    marks: usize,
}

/// The page's load, as far as somebody had to know it.
#[derive(Default)]
pub(crate) struct PageLoad {
    known: Option<Known>,
    /// What was written to since it was counted.
    stale: BTreeSet<ElementId>,
    /// What was merged in a state that nobody has looked at yet: two light writes may make a heavy element.
    unseen: BTreeSet<ElementId>,
    values_uncounted: usize,
    values_written: usize,
    marks_written: usize,
}

#[derive(Default)]
struct Known {
    loads: HashMap<ElementId, Load>,
    total: Load,
}

/// What `changes` may add, by what is known without a look at the page.
pub(crate) struct Brought {
    values: usize,
    marks: usize,
    /// The elements that decide, and whether any of them may be heavy afterwards.
    pub elements: BTreeSet<ElementId>,
    pub heavy: bool,
}

impl Brought {
    pub fn of(changes: &[Change], doc: &PageDoc, decided: &BTreeMap<&ElementId, Props>) -> Self {
        let large = |props: &Props| props.get("fontSize").and_then(Value::as_f64);
        let light = |props: &Props| {
            Strokes::of(props).count <= LIGHT
                && large(props).is_none_or(|size| size <= LIGHT_LETTERS)
        };
        let mut brought = Self {
            values: 0,
            marks: 0,
            elements: decided.keys().map(|id| (*id).clone()).collect(),
            heavy: decided.values().any(|props| !light(props)),
        };
        let words = doc.surface().has_styled_words();
        for write in changes.iter().flat_map(|change| &change.writes) {
            let values = write.value.as_ref().map_or(0, within);
            brought.values += values;
            let marked = write.mark.is_some();
            brought.marks += usize::from(marked);
            let formula = words && is_formula(write);
            let tombstone = write.property == IS_DELETED;
            let back = tombstone && write.value == Some(Value::Bool(false));
            brought.heavy |= values > FEW_VALUES || marked || formula || back;
            // Of a block any write may make it less.
            if words || values > 0 || tombstone {
                brought.elements.insert(write.element.clone());
            }
        }
        brought
    }
}

impl PageLoad {
    /// Refuses changes that leave more on the page than it takes. What is there already may be more, and can be
    /// changed and deleted. `doc` is the page before them.
    pub fn check(
        &mut self,
        changes: &[Change],
        brought: &Brought,
        doc: &PageDoc,
    ) -> Result<(), Refusal> {
        let limits = rules::page_limits();
        let past = [
            (self.values_written, brought.values, limits.values_written),
            (self.marks_written, brought.marks, limits.marks_written),
        ];
        if past
            .iter()
            .any(|(there, more, most)| *more > 0 && there + more > *most)
        {
            return Err(full("more was written to it than it keeps the past of: leave it alone for a while so that it lets go of its past, or begin another page".to_owned()));
        }
        if !self.is_heavy(brought) {
            return Ok(());
        }
        self.values_uncounted = 0;
        let known = self.known(doc);
        let mut total = known.total;
        for id in &brought.elements {
            let before = known.loads.get(id).copied().unwrap_or_default();
            let after = Load::after(id, before, changes, doc);
            after.check_block(before, id, limits.block)?;
            total.exchange(before, after);
        }
        let said = |there: &str| {
            Err(full(format!(
                "{there}: delete what is not needed, or begin another page"
            )))
        };
        let was = known.total;
        if total.strokes > limits.strokes && total.strokes > was.strokes {
            return said(&format!(
                "it would take {:.0} strokes to draw, and {} are the most",
                total.strokes, limits.strokes
            ));
        }
        if total.values > limits.values && total.values > was.values {
            return said(&format!(
                "its elements hold up to {} points and other values together",
                limits.values
            ));
        }
        if total.formulas > limits.formulas && total.formulas > was.formulas {
            return said(&format!("it has up to {} formulas", limits.formulas));
        }
        if total.marks > limits.marks && total.marks > was.marks {
            return said(&format!(
                "it has up to {} styled stretches of words",
                limits.marks
            ));
        }
        Ok(())
    }

    /// Whether changes are to be judged by what the page has.
    pub fn is_heavy(&self, brought: &Brought) -> bool {
        let counted =
            brought.values == 0 || self.values_uncounted + brought.values <= UNCOUNTED_VALUES;
        brought.heavy || !counted
    }

    /// Whether what the changes leave is not to be told from the page as it was last looked at.
    pub fn is_unseen(&self, brought: &Brought) -> bool {
        brought.elements.iter().any(|id| self.unseen.contains(id))
    }

    /// The page's state is looked at, with all that was merged.
    pub fn seen(&mut self) {
        self.unseen.clear();
    }

    /// Changes were judged that are to be merged.
    pub fn judged(&mut self, brought: &Brought) {
        self.unseen.extend(brought.elements.iter().cloned());
    }

    /// The page has merged changes that brought this.
    pub fn merged(&mut self, brought: &Brought) {
        self.values_uncounted += brought.values;
        self.values_written += brought.values;
        self.marks_written += brought.marks;
        self.written(&brought.elements);
    }

    /// Somebody wrote to these elements.
    pub fn written(&mut self, elements: &BTreeSet<ElementId>) {
        if self.known.is_some() {
            self.stale.extend(elements.iter().cloned());
        }
    }

    fn known(&mut self, doc: &PageDoc) -> &Known {
        let stale = std::mem::take(&mut self.stale);
        let known = self.known.get_or_insert_with(|| {
            let mut known = Known::default();
            doc.for_each_map(|id, _| known.count(id, doc));
            known
        });
        for id in &stale {
            known.count(id, doc);
        }
        known
    }
}

impl Known {
    fn count(&mut self, id: &ElementId, doc: &PageDoc) {
        let now = Load::of(id, doc);
        let before = if now == Load::default() {
            self.loads.remove(id)
        } else {
            self.loads.insert(id.clone(), now)
        };
        self.total.exchange(before.unwrap_or_default(), now);
    }
}

impl Load {
    fn of(id: &ElementId, doc: &PageDoc) -> Self {
        let props = doc.plain_element(id).unwrap_or_default();
        let mut load = Self::of_props(&props, doc.surface());
        if doc.surface().has_styled_words() {
            let pieces = doc
                .words(id)
                .map(|words| pieces(&words))
                .unwrap_or_default();
            load.marks = pieces.iter().filter(|(_, marks)| !marks.is_empty()).count();
            if props.get(IS_DELETED) != Some(&Value::Bool(true)) {
                load.formulas = formulas_in(&props, &pieces);
            }
        }
        load
    }

    fn of_props(props: &Props, surface: Surface) -> Self {
        let values: usize = props.values().map(within).sum();
        let shown = surface.has_shapes() && props.get(IS_DELETED) != Some(&Value::Bool(true));
        let strokes = if shown { Strokes::of(props).count } else { 0.0 };
        Self {
            strokes: (strokes - LIGHT).max(0.0),
            values,
            ..Self::default()
        }
    }

    /// What an element comes to when `changes` are merged, at most.
    fn after(id: &ElementId, before: Self, changes: &[Change], doc: &PageDoc) -> Self {
        let mut props = doc.plain_element(id).unwrap_or_default();
        let (mut typed, mut marks, mut formulas) = (0, 0, 0);
        let mut back = false;
        let writes = changes.iter().flat_map(|change| &change.writes);
        for write in writes.filter(|write| write.element == *id) {
            if let Some(TextWrite::Inserted { length, .. }) = write.text {
                typed += usize::try_from(length).unwrap_or(0);
            }
            marks += usize::from(write.mark.is_some());
            formulas += usize::from(is_formula(write));
            if let Some(value) = write.value.as_ref().filter(|_| write.mark.is_none()) {
                back |= write.property == IS_DELETED && *value == Value::Bool(false);
                props.insert(write.property.clone(), value.clone());
            }
        }
        if doc.surface().has_styled_words() {
            let words = doc.words(id).filter(|_| back);
            let there = words.map(|words| formulas_in(&props, &pieces(&words)));
            let there = there.unwrap_or(before.formulas);
            return Self {
                formulas: there + formulas,
                marks: before.marks + marks,
                ..Self::of_props(&props, doc.surface())
            };
        }
        if typed > 0 {
            let there = props.get(TEXT).and_then(Value::as_str).map_or(0, str::len);
            props.insert(TEXT.to_owned(), Value::String("x".repeat(there + typed)));
        }
        Self::of_props(&props, doc.surface())
    }

    fn check_block(self, before: Self, id: &ElementId, most: BlockLimits) -> Result<(), Refusal> {
        let said = |reason: String| {
            Err(Refusal::BadBlock {
                element: id.clone(),
                reason,
            })
        };
        if self.formulas > most.formulas && self.formulas > before.formulas {
            return said(format!(
                "it has up to {} formulas: make several blocks of it",
                most.formulas
            ));
        }
        if self.marks > most.marks && self.marks > before.marks {
            return said(format!(
                "it has up to {} styled stretches of words: make several blocks of it",
                most.marks
            ));
        }
        Ok(())
    }

    fn exchange(&mut self, before: Self, after: Self) {
        self.strokes = (self.strokes - before.strokes + after.strokes).max(0.0);
        self.values = (self.values + after.values).saturating_sub(before.values);
        self.formulas = (self.formulas + after.formulas).saturating_sub(before.formulas);
        self.marks = (self.marks + after.marks).saturating_sub(before.marks);
    }
}

/// The formulas of a block: itself, or those among its words.
fn formulas_in(props: &Props, pieces: &[(String, BTreeMap<String, Value>)]) -> usize {
    let itself = props.get(NODE).and_then(Value::as_str) == Some("formula");
    let (mut among, mut goes_on) = (0, false);
    for (_, marks) in pieces {
        let formula = marks.contains_key(TEX);
        among += usize::from(formula && !goes_on);
        goes_on = formula;
    }
    among + usize::from(itself)
}

/// How many values lie within a list or a record, at any depth.
fn within(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(|item| 1 + within(item)).sum(),
        Value::Object(fields) => fields.values().map(|field| 1 + within(field)).sum(),
        _ => 0,
    }
}

/// Whether a write makes a formula, or may make two of one.
fn is_formula(write: &Write) -> bool {
    let block = || write.value.as_ref().and_then(Value::as_str) == Some("formula");
    write.mark.as_deref() == Some(TEX) || (write.property == NODE && block())
}

fn full(reason: String) -> Refusal {
    Refusal::Denied {
        code: "page-full",
        reason: format!("the page is full: {reason}"),
    }
}
