//! Touches of marks: what a run made bold, and how the words were before.
//!
//! Rows name characters by id, as those of text do. Undoing puts a mark back on every character
//! that still has what the run gave it; where anybody changed it since, it stays.

use std::collections::BTreeMap;

use loro::LoroText;
use serde_json::Value;

use crate::inspect::Change;
use crate::observe::{made_in, styles};
use crate::text::{MARKS, PENDING};
use crate::texts::{self, Glyph};
use crate::touch::{CharId, CharSpan, MarkedSpan, Marks, TouchKind};
use crate::touch_index::TouchIndex;
use crate::value::from_json;
use crate::{DocError, ElementId, PageDoc, Touch};

/// Enters what runs marked: `before` has the blocks as they were.
pub(crate) fn observe(
    touch_index: &mut TouchIndex,
    changes: &[Change],
    before: &BTreeMap<ElementId, Vec<Glyph>>,
    doc: &PageDoc,
) {
    for (element, was) in before {
        let by = changes.iter().rev().find_map(|change| {
            let tag = change.tag.as_ref()?;
            let marks = |write: &&crate::Write| write.element == *element && styles(write);
            change.writes.iter().find(marks).map(|_| (change, tag))
        });
        let Some((change, tag)) = by.filter(|(_, tag)| !made_in(touch_index, element, tag)) else {
            continue;
        };
        let mut row = Touch {
            run: tag.run.clone(),
            step: tag.step,
            action: tag.action,
            element: element.clone(),
            property: MARKS.to_owned(),
            peer: change.peer,
            derived: false,
            kind: TouchKind::Marks { marked: Vec::new() },
        };
        if let Some(known) = touch_index.get(&row.key()) {
            row = known.clone();
        }
        let TouchKind::Marks { marked } = &mut row.kind else {
            continue;
        };
        let now: BTreeMap<CharId, Marks> = texts::visible(doc.text(element).as_ref())
            .into_iter()
            .map(|glyph| (glyph.id, glyph.marks))
            .collect();
        for glyph in was {
            let Some(after) = now.get(&glyph.id) else {
                continue;
            };
            let names = glyph.marks.keys().chain(after.keys());
            let names: std::collections::BTreeSet<&String> = names.collect();
            for name in names.into_iter().filter(|name| *name != PENDING) {
                let (old, new) = (value(&glyph.marks, name), value(after, name));
                if old != new {
                    note(marked, glyph.id, name, old, new);
                }
            }
        }
        if !marked.is_empty() {
            touch_index.put(row);
        }
    }
}

fn value(marks: &Marks, name: &str) -> Value {
    marks.get(name).cloned().unwrap_or(Value::Null)
}

fn note(marked: &mut Vec<MarkedSpan>, id: CharId, name: &str, before: Value, after: Value) {
    // An action that changes its mind goes back to what it found.
    let mut first = before;
    if let Some(at) = marked
        .iter()
        .position(|span| span.name == name && span.chars.contains(id))
    {
        let span = marked.remove(at);
        first = span.before.clone();
        for (from, to) in [
            (span.chars.from, id.counter),
            (id.counter + 1, span.chars.to),
        ] {
            if from < to {
                let chars = CharSpan {
                    from,
                    to,
                    ..span.chars
                };
                marked.push(MarkedSpan {
                    chars,
                    ..span.clone()
                });
            }
        }
    }
    if first == after {
        return;
    }
    let here = CharSpan {
        peer: id.peer,
        from: id.counter,
        to: id.counter + 1,
    };
    match marked.last_mut() {
        Some(last)
            if last.name == name
                && last.before == first
                && last.after == after
                && last.chars.peer == id.peer
                && last.chars.to == id.counter =>
        {
            last.chars.to += 1;
        }
        _ => marked.push(MarkedSpan {
            chars: here,
            name: name.to_owned(),
            before: first,
            after,
        }),
    }
}

/// Puts marks back; answers whether any was.
pub(crate) fn put_back(text: &LoroText, marked: &[MarkedSpan]) -> Result<bool, DocError> {
    let glyphs = texts::visible(Some(text));
    let mut changed = false;
    for span in marked {
        let mine = |glyph: &Glyph| {
            span.chars.contains(glyph.id) && value(&glyph.marks, &span.name) == span.after
        };
        each_stretch(&glyphs, mine, |stretch| {
            changed = true;
            set(text, stretch, &span.name, &span.before)
        })?;
    }
    Ok(changed)
}

/// Retyped words get the marks that they had, and none of their neighbours'.
pub(crate) fn dress(
    text: &LoroText,
    at: usize,
    length: usize,
    wanted: &Marks,
) -> Result<(), DocError> {
    let worn = crate::text::pieces(text);
    let mut start = 0;
    let mut names: Vec<String> = wanted.keys().cloned().collect();
    for (words, marks) in worn {
        let end = start + words.chars().count();
        if start < at + length && at < end {
            names.extend(marks.into_keys().filter(|name| !wanted.contains_key(name)));
        }
        start = end;
    }
    for name in names {
        set(text, at..at + length, &name, &value(wanted, &name))?;
    }
    Ok(())
}

fn set(
    text: &LoroText,
    range: std::ops::Range<usize>,
    name: &str,
    value: &Value,
) -> Result<(), DocError> {
    match value {
        Value::Null => text.unmark(range, name)?,
        value => text.mark(range, name, from_json(value))?,
    }
    Ok(())
}

/// Words that were pending for a run are so no more: all of them, or these characters.
pub(crate) fn settle(
    text: &LoroText,
    run: &str,
    only: Option<&[CharSpan]>,
) -> Result<(), DocError> {
    let pending = |glyph: &Glyph| {
        glyph.marks.get(PENDING).and_then(Value::as_str) == Some(run)
            && only.is_none_or(|spans| spans.iter().any(|span| span.contains(glyph.id)))
    };
    each_stretch(&texts::visible(Some(text)), pending, |stretch| {
        set(text, stretch, PENDING, &Value::Null)
    })
}

/// Characters of these, as far as they are here, are pending for a run.
pub(crate) fn pend(text: &LoroText, run: &str, typed: &[CharSpan]) -> Result<(), DocError> {
    let wanted = Value::from(run);
    let new = |glyph: &Glyph| {
        glyph.marks.get(PENDING) != Some(&wanted)
            && typed.iter().any(|span| span.contains(glyph.id))
    };
    each_stretch(&texts::visible(Some(text)), new, |stretch| {
        set(text, stretch, PENDING, &wanted)
    })
}

/// Does something with every stretch of such characters.
fn each_stretch(
    glyphs: &[Glyph],
    such: impl Fn(&Glyph) -> bool,
    mut work: impl FnMut(std::ops::Range<usize>) -> Result<(), DocError>,
) -> Result<(), DocError> {
    let mut at = 0;
    while at < glyphs.len() {
        let from = at;
        while at < glyphs.len() && such(&glyphs[at]) {
            at += 1;
        }
        if from == at { at += 1 } else { work(from..at)? }
    }
    Ok(())
}
