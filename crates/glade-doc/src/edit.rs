//! Edits: what a writer wants an element to be. Only what differs becomes an operation, so two
//! people changing two properties of one shape never meet.

use loro::{Container, LoroMap, LoroText, ValueOrContainer};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::schema::{self, IS_DELETED, NOT_STORED, TEXT};
use crate::surface::Surface;
use crate::value::{from_json, same_value, to_json};
use crate::words::{self, Moved, Splice};
use crate::{DocError, ElementId, Marks, Props, RunId, text};

/// One wish of a writer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "edit", rename_all = "kebab-case")]
pub enum Edit {
    /// Make the element if it is missing; then write those of `props` that differ from it.
    /// Properties not named stay as they are. Text changes by minimal diff.
    Put { id: ElementId, props: Props },
    /// Set the tombstone. Nothing is ever removed from the document.
    Delete { id: ElementId },
    /// Change words from `base`, which the writer has seen, to `text`, by whole words. If others have
    /// changed them meanwhile, what they typed stays. For text pages; see [`crate::words`].
    Rewrite {
        id: ElementId,
        base: String,
        text: String,
        /// All marks of `text` ([`text::MARKS`]); `None`: words keep those that they have.
        marks: Option<Value>,
    },
}

/// How edits are written.
#[derive(Clone, Copy)]
pub(crate) struct Pen<'a> {
    pub surface: Surface,
    /// Words typed on a text page are pending for this run.
    pub run: Option<&'a RunId>,
}

impl Edit {
    pub fn id(&self) -> &ElementId {
        match self {
            Self::Put { id, .. } | Self::Delete { id } | Self::Rewrite { id, .. } => id,
        }
    }

    /// Everything that could fail is looked at before the first operation, so that an edit list
    /// applies as a whole or not at all.
    pub(crate) fn check(&self) -> Result<(), DocError> {
        let bad = |reason: String| {
            Err(DocError::BadEdit {
                element: self.id().clone(),
                reason,
            })
        };
        if !schema::is_sane_name(self.id().as_str()) {
            return bad(format!(
                "its id must be 1 to {} bytes without control characters",
                schema::MAX_NAME_BYTES
            ));
        }
        let Self::Put { props, .. } = self else {
            return Ok(());
        };
        for (name, value) in props {
            if !schema::is_sane_name(name) {
                return bad(format!("{name:?} is not a property name"));
            }
            if name == TEXT && !value.is_string() {
                return bad(format!("{TEXT} must be a string"));
            }
        }
        Ok(())
    }

    pub(crate) fn apply(&self, root: &LoroMap, pen: Pen<'_>) -> Result<(), DocError> {
        match self {
            Self::Put { id, props } => {
                let map = root.ensure_mergeable_map(id.as_str())?;
                for (name, value) in props {
                    if NOT_STORED.contains(&name.as_str()) {
                        continue;
                    }
                    match value {
                        Value::String(words) if name == TEXT => {
                            let text = map.ensure_mergeable_text(TEXT)?;
                            if pen.surface.has_styled_words() {
                                let now = text.to_string();
                                pen.splice(&text, &words::diff(&now, words))?;
                            } else {
                                write_text(&text, words)?;
                            }
                        }
                        _ if name == text::MARKS && pen.surface.has_styled_words() => {}
                        value => write_register(&map, name, value)?,
                    }
                }
                if pen.surface.has_styled_words()
                    && let Some(marks) = props.get(text::MARKS)
                    && let Some(ValueOrContainer::Container(Container::Text(words))) = map.get(TEXT)
                {
                    text::set_marks(&words, &text::from_value(marks), |_, _| false)?;
                }
            }
            Self::Rewrite {
                id,
                base,
                text: new,
                marks,
            } => {
                let Some(ValueOrContainer::Container(Container::Map(map))) = root.get(id.as_str())
                else {
                    return Ok(());
                };
                let text = map.ensure_mergeable_text(TEXT)?;
                let now = text.to_string();
                pen.splice(&text, &words::rebase(base, &now, new))?;
                if let Some(marks) = marks {
                    let moved = Moved::between(new, &text.to_string());
                    // What others typed keeps its marks, unless it is inside of what is marked now.
                    let mut theirs = vec![true; text.len_unicode()];
                    let own = (0..new.chars().count()).filter_map(|at| moved.place(at));
                    own.for_each(|at| theirs[at] = false);
                    let marks: Vec<text::Mark> = text::from_value(marks)
                        .into_iter()
                        .map(|mark| text::Mark {
                            from: moved.before(mark.from),
                            to: moved.after(mark.to),
                            ..mark
                        })
                        .collect();
                    text::set_marks(&text, &marks, |name, at| {
                        // A comment may have come since, and no rewriting takes one off.
                        name == text::ANCHOR || theirs[at]
                    })?;
                }
            }
            Self::Delete { id } => {
                if let Some(ValueOrContainer::Container(Container::Map(map))) =
                    root.get(id.as_str())
                {
                    write_register(&map, IS_DELETED, &Value::Bool(true))?;
                }
            }
        }
        Ok(())
    }
}

impl Pen<'_> {
    /// Makes the splices, from the last to the first: positions are those before any of them.
    fn splice(self, text: &LoroText, splices: &[Splice]) -> Result<(), DocError> {
        for splice in splices.iter().rev() {
            let Splice { at, delete, insert } = splice;
            // Words wear what the words that they replace wore.
            let styled = self.surface.has_styled_words();
            let run = self.run.filter(|_| styled);
            let worn = if styled && *delete > 0 && !insert.is_empty() {
                text::worn_at(text, *at)
            } else {
                Marks::new()
            };
            if let Some(run) = run.filter(|_| insert.is_empty()) {
                text::hand_on(text, *at, *delete, run.as_str())?;
            }
            if *delete > 0 {
                text.delete(*at, *delete)?;
            }
            if insert.is_empty() {
                continue;
            }
            text.insert(*at, insert)?;
            let typed = *at..*at + insert.chars().count();
            for (name, value) in worn {
                text.mark(typed.clone(), &name, from_json(&value))?;
            }
            if let Some(run) = run {
                text.mark(typed, text::PENDING, run.as_str())?;
            }
        }
        Ok(())
    }
}

pub(crate) fn write_register(map: &LoroMap, name: &str, value: &Value) -> Result<(), DocError> {
    if let Some(ValueOrContainer::Value(now)) = map.get(name)
        && same_value(&to_json(&now), value)
    {
        return Ok(());
    }
    map.insert(name, from_json(value))?;
    Ok(())
}

pub(crate) fn write_text(text: &LoroText, words: &str) -> Result<(), DocError> {
    let now = text.to_string();
    if now == words {
        return Ok(());
    }
    // A streamed answer only grows: no diff to search for.
    if let Some(tail) = words.strip_prefix(now.as_str()) {
        text.insert(text.len_unicode(), tail)?;
        return Ok(());
    }
    // From the end, so that places before stay.
    for splice in words::diff_letters(&now, words).iter().rev() {
        text.splice(splice.at, splice.delete, &splice.insert)?;
    }
    Ok(())
}
