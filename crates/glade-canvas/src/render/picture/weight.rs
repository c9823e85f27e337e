//! How much an SVG file is once everything in it that refers to something else holds a copy of it.
//!
//! usvg goes through a pattern, a mask, a marker once for each use of it, and so for each use of what uses it: twenty
//! patterns of four squares each, painted with one another, are a million million squares. What it makes of a file can
//! be looked at only when it is done, so this looks at the file.

use std::collections::{HashMap, HashSet};

use resvg::usvg::roxmltree::{Document, Node, NodeId};

/// References that hold for everything inside of an element are counted for each thing inside.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    Itself,
    Inside,
}

/// In elements.
pub(super) fn of(document: &Document) -> f64 {
    let file = File::new(document);
    let mut weights: HashMap<NodeId, f64> = HashMap::new();
    let mut begun: HashSet<NodeId> = HashSet::new();
    let mut steps = vec![Visit::Enter(document.root())];
    while let Some(step) = steps.pop() {
        match step {
            Visit::Enter(node) => {
                // What leads back to itself is not followed again.
                if !begun.insert(node.id()) {
                    continue;
                }
                let targets = file.targets(node);
                let inside = node.children().filter(Node::is_element);
                let next: Vec<Node> = inside.chain(targets.iter().map(|it| it.1)).collect();
                steps.push(Visit::Leave(node, targets));
                steps.extend(next.into_iter().map(Visit::Enter));
            }
            Visit::Leave(node, targets) => {
                let weight = |node: Node| weights.get(&node.id()).copied().unwrap_or(0.0);
                let reached = |reach: Reach| -> f64 {
                    let reached = targets.iter().filter(|it| it.0 == reach);
                    reached.map(|it| weight(it.1)).sum()
                };
                let inside: f64 = node.children().map(weight).sum();
                let all = 1.0 + inside + reached(Reach::Itself);
                weights.insert(node.id(), all * (1.0 + reached(Reach::Inside)));
            }
        }
    }
    weights.get(&document.root().id()).copied().unwrap_or(0.0)
}

enum Visit<'a> {
    Enter(Node<'a, 'a>),
    Leave(Node<'a, 'a>, Vec<(Reach, Node<'a, 'a>)>),
}

struct File<'a> {
    by_id: HashMap<&'a str, Node<'a, 'a>>,
    rules: Vec<Rule<'a>>,
}

/// A rule of a style sheet that refers to something.
struct Rule<'a> {
    selector: &'a str,
    ids: Vec<(Reach, &'a str)>,
}

impl Rule<'_> {
    /// Whether it may be meant; which, exactly, does not matter here.
    fn may_match(&self, node: Node) -> bool {
        let names = |attribute: &str| -> Vec<String> {
            let value = node.attribute(attribute).unwrap_or("");
            value.split_whitespace().map(str::to_owned).collect()
        };
        let parts = self.selector.split([' ', ',', '>', '{', '+', '~']);
        parts
            .map(str::trim)
            .filter(|it| !it.is_empty())
            .any(|part| {
                let tag = part.split(['.', '#', ':', '[']).next().unwrap_or("");
                let holds = |sign: char, names: Vec<String>| {
                    names
                        .iter()
                        .any(|name| part.contains(&format!("{sign}{name}")))
                };
                let is_plain = !part.contains(['.', '#']);
                holds('.', names("class"))
                    || holds('#', names("id"))
                    || (is_plain && (tag.is_empty() || tag == "*" || tag == node.tag_name().name()))
            })
    }
}

impl<'a> File<'a> {
    fn new(document: &'a Document<'a>) -> Self {
        let mut file = Self {
            by_id: HashMap::new(),
            rules: Vec::new(),
        };
        for node in document.descendants() {
            if let Some(id) = node.attribute("id") {
                file.by_id.insert(id, node);
            }
            let is_style = node.is_element() && node.tag_name().name() == "style";
            let sheet = node.text().filter(|_| is_style).unwrap_or("");
            for (selector, body) in sheet.split('}').filter_map(|rule| rule.rsplit_once('{')) {
                let ids = declared(body);
                if !ids.is_empty() {
                    file.rules.push(Rule { selector, ids });
                }
            }
        }
        file
    }

    /// What a node refers to, but for gradients: they hold nothing.
    fn targets(&self, node: Node<'a, 'a>) -> Vec<(Reach, Node<'a, 'a>)> {
        let mut ids = Vec::new();
        for attribute in node.attributes() {
            match (attribute.name(), attribute.value()) {
                ("style", value) => ids.extend(declared(value)),
                ("href", value) => {
                    let id = value.trim().strip_prefix('#');
                    ids.extend(id.map(|id| (Reach::Itself, id)));
                }
                (name, value) => ids.extend(referred(value).map(|id| (reach(name), id))),
            }
        }
        if node.is_element() {
            let rules = self.rules.iter().filter(|rule| rule.may_match(node));
            ids.extend(rules.flat_map(|rule| rule.ids.iter().copied()));
        }
        let target = |(reach, id): (Reach, &str)| Some((reach, *self.by_id.get(id)?));
        let found = ids.into_iter().filter_map(target);
        found
            .filter(|(_, node)| !node.tag_name().name().ends_with("Gradient"))
            .collect()
    }
}

/// What declarations refer to: `fill: url(#a); mask: url(#b)`.
fn declared(text: &str) -> Vec<(Reach, &str)> {
    let declarations = text.split(';').filter_map(|it| it.split_once(':'));
    declarations
        .flat_map(|(name, value)| referred(value).map(move |id| (reach(name.trim()), id)))
        .collect()
}

fn reach(property: &str) -> Reach {
    match property {
        "clip-path" | "mask" | "filter" => Reach::Itself,
        _ => Reach::Inside,
    }
}

/// Every `url(#id)`.
fn referred(value: &str) -> impl Iterator<Item = &str> {
    let quotes = |sign: char| sign.is_whitespace() || sign == '"' || sign == '\'';
    value.split("url(").skip(1).filter_map(move |rest| {
        let inside = rest.split(')').next()?;
        inside.trim_matches(quotes).strip_prefix('#')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weight(body: &str) -> f64 {
        let text = format!("<svg>{body}</svg>");
        of(&Document::parse(&text).unwrap())
    }

    #[test]
    fn without_references_it_is_the_number_of_elements() {
        assert_eq!(weight("<g><rect/><rect/></g>words"), 5.0);
    }

    #[test]
    fn a_use_holds_what_it_uses() {
        assert_eq!(weight("<g id=\"a\"><rect/></g><use href=\"#a\"/>"), 7.0);
        assert_eq!(weight("<use id=\"a\" href=\"#a\"/>"), 3.0);
    }

    #[test]
    fn a_paint_is_inherited_and_a_clip_is_not() {
        let pattern = "<pattern id=\"p\"/>";
        let painted = |how: &str| weight(&format!("{pattern}<g {how}><rect/><rect/></g>"));
        assert_eq!(painted("fill=\"url(#p)\""), 9.0);
        assert_eq!(painted("style=\"stroke : url( '#p' )\""), 9.0);
        assert_eq!(painted("clip-path=\"url(#p)\""), 7.0);
    }

    #[test]
    fn rules_of_a_style_sheet_are_counted_where_they_may_hold() {
        let sheet =
            "<style>g.a > .b { fill: url(#p) } rect{mask:url(#p)}</style><pattern id=\"p\"/>";
        let before = weight(sheet);
        assert_eq!(weight(&format!("{sheet}<g class=\"x b\"/>")), before + 2.0);
        assert_eq!(weight(&format!("{sheet}<rect/>")), before + 2.0);
        assert_eq!(
            weight(&format!("{sheet}<circle class=\"c\"/>")),
            before + 1.0
        );
    }

    #[test]
    fn gradients_weigh_nothing() {
        let gradient = "<linearGradient id=\"l\"><stop/></linearGradient>";
        assert_eq!(weight(&format!("{gradient}<rect fill=\"url(#l)\"/>")), 5.0);
    }

    #[test]
    fn patterns_in_patterns_are_counted_as_often_as_they_are_drawn() {
        let pattern = |at: usize| {
            let square = format!("<rect fill=\"url(#p{})\"/>", at + 1);
            format!("<pattern id=\"p{at}\">{}</pattern>", square.repeat(4))
        };
        let patterns: String = (0..20).map(pattern).collect();
        assert!(weight(&patterns) > 1e9);
    }
}
