//! The words of a text page's blocks: as the fairy knows them, as they stand, and how one becomes the other.

use std::collections::BTreeSet;

use glade_canvas::{Element, rewritten};
use glade_doc::schema::TEXT;
use glade_doc::{Edit, ElementId, Props, text, words};
use glade_text::Styled;

use super::ActionContext;

impl ActionContext<'_, '_> {
    /// The words of a block as the fairy knew them when this action began: as they were shown to it and as it has
    /// written them since, or, of a block that it was not shown whole, as they stand.
    pub fn words(&mut self, id: &ElementId) -> Styled {
        if let Some(known) = self.trace.known.get(id) {
            return known.clone();
        }
        let words = match self.reading.known(id) {
            Some(known) => known.clone(),
            None => self.draft.any(id).map(styled).unwrap_or_default(),
        };
        self.trace.known.insert(id.clone(), words.clone());
        words
    }

    /// Wants these words in a block of a text page, with these marks. Marks that others changed stay changed.
    pub fn write(&mut self, id: &ElementId, wanted: Styled) {
        let begun = self.words(id);
        let last = self.trace.written.get(id);
        let text = |props: Option<&Props>| props?.get(TEXT)?.as_str().map(str::to_owned);
        let marks = |props: Option<&Props>| Some(text::from_value(props?.get(text::MARKS)?));
        let base = Styled {
            text: text(last).unwrap_or(begun.text),
            marks: marks(last).unwrap_or(begun.marks),
        };
        let now = self.draft.any(id).map(styled).unwrap_or_default();
        let marks = base.marks_onto(&wanted, &now);
        let some = [&marks, &base.marks, &now.marks]
            .iter()
            .any(|marks| !marks.is_empty());
        let marks = some.then(|| text::to_value(&marks));
        self.put(id, rewritten(&wanted.text, &marks));
        if self.reading.known(id).is_some() {
            self.reading.learn(id.clone(), wanted);
        }
    }

    /// Wants these words in a cell.
    pub fn put_cell(&mut self, row: &ElementId, column: &ElementId, words: &Styled) {
        let props = serde_json::json!({
            "nodeName": "tableCell", "parent": row, "originalText": words.text, "marks": text::to_value(&words.marks),
        });
        let id = ElementId(format!("{row}.{column}"));
        self.put(&id, props.as_object().cloned().unwrap_or_default());
    }
}

/// The words of a block, with their marks.
pub(super) fn styled(block: &Element) -> Styled {
    let marks = block.props.get(text::MARKS);
    Styled {
        text: words_of(Some(&block.props)),
        marks: marks.map(text::from_value).unwrap_or_default(),
    }
}

pub(super) fn words_of(props: Option<&Props>) -> String {
    let words = props
        .and_then(|props| props.get(TEXT))
        .and_then(serde_json::Value::as_str);
    words.unwrap_or("").to_owned()
}

/// New words and marks of a block, taken out of its other properties.
pub(super) fn rewrite(id: &ElementId, base: &str, changed: &mut Props) -> Option<Edit> {
    let text = changed.remove(TEXT);
    let marks = changed.remove(text::MARKS);
    if text.is_none() && marks.is_none() {
        return None;
    }
    let text = match text {
        Some(serde_json::Value::String(text)) => text,
        _ => base.to_owned(),
    };
    Some(Edit::Rewrite {
        id: id.clone(),
        base: base.to_owned(),
        text,
        marks,
    })
}

/// Whether somebody wrote in the very sentence that the action goes on with.
pub(super) fn taken_over(current: Option<&Element>, last: Option<&Props>, wanted: &Props) -> bool {
    let text = |props: Option<&Props>| props?.get(TEXT)?.as_str().map(str::to_owned);
    let (Some(now), Some(last), Some(next)) = (
        text(current.map(|element| &element.props)),
        text(last),
        text(Some(wanted)),
    ) else {
        return false;
    };
    if now == last || next == last {
        return false;
    }
    let sentence = |at: usize| {
        let before: String = last.chars().take(at).collect();
        before.matches(['.', '!', '?', '\n']).count()
    };
    let own: BTreeSet<usize> = words::diff(&last, &next)
        .iter()
        .map(|one| sentence(one.at))
        .collect();
    words::diff(&last, &now)
        .iter()
        .any(|one| own.contains(&sentence(one.at)))
}
