//! Writing in company, on a text page: where a fairy's pen is, and who else is in a block.

use std::collections::HashMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use glade_doc::{Edit, ElementId, RunId, words};
use loro::LoroValue;
use loro::cursor::Side;

use crate::range::WritableRange;
use crate::room::Room;
use crate::seats::FairySession;

/// What takes a block from under whoever writes in it.
const UPROOTING: [&str; 2] = ["block-move", "block-delete"];

impl Room {
    /// The name of a person whose caret is in a block that a tool would take away from under them.
    pub(crate) fn someone_in(&self, tool: &str, block: &ElementId) -> Option<String> {
        if !UPROOTING.contains(&tool) {
            return None;
        }
        let states = self.members.presence.states();
        states.into_iter().find_map(|value| {
            let LoroValue::Map(entry) = value else {
                return None;
            };
            let word = |value: Option<&LoroValue>| {
                value
                    .and_then(|value| value.as_string())
                    .map(|text| text.to_string())
            };
            let LoroValue::Map(caret) = entry.get("caret")? else {
                return None;
            };
            let LoroValue::Map(head) = caret.get("head")? else {
                return None;
            };
            let here = word(head.get("block"))?.split('.').next() == Some(block.as_str());
            let person = word(entry.get("kind")).as_deref() == Some("person");
            (here && person)
                .then(|| word(entry.get("name")).unwrap_or_else(|| "somebody".to_owned()))
        })
    }

    /// The fairy's caret goes to the end of what it has just written; what it selects is what it has written
    /// since the action began.
    pub(crate) fn follow_pen(&mut self, session: &FairySession, edits: &[Edit], action: Action) {
        if !self.document.doc().surface().has_styled_words() {
            return;
        }
        let place = edits.iter().rev().find_map(|edit| match edit {
            Edit::Rewrite { id, base, text, .. } => Some((id.clone(), written(base, text)?)),
            Edit::Put { id, props } if props.contains_key("originalText") => {
                Some((id.clone(), (0, usize::MAX)))
            }
            _ => None,
        });
        let Some((block, (from, to))) = place else {
            return;
        };
        let Some(text) = self.document.doc().words(&block) else {
            return;
        };
        // A cursor sits on a character: the first on the first that was written, the last behind all.
        let place = |at: usize| {
            let cursor = text.get_cursor(at.min(text.len_unicode()), Side::Middle);
            let cursor = cursor.map(|cursor| LoroValue::from(STANDARD.encode(cursor.encode())));
            let mut place = HashMap::from([("block".to_owned(), block.to_string().into())]);
            place.extend(cursor.map(|cursor| ("at".to_owned(), cursor)));
            LoroValue::Map(place.into())
        };
        let (begin, end) = (place(from), place(to));
        if let Ok(seat) = self.seats.valid(session) {
            let known = seat.pen.take();
            let known = known.filter(|pen| pen.action == action && pen.block == block);
            seat.pen = Some(Pen {
                begin: known.map_or(begin, |pen| pen.begin),
                end,
                block,
                action,
            });
        }
        self.show_seat(session);
    }

    /// Says what a fairy shows of itself, its caret with it.
    pub(crate) fn show_seat(&mut self, session: &FairySession) {
        let Ok(seat) = self.seats.valid(session) else {
            return;
        };
        let Some(LoroValue::Map(shown)) = &seat.shown else {
            return;
        };
        let scope = match &seat.bounds.part {
            Some(WritableRange::Range(range)) => Some(range.shown()),
            _ => None,
        };
        let mut value: HashMap<String, LoroValue> = shown
            .iter()
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        if let Some(Pen { begin, end, .. }) = &seat.pen {
            let ends = [("anchor", begin), ("head", end)];
            let ends = ends.map(|(name, place)| (name.to_owned(), place.clone()));
            value.insert(
                "caret".to_owned(),
                LoroValue::Map(HashMap::from(ends).into()),
            );
        }
        value.extend(scope.map(|scope| ("scope".to_owned(), scope)));
        let (key, value) = (session.peer.to_string(), LoroValue::Map(value.into()));
        let bytes = self.members.presence.set(&key, value, self.now_ms);
        self.tell_presence(None, bytes);
    }
}

/// An action of a run.
pub(crate) type Action = (RunId, u32);

/// Where on a text page a fairy writes.
pub(crate) struct Pen {
    action: Action,
    block: ElementId,
    /// Where the action began to write, and where it is now.
    begin: LoroValue,
    end: LoroValue,
}

/// Where the first change from one text to the other begins and the last one ends.
fn written(base: &str, text: &str) -> Option<(usize, usize)> {
    let mut ends: Option<(usize, usize)> = None;
    let mut shift = 0isize;
    for splice in words::diff(base, text) {
        let typed = splice.insert.chars().count();
        let at = splice.at.saturating_add_signed(shift);
        let first = ends.map_or(at, |(first, _)| first);
        ends = Some((first, at + typed));
        shift += typed.cast_signed() - splice.delete.cast_signed();
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::written;

    #[test]
    fn what_is_written_reaches_from_the_first_change_to_the_last() {
        assert_eq!(written("one two", "one 2"), Some((4, 5)));
        assert_eq!(written("one two three", "1 two 33"), Some((0, 8)));
        assert_eq!(written("", "Hello"), Some((0, 5)));
        assert_eq!(written("Hello", "Hello"), None);
    }
}
