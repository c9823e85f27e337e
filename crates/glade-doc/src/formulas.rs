//! How long a formula of a text page may be: setting a very long one takes an editor minutes.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::text::NODE;
use crate::{Change, ElementId, PageDoc, Refusal, TextWrite, rules};

/// Whether no block that `changes` write to is too long a formula afterwards. `doc` is the page before them.
pub(crate) fn check(changes: &[Change], doc: &PageDoc) -> Result<(), Refusal> {
    let mut written: BTreeMap<&ElementId, (Option<Value>, usize)> = BTreeMap::new();
    for write in changes.iter().flat_map(|change| &change.writes) {
        let kind = write.value.as_ref().filter(|_| write.property == NODE);
        let typed = match write.text {
            Some(TextWrite::Inserted { length }) => usize::try_from(length).unwrap_or(0),
            _ => 0,
        };
        if kind.is_none() && typed == 0 {
            continue;
        }
        let before = || (doc.register(&write.element, NODE), 0);
        let (now, length) = written.entry(&write.element).or_insert_with(before);
        *length += typed;
        if let Some(kind) = kind {
            *now = Some(kind.clone());
        }
    }
    let most = rules::most_of_formula();
    for (element, (kind, typed)) in written {
        let formula = kind.as_ref().and_then(Value::as_str) == Some("formula");
        let there = || doc.words(element).map_or(0, |words| words.len_unicode());
        if formula && typed + there() > most {
            return Err(Refusal::BadBlock {
                element: element.clone(),
                reason: format!("a formula has up to {most} characters"),
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{Edit, GuardedPage, Surface};

    #[test]
    fn a_formula_that_is_too_long_is_refused_however_it_became_one() {
        let doc = PageDoc::blank(Surface::Text);
        let mut page = GuardedPage::open(doc, Vec::new()).unwrap();
        let mut put = |peer, id: &str, props: Value| {
            let props = props.as_object().unwrap().clone();
            let edit = Edit::Put {
                id: id.into(),
                props,
            };
            let client = page.doc().fork();
            let commit = client.commit(peer, None, &[edit]).unwrap().unwrap();
            page.admit(&commit.update, &mut |_, _| Ok(())).is_ok()
        };
        let words = |count: usize| "x".repeat(count);
        let formula = |count| json!({ NODE: "formula", "originalText": words(count) });
        assert!(put(1, "a", formula(10_000)));
        assert!(!put(2, "b", formula(10_001)));
        assert!(!put(3, "a", json!({ "originalText": words(10_001) })));
        assert!(put(
            4,
            "c",
            json!({ NODE: "codeBlock", "originalText": words(20_000) })
        ));
        assert!(!put(5, "c", json!({ NODE: "formula" })));
    }
}
