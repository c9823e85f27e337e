//! Where fairies' edits become updates, which then pass the gate like a browser's.
//!
//! The replica holds all that fairies wrote, and follows what others write *when that matters*: when a fairy
//! edits an element that they changed, or when whoever wrote has seen all there is. Between people who have not
//! seen each other's last words, an edit that knows of both would join two branches of the page's history, and
//! every replica that merges it would have to go back to where they parted; one that knows of its own branch only
//! is merged beside the other at once. An edit reads nothing but the elements that it changes, so that it is the
//! same either way.

use std::collections::BTreeSet;

use glade_doc::{Edit, ElementId, PageDoc};

/// So many bytes of updates are left for later at most.
const MOST_BYTES: usize = if cfg!(any(test, feature = "sim")) {
    16
} else {
    1024
} * 1024;

#[derive(Default)]
pub(crate) struct Replica {
    /// Made when first needed.
    doc: Option<PageDoc>,
    /// What it has yet to follow, and the elements that this changes.
    later: Vec<Vec<u8>>,
    later_bytes: usize,
    changed: BTreeSet<ElementId>,
}

/// Whether whoever wrote an update had seen all of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Seen {
    All,
    Part,
}

impl Replica {
    /// With all that `page` has.
    pub fn whole(&mut self, page: &PageDoc) -> &PageDoc {
        self.catch_up();
        self.doc.get_or_insert_with(|| page.fork())
    }

    /// With all that matters to these edits.
    pub fn for_edits(&mut self, page: &PageDoc, edits: &[Edit]) -> &PageDoc {
        if edits.iter().any(|edit| self.changed.contains(edit.id())) {
            self.catch_up();
        }
        self.doc.get_or_insert_with(|| page.fork())
    }

    /// The page went on by an update that was not made here.
    pub fn follow(&mut self, update: &[u8], changed: &BTreeSet<ElementId>, seen: Seen) {
        if self.doc.is_none() {
            return;
        }
        self.later.push(update.to_vec());
        self.later_bytes += update.len();
        self.changed.extend(changed.iter().cloned());
        if seen == Seen::All || self.later_bytes > MOST_BYTES {
            self.catch_up();
        }
    }

    /// What holds something that the room refused is worth nothing.
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    #[cfg(any(test, feature = "sim"))]
    pub fn caught_up(&mut self) -> Option<&PageDoc> {
        self.catch_up();
        self.doc.as_ref()
    }

    fn catch_up(&mut self) {
        self.changed.clear();
        self.later_bytes = 0;
        let later = std::mem::take(&mut self.later);
        if let Some(doc) = &self.doc
            && let Err(error) = doc.import_all(&later)
        {
            tracing::error!(%error, "the fairies' replica is made anew");
            self.forget();
        }
    }
}

#[cfg(test)]
mod tests {
    use glade_doc::Surface;
    use serde_json::json;

    use super::*;

    fn words(id: &str, text: &str) -> Edit {
        let props =
            json!({"nodeName": "paragraph", "parent": null, "index": id, "originalText": text});
        Edit::Put {
            id: id.into(),
            props: props.as_object().unwrap().clone(),
        }
    }

    fn text(doc: &PageDoc, id: &str) -> Option<String> {
        Some(doc.words(&id.into())?.to_string())
    }

    /// A page, its replica, and a person who writes without having seen what the fairy wrote.
    fn beside() -> (PageDoc, Replica, PageDoc) {
        let page = PageDoc::blank(Surface::Text);
        page.commit(1, None, &[words("a", "One"), words("b", "Two")])
            .unwrap();
        let person = page.fork();
        let mut replica = Replica::default();
        let own = replica.whole(&page).commit(2, None, &[words("c", "Fairy")]);
        page.import(&own.unwrap().unwrap().update).unwrap();
        (page, replica, person)
    }

    fn types(page: &PageDoc, replica: &mut Replica, person: &PageDoc, edit: Edit, seen: Seen) {
        let typed = person.commit(3, None, &[edit]).unwrap().unwrap();
        page.import(&typed.update).unwrap();
        replica.follow(&typed.update, &typed.elements, seen);
    }

    #[test]
    fn what_a_person_typed_is_there_for_an_edit_of_the_same_block() {
        let (page, mut replica, person) = beside();
        types(
            &page,
            &mut replica,
            &person,
            words("a", "One more"),
            Seen::Part,
        );
        let other = replica.for_edits(&page, &[words("b", "2")]);
        assert_eq!(text(other, "a").as_deref(), Some("One"), "no need to know");
        let same = replica.for_edits(&page, &[words("a", "1")]);
        assert_eq!(text(same, "a").as_deref(), Some("One more"));
        assert_eq!(same.version(), page.version());
    }

    #[test]
    fn whoever_has_seen_everything_is_followed_at_once() {
        let (page, mut replica, person) = beside();
        types(
            &page,
            &mut replica,
            &person,
            words("a", "One more"),
            Seen::Part,
        );
        person
            .import(&page.updates_since(&person.version()).unwrap())
            .unwrap();
        types(
            &page,
            &mut replica,
            &person,
            words("b", "Two more"),
            Seen::All,
        );
        let any = replica.for_edits(&page, &[words("d", "new")]);
        assert_eq!(any.elements(), page.elements());
    }

    #[test]
    fn not_too_much_is_left_for_later() {
        let (page, mut replica, person) = beside();
        for round in 0..4 {
            let long = format!("{round}").repeat(MOST_BYTES / 3);
            types(&page, &mut replica, &person, words("a", &long), Seen::Part);
        }
        let bytes: usize = replica.later.iter().map(Vec::len).sum();
        assert!(bytes <= MOST_BYTES, "{bytes}");
        assert_eq!(bytes, replica.later_bytes);
        assert_eq!(replica.whole(&page).elements(), page.elements());
    }
}
