//! How many lines the words of a block may have: each line break is a node of the editor.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::text::NODE;
use crate::{Change, ElementId, PageDoc, Refusal, TextWrite, rules};

/// In these a line break is a character like others.
const VERBATIM: [&str; 2] = ["codeBlock", "formula"];

pub(crate) fn breaks(text: &str) -> usize {
    text.bytes().filter(|byte| *byte == b'\n').count()
}

/// Whether no block that `changes` write to has too many lines afterwards. `doc` is the page before them.
pub(crate) fn check(changes: &[Change], doc: &PageDoc) -> Result<(), Refusal> {
    let mut written: BTreeMap<&ElementId, (Option<&Value>, usize)> = BTreeMap::new();
    for write in changes.iter().flat_map(|change| &change.writes) {
        let kind = write.value.as_ref().filter(|_| write.property == NODE);
        let typed = match write.text {
            Some(TextWrite::Inserted { breaks, .. }) => breaks,
            _ => 0,
        };
        if kind.is_none() && typed == 0 {
            continue;
        }
        let (now, count) = written.entry(&write.element).or_default();
        *count += typed;
        *now = kind.or(*now);
    }
    let most = rules::most_line_breaks();
    for (element, (kind, typed)) in written {
        let kind = kind.cloned().or_else(|| doc.register(element, NODE));
        let verbatim = kind
            .as_ref()
            .and_then(Value::as_str)
            .is_some_and(|kind| VERBATIM.contains(&kind));
        let there = || {
            doc.words(element)
                .map_or(0, |words| breaks(&words.to_string()))
        };
        if !verbatim && typed + there() > most {
            return Err(Refusal::BadBlock {
                element: element.clone(),
                reason: format!(
                    "its words have more than {most} line breaks: make several blocks of them"
                ),
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
    fn words_of_too_many_lines_are_refused_however_they_came_to_be() {
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
        let block =
            |kind: &str, count: usize| json!({ NODE: kind, "originalText": "a\n".repeat(count) });
        assert!(put(1, "a", block("paragraph", 5_000)));
        assert!(!put(2, "b", block("paragraph", 5_001)));
        assert!(!put(3, "a", json!({ "originalText": "a\n".repeat(5_001) })));
        assert!(put(4, "c", block("codeBlock", 6_000)));
        assert!(!put(5, "c", json!({ NODE: "paragraph" })));
        // What is there can be taken away.
        assert!(put(6, "a", json!({ "originalText": "a\n".repeat(10) })));
        assert!(put(7, "a", json!({ "isDeleted": true })));
    }
}
