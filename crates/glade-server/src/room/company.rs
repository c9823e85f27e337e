//! Writing in company, on a text page: where a fairy's pen is, and who else is in a block.

use std::collections::HashMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use glade_doc::{Edit, ElementId, Surface, words};
use loro::LoroValue;
use loro::cursor::Side;

use super::core::RoomCore;
use super::fairy::FairySession;
use super::range::Part;

/// What takes a block from under whoever writes in it.
const UPROOTING: [&str; 2] = ["block-move", "block-delete"];

impl RoomCore {
    /// The name of a person whose caret is in a block that a tool would take away from under them.
    pub(super) fn someone_in(&self, tool: &str, block: &ElementId) -> Option<String> {
        if !UPROOTING.contains(&tool) {
            return None;
        }
        let states = self.presence.states();
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

    /// The fairy's caret goes to the end of what it has just written.
    pub(super) fn follow_pen(&mut self, session: &FairySession, edits: &[Edit]) {
        if self.guarded.doc().surface() != Surface::Text {
            return;
        }
        let place = edits.iter().rev().find_map(|edit| match edit {
            Edit::Rewrite { id, base, text, .. } => Some((id.clone(), Some(pen(base, text)))),
            Edit::Put { id, props } if props.contains_key("originalText") => {
                Some((id.clone(), None))
            }
            _ => None,
        });
        let Some((block, at)) = place else { return };
        let Some(text) = self.guarded.doc().words(&block) else {
            return;
        };
        let at = at.unwrap_or(usize::MAX).min(text.len_unicode());
        // The cursor sits on the character before it: what is typed there moves it along.
        let cursor = text
            .get_cursor(at, Side::Middle)
            .map(|cursor| cursor.encode());
        let mut place = vec![("block".to_owned(), LoroValue::from(block.to_string()))];
        if let Some(bytes) = cursor {
            place.push(("at".to_owned(), LoroValue::from(STANDARD.encode(bytes))));
        }
        let place = LoroValue::Map(place.into_iter().collect::<HashMap<_, _>>().into());
        let caret = [
            ("anchor".to_owned(), place.clone()),
            ("head".to_owned(), place),
        ];
        let caret = LoroValue::Map(HashMap::from(caret).into());
        if let Ok(seat) = self.valid_seat(session) {
            seat.caret = Some(caret);
        }
        self.show_seat(session);
    }

    /// Says what a fairy shows of itself, its caret with it.
    pub(super) fn show_seat(&mut self, session: &FairySession) {
        let Ok(seat) = self.valid_seat(session) else {
            return;
        };
        let Some(LoroValue::Map(shown)) = &seat.shown else {
            return;
        };
        let scope = match &seat.bounds.part {
            Some(Part::Range(range)) => Some(range.shown()),
            _ => None,
        };
        let mut value: HashMap<String, LoroValue> = shown
            .iter()
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        if let Some(caret) = &seat.caret {
            value.insert("caret".to_owned(), caret.clone());
        }
        value.extend(scope.map(|scope| ("scope".to_owned(), scope)));
        let bytes = self
            .presence
            .set(&session.peer.to_string(), LoroValue::Map(value.into()));
        self.tell_presence(None, &bytes);
    }
}

/// Where the last change from one text to the other ends.
fn pen(base: &str, text: &str) -> usize {
    let (mut end, mut shift) = (0, 0isize);
    for splice in words::diff(base, text) {
        let typed = splice.insert.chars().count();
        end = splice.at.saturating_add_signed(shift) + typed;
        shift += typed.cast_signed() - splice.delete.cast_signed();
    }
    end
}

#[cfg(test)]
mod tests {
    use super::pen;

    #[test]
    fn the_pen_is_where_the_last_word_was_written() {
        assert_eq!(pen("one two", "one 2"), 5);
        assert_eq!(pen("one two three", "1 two 33"), 8);
        assert_eq!(pen("", "Hello"), 5);
        assert_eq!(pen("Hello", "Hello"), 0);
    }
}
