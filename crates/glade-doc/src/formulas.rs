//! How long a formula of a text page may be, and how deep it may be nested: setting others takes an editor minutes.
//!
//! A formula is a block, or words of a block with the mark [`TEX`]. Its length and its signs are known before the merge,
//! and bound its depth; only where they do not is the merged text looked at.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::text::{NODE, TEX, pieces};
use crate::{Change, ElementId, PageDoc, Refusal, TextWrite, rules};

/// How many characters there are of which one may begin something nested. A word such as `\left` may come in parts,
/// so that every backslash counts.
pub(crate) fn signs(text: &str) -> usize {
    text.bytes().filter(|byte| b"{\\".contains(byte)).count()
}

/// How deep a formula is nested: braces, environments, and brackets that grow. The studio counts the same way
/// (`formulas.ts`).
fn depth(tex: &str) -> usize {
    let (mut open, mut deepest) = (0i64, 0i64);
    let mut rest = tex;
    while let Some(at) = rest.find(['{', '}', '\\']) {
        let (sign, after) = rest.split_at(at).1.split_at(1);
        rest = after;
        match sign {
            "{" => open += 1,
            "}" => open -= 1,
            _ => {
                let end = after.find(|c: char| !c.is_ascii_alphabetic());
                let (word, beyond) = after.split_at(end.unwrap_or(after.len()));
                match word {
                    "begin" | "left" => open += 1,
                    "end" | "right" => open -= 1,
                    _ => {}
                }
                // A sign behind a backslash is only a sign.
                let mut beyond = beyond.chars();
                if word.is_empty() {
                    beyond.next();
                }
                rest = beyond.as_str();
            }
        }
        deepest = deepest.max(open);
    }
    usize::try_from(deepest).unwrap_or(0)
}

/// Whether a formula is one that a page takes.
pub fn formula_fits(tex: &str) -> bool {
    let limits = rules::formula_limits();
    tex.chars().count() <= limits.length && depth(tex) <= limits.depth
}

/// What `changes` do to a block that may be, or hold, a formula.
#[derive(Default)]
struct Written {
    kind: Option<Value>,
    typed: usize,
    signs: usize,
    /// Words of it become a formula.
    marked: bool,
}

/// Whether no block that `changes` write to is too long a formula afterwards. `doc` is the page before them. Answers the
/// blocks of which only the merged text can tell.
pub(crate) fn check(changes: &[Change], doc: &PageDoc) -> Result<BTreeSet<ElementId>, Refusal> {
    let limits = rules::formula_limits();
    let mut doubtful = BTreeSet::new();
    for (element, written) in written(changes) {
        let kind = written.kind.or_else(|| doc.register(element, NODE));
        let is_formula = kind.as_ref().and_then(Value::as_str) == Some("formula");
        let words = doc.words(element);
        let there = words.as_ref().map_or(0, |words| words.len_unicode());
        let long = written.typed + there > limits.length;
        if is_formula && long {
            return Err(too_long(element));
        }
        let nested = || {
            let known = words.as_ref().map_or(0, |words| signs(&words.to_string()));
            written.signs + known > limits.depth
        };
        if !long && !nested() {
            continue;
        }
        let holds_formula = || {
            let wears = |(_, marks): &(String, BTreeMap<String, Value>)| marks.contains_key(TEX);
            words
                .as_ref()
                .is_some_and(|words| pieces(words).iter().any(wears))
        };
        if is_formula || written.marked || holds_formula() {
            doubtful.insert(element.clone());
        }
    }
    Ok(doubtful)
}

/// The same by what the changes left.
pub(crate) fn check_merged(doubtful: &BTreeSet<ElementId>, after: &PageDoc) -> Result<(), Refusal> {
    let limits = rules::formula_limits();
    for element in doubtful {
        let Some(words) = after.words(element) else {
            continue;
        };
        let kind = after.register(element, NODE);
        let formulas = if kind.as_ref().and_then(Value::as_str) == Some("formula") {
            vec![words.to_string()]
        } else {
            among_words(pieces(&words))
        };
        for tex in formulas {
            if tex.chars().count() > limits.length {
                return Err(too_long(element));
            }
            if depth(&tex) > limits.depth {
                return Err(Refusal::BadBlock {
                    element: element.clone(),
                    reason: format!("a formula is nested up to {} deep", limits.depth),
                });
            }
        }
    }
    Ok(())
}

/// The formulas among words. Words that differ in other marks are one formula all the same.
fn among_words(pieces: Vec<(String, BTreeMap<String, Value>)>) -> Vec<String> {
    let mut formulas: Vec<String> = Vec::new();
    let mut goes_on = false;
    for (words, marks) in pieces {
        let is_formula = marks.contains_key(TEX);
        match formulas.last_mut().filter(|_| goes_on && is_formula) {
            Some(last) => last.push_str(&words),
            None if is_formula => formulas.push(words),
            None => {}
        }
        goes_on = is_formula;
    }
    formulas
}

fn written(changes: &[Change]) -> BTreeMap<&ElementId, Written> {
    let mut all: BTreeMap<&ElementId, Written> = BTreeMap::new();
    for write in changes.iter().flat_map(|change| &change.writes) {
        let kind = write.value.as_ref().filter(|_| write.property == NODE);
        let marked = write.mark.as_deref() == Some(TEX);
        let (typed, signs) = match write.text {
            Some(TextWrite::Inserted { length, signs, .. }) => {
                (usize::try_from(length).unwrap_or(0), signs)
            }
            _ => (0, 0),
        };
        if kind.is_none() && typed == 0 && !marked {
            continue;
        }
        let written = all.entry(&write.element).or_default();
        written.typed += typed;
        written.signs += signs;
        written.marked |= marked;
        if let Some(kind) = kind {
            written.kind = Some(kind.clone());
        }
    }
    all
}

fn too_long(element: &ElementId) -> Refusal {
    Refusal::BadBlock {
        element: element.clone(),
        reason: format!(
            "a formula has up to {} characters",
            rules::formula_limits().length
        ),
    }
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
    #[test]
    fn a_formula_that_is_nested_too_deeply_is_refused_in_a_block_and_among_words() {
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
        let nested = |count: usize| "{".repeat(count) + &"}".repeat(count);
        let formula = |tex: String| json!({ NODE: "formula", "originalText": tex });
        let inline = |tex: String| {
            let all = tex.chars().count();
            json!({ NODE: "paragraph", "originalText": tex, "marks": [[0, all, TEX, true]] })
        };
        assert!(put(1, "a", formula(nested(100))));
        assert!(!put(2, "b", formula(nested(101))));
        assert!(put(3, "c", formula("{x}".repeat(2_000))), "long and flat");
        assert!(!put(4, "d", formula("\\left(".repeat(101))));
        assert!(put(5, "e", inline(nested(100))));
        assert!(!put(6, "f", inline(nested(101))));
        assert!(!put(7, "g", inline("x".repeat(10_001))));
        assert!(put(
            8,
            "h",
            json!({ NODE: "codeBlock", "originalText": nested(500) })
        ));
        assert!(!put(9, "h", json!({ NODE: "formula" })));
        assert!(put(
            10,
            "i",
            json!({ NODE: "paragraph", "originalText": nested(500) })
        ));
        // Little by little, and what is too deep already can be taken away.
        assert!(!put(11, "a", json!({ "originalText": nested(101) })));
        assert!(put(12, "a", json!({ "originalText": "x" })));
    }

    #[test]
    fn depth_is_counted_as_the_studio_counts() {
        for (tex, deep) in [
            ("", 0),
            ("{a}{b}", 1),
            ("{{a}}", 2),
            ("\\{\\{\\{", 0),
            ("\\frac{a}{\\sqrt{b}}", 2),
            ("\\left( \\left[ x \\right] \\right)", 2),
            ("\\leftarrow \\beginning", 0),
            ("\\begin{matrix} a \\end{matrix}", 2),
            ("}}}{", 0),
            ("\\\\{", 1),
            ("\\é{", 1),
        ] {
            assert_eq!(depth(tex), deep, "{tex}");
        }
    }
}
