//! Reading flows: `A -> B -> C`, labels, branches, and the simpler lines of Mermaid flowcharts.

use super::arrows::{Piece, pieces};
use super::names::{fold, unquote};

/// More than anybody reads on one page.
const MAX_NODES: usize = 300;
const MAX_NAME: usize = 300;

/// Boxes and what leads where.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Graph {
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// What makes two mentions the same box.
    key: String,
    pub name: String,
    /// A question: drawn as a diamond.
    pub question: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    pub label: Option<String>,
}

/// A flow that somebody asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct Flow {
    pub graph: Graph,
    /// "Draw …": all of it is new. Otherwise what is there by that name is used.
    pub fresh: bool,
}

/// The flow in a message, if there is one.
pub fn parse(message: &str) -> Option<Flow> {
    if let Some(flow) = connect(message).or_else(|| tree(message)) {
        return Some(flow);
    }
    let lower = message.to_ascii_lowercase();
    let mermaid = ["flowchart", "mermaid", "graph "]
        .iter()
        .any(|word| lower.contains(word));
    let mut graph = Graph::default();
    let mut first = true;
    for statement in message.split(['\n', ';']) {
        let pieces = pieces(statement);
        if pieces.len() < 2 {
            if mermaid && let Some((key, name, question)) = mermaid_node(bare(statement), true) {
                graph.node(key, name, question);
            }
            // Somebody has asked on a line of its own: what follows is the flow.
            first &= statement.trim().is_empty();
            continue;
        }
        graph.statement(statement, first, mermaid);
        first = false;
    }
    if graph.edges.is_empty() {
        return None;
    }
    let fresh = [
        "draw", "sketch", "make", "create", "diagram", "flow", "show", "graph ",
    ]
    .iter()
    .any(|word| lower.contains(word));
    Some(Flow { graph, fresh })
}

/// "connect A to B", "draw an arrow from A to B".
fn connect(message: &str) -> Option<Flow> {
    let text = message.trim().trim_end_matches(['.', '!']);
    let lower = text.to_ascii_lowercase();
    let heads = [
        "connect ",
        "link ",
        "draw an arrow from ",
        "add an arrow from ",
        "arrow from ",
        "make an arrow from ",
    ];
    let head = heads.iter().find(|head| lower.starts_with(**head))?;
    let (rest, rest_lower) = (&text[head.len()..], &lower[head.len()..]);
    let joint = [" to ", " with ", " and "]
        .into_iter()
        .find_map(|word| Some((rest_lower.find(word)?, word.len())));
    let (at, len) = joint?;
    let (from, to) = (tidy(&rest[..at]), tidy(&rest[at + len..]));
    if from.is_empty() || to.is_empty() || pieces(rest).len() > 1 {
        return None;
    }
    let mut graph = Graph::default();
    let from = graph.node(fold(&from), from, false)?;
    let to = graph.node(fold(&to), to, false)?;
    graph.edge(from, to, None);
    Some(Flow {
        graph,
        fresh: false,
    })
}

/// "Org chart: CEO has CTO and CFO, CTO has Dev and QA": who is over whom.
fn tree(message: &str) -> Option<Flow> {
    let lower = message.to_ascii_lowercase();
    let word = [
        "org chart",
        "organisation chart",
        "organization chart",
        "hierarchy",
        "family tree",
    ]
    .iter()
    .find_map(|word| Some(lower.find(word)? + word.len()))?;
    let body = message[word..].trim_start_matches([':', ' ', '\n']);
    let verbs = [
        " has ",
        " have ",
        " leads ",
        " manages ",
        " over ",
        " contains ",
    ];
    let (mut pairs, mut over) = (Vec::new(), None);
    for clause in body.split([',', ';', '.', '\n']) {
        let clause = bare(clause);
        let clause = clause.strip_prefix("and ").unwrap_or(clause);
        let cut = verbs.iter().find_map(|verb| clause.split_once(verb));
        let under = match cut {
            Some((boss, under)) => {
                over = Some(boss);
                under
            }
            None => clause,
        };
        let Some(over) = over else { continue };
        let under = under
            .split(" and ")
            .map(bare)
            .filter(|name| !name.is_empty());
        pairs.extend(under.map(|under| (over.trim(), under)));
    }
    let graph = Graph::of(&pairs);
    (!graph.edges.is_empty()).then_some(Flow { graph, fresh: true })
}

impl Graph {
    /// One after the other.
    pub fn in_a_row(names: &[String]) -> Graph {
        let pairs: Vec<(&str, &str)> = names
            .windows(2)
            .map(|pair| (pair[0].as_str(), pair[1].as_str()))
            .collect();
        Self::of(&pairs)
    }

    /// What leads where.
    fn of(pairs: &[(&str, &str)]) -> Graph {
        let mut graph = Graph::default();
        for (from, to) in pairs {
            let from = graph.node(fold(from), (*from).to_owned(), false);
            let to = graph.node(fold(to), (*to).to_owned(), false);
            if let (Some(from), Some(to)) = (from, to) {
                graph.edge(from, to, None);
            }
        }
        graph
    }

    /// These boxes and the arrows between them.
    pub fn only(&self, nodes: &[usize]) -> Graph {
        let at = |node: usize| nodes.iter().position(|other| *other == node);
        let edge = |edge: &Edge| {
            Some(Edge {
                from: at(edge.from)?,
                to: at(edge.to)?,
                label: edge.label.clone(),
            })
        };
        Graph {
            nodes: nodes.iter().map(|node| self.nodes[*node].clone()).collect(),
            edges: self.edges.iter().filter_map(edge).collect(),
        }
    }

    fn node(&mut self, key: String, name: String, question: bool) -> Option<usize> {
        if let Some(known) = self.nodes.iter().position(|node| node.key == key) {
            return Some(known);
        }
        if self.nodes.len() >= MAX_NODES {
            return None;
        }
        let name: String = name.chars().take(MAX_NAME).collect();
        let question = question || name.ends_with('?');
        self.nodes.push(Node {
            key,
            name,
            question,
        });
        Some(self.nodes.len() - 1)
    }

    fn edge(&mut self, from: usize, to: usize, label: Option<String>) {
        let edge = Edge { from, to, label };
        if !self.edges.contains(&edge) {
            self.edges.push(edge);
        }
    }

    fn mention(&mut self, text: &str, mermaid: bool) -> Option<usize> {
        let text = bare(text);
        if let Some((key, name, question)) = mermaid_node(text, mermaid) {
            return self.node(key, name, question);
        }
        let name = tidy(text);
        if name.is_empty() {
            None
        } else {
            self.node(fold(&name), name, false)
        }
    }

    /// One line of the flow; commas part chains, or several ends of one arrow.
    fn statement(&mut self, statement: &str, first: bool, mermaid: bool) {
        let mut waiting: Vec<usize> = Vec::new();
        let mut source: Option<usize> = None;
        let body = after_request(statement, first);
        for segment in body.split(',') {
            let parts = pieces(segment);
            if let [Piece::Name(name)] = parts.as_slice() {
                match (source, self.mention(name, mermaid)) {
                    // A -> B, C
                    (Some(from), Some(to)) => self.edge(from, to, None),
                    // A, B -> C
                    (None, Some(node)) => waiting.push(node),
                    _ => {}
                }
                continue;
            }
            self.chain(&parts, &mut waiting, &mut source, mermaid);
        }
    }

    fn chain(
        &mut self,
        parts: &[Piece<'_>],
        waiting: &mut Vec<usize>,
        source: &mut Option<usize>,
        mermaid: bool,
    ) {
        let mut last: Option<usize> = None;
        let mut label: Option<String> = None;
        let answer = match parts.first() {
            Some(Piece::Name(name)) => answer_to(name),
            _ => None,
        };
        let question = self.nodes.iter().rposition(|node| node.question);
        for (at, part) in parts.iter().enumerate() {
            let name = match part {
                Piece::Arrow(words) => {
                    label = words.map(str::to_owned);
                    continue;
                }
                // "no -> Try again": the way out of the question before.
                Piece::Name(_) if at == 0 && answer.is_some() && question.is_some() => {
                    last = question;
                    continue;
                }
                Piece::Name(name) => *name,
            };
            // `A -> B: label`
            let (name, after) = match name.split_once(": ") {
                Some((name, words)) if last.is_some() && at + 1 == parts.len() => {
                    (name, Some(tidy(words)))
                }
                _ => (name, None),
            };
            let Some(node) = self.mention(name, mermaid) else {
                continue;
            };
            let answered = answer.filter(|_| last == question && at == 2);
            let words = after
                .or_else(|| label.take())
                .or_else(|| answered.map(str::to_owned))
                .filter(|words| !words.is_empty());
            if let Some(from) = last {
                for from in std::mem::take(waiting).into_iter().chain([from]) {
                    self.edge(from, node, words.clone());
                }
                *source = Some(from);
            }
            last = Some(node);
        }
    }
}

/// Whether a name is an answer to a question, and which.
fn answer_to(name: &str) -> Option<&'static str> {
    let name = fold(name);
    let name = name.strip_prefix("and ").unwrap_or(&name);
    let name = name.strip_prefix("if ").unwrap_or(name);
    ["yes", "no", "otherwise", "else", "not"]
        .into_iter()
        .find(|answer| *answer == name)
        .map(|answer| if answer == "not" { "no" } else { answer })
}

/// What comes after the words that ask for it.
fn after_request(statement: &str, first: bool) -> &str {
    let Some(Piece::Name(head)) = pieces(statement).first().copied() else {
        return statement;
    };
    if let Some(colon) = head.rfind(':') {
        let rest = &statement[colon + 1..];
        if !matches!(pieces(rest).first(), Some(Piece::Name(name)) if name.trim().is_empty()) {
            return rest;
        }
    }
    if !first {
        return statement;
    }
    let lower = head.to_ascii_lowercase();
    let mut at = lower.len() - lower.trim_start().len();
    let mut asked = false;
    let skip = |words: &[&str], at: &mut usize| {
        let hit = words.iter().find(|word| {
            lower[*at..].starts_with(**word) && lower[*at + word.len()..].starts_with(' ')
        });
        if let Some(word) = hit {
            *at += word.len() + 1;
            *at += lower[*at..].len() - lower[*at..].trim_start().len();
        }
        hit.is_some()
    };
    skip(&["please", "can you", "could you", "now"], &mut at);
    let plain = skip(&["draw", "sketch", "diagram"], &mut at);
    let weak = !plain && skip(&["make", "create", "add", "show", "give"], &mut at);
    asked |= plain;
    skip(&["me", "us"], &mut at);
    skip(&["a", "an", "the", "this"], &mut at);
    skip(&["simple", "small", "new"], &mut at);
    let noun = skip(
        &[
            "flow chart",
            "flowchart",
            "flow",
            "diagram",
            "chart",
            "graph",
            "process",
            "pipeline",
        ],
        &mut at,
    );
    asked |= weak && noun;
    skip(&["of", "for", "from", "with", "like", "that goes"], &mut at);
    if asked && !head[at..].trim().is_empty() {
        &statement[at..]
    } else {
        statement
    }
}

/// Without a bullet and what else stands before a name.
fn bare(text: &str) -> &str {
    let text = text.trim();
    for bullet in ["- ", "* ", "• ", "+ "] {
        if let Some(rest) = text.strip_prefix(bullet) {
            return rest.trim();
        }
    }
    text
}

/// A name as it should stand in a box.
fn tidy(text: &str) -> String {
    let mut text = text.trim();
    for end in [" please", ", please", " Please"] {
        text = text.strip_suffix(end).unwrap_or(text);
    }
    let text = unquote(text.trim_end_matches(['.', '!', ':']).trim());
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `id[Text]`, `id{Text}`, and in a Mermaid text also `id(Text)`: key, name, whether a question.
fn mermaid_node(text: &str, mermaid: bool) -> Option<(String, String, bool)> {
    let id_end = text.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    let open = text[id_end..].chars().next()?;
    let close = match open {
        '[' => ']',
        '{' => '}',
        '(' if mermaid => ')',
        _ => return None,
    };
    if id_end == 0 || !text.ends_with(close) {
        return None;
    }
    let inner = text[id_end..].trim_matches(['[', ']', '{', '}', '(', ')', '/', '\\']);
    let name = tidy(unquote(inner.trim()));
    (!name.is_empty()).then(|| (fold(&text[..id_end]), name, open == '{'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(message: &str) -> (Vec<String>, Vec<String>) {
        let Some(Flow { graph, .. }) = parse(message) else {
            return (Vec::new(), Vec::new());
        };
        let names: Vec<String> = graph.nodes.iter().map(|node| node.name.clone()).collect();
        let edge = |edge: &Edge| match &edge.label {
            Some(label) => format!("{}-{label}-{}", names[edge.from], names[edge.to]),
            None => format!("{}-{}", names[edge.from], names[edge.to]),
        };
        let edges = graph.edges.iter().map(edge).collect();
        (names, edges)
    }

    fn names(message: &str) -> Vec<String> {
        read(message).0
    }

    fn edges(message: &str) -> Vec<String> {
        read(message).1
    }

    #[test]
    fn the_words_that_ask_are_not_part_of_the_flow() {
        for message in [
            "Draw a flow: Order -> Pay -> Ship",
            "draw Order -> Pay -> Ship.",
            "Order->Pay->Ship",
            "please draw me a flowchart of Order → Pay => Ship",
            "Create a diagram with Order --> Pay ==> Ship please",
            "Here is what we do:\nOrder -> Pay\nPay -> Ship",
            "\"Order\" -> `Pay` —> 'Ship'!",
        ] {
            assert_eq!(names(message), ["Order", "Pay", "Ship"], "{message}");
            assert_eq!(edges(message), ["Order-Pay", "Pay-Ship"], "{message}");
        }
        assert_eq!(names("Make dough -> Bake"), ["Make dough", "Bake"]);
        assert_eq!(names("Draw -> Paint"), ["Draw", "Paint"]);
        assert_eq!(names("A flow:\nDraw lots -> Win"), ["Draw lots", "Win"]);
    }

    #[test]
    fn branches_share_names() {
        let expected = ["A-B", "A-C", "B-D", "C-D"];
        assert_eq!(edges("A -> B; A -> C; B -> D; C -> D"), expected);
        assert_eq!(edges("a -> b\nA -> c\nb -> D\nc -> d").len(), 4);
        assert_eq!(
            names("a -> b\nA -> c\nb -> D\nc -> d"),
            ["a", "b", "c", "D"]
        );
        assert_eq!(edges("A -> B, A -> C, B -> D, C -> D"), expected);
        assert_eq!(edges("A -> B, C"), ["A-B", "A-C"]);
        assert_eq!(edges("A, B -> C"), ["A-C", "B-C"]);
    }

    #[test]
    fn arrows_may_have_labels() {
        assert_eq!(edges("Paid? -> Ship: yes"), ["Paid?-yes-Ship"]);
        assert_eq!(edges("Paid? -yes-> Ship"), ["Paid?-yes-Ship"]);
        assert_eq!(
            edges("Paid? -- of course --> Ship -[x]-> End"),
            ["Paid?-of course-Ship", "Ship-x-End"]
        );
        assert_eq!(edges("A -->|no| B"), ["A-no-B"]);
        assert_eq!(edges("e-mail -> Pay-out"), ["e-mail-Pay-out"]);
        assert_eq!(edges("A - b -> C"), ["A - b-C"]);
    }

    #[test]
    fn mermaid_flowcharts_are_read() {
        let text = "flowchart LR\n  A[Order it] --> B{Paid?}\n  B -->|yes| C(Ship)\n  B -->|no| A";
        let (names, edges) = read(text);
        assert_eq!(names, ["Order it", "Paid?", "Ship"]);
        assert_eq!(
            edges,
            ["Order it-Paid?", "Paid?-yes-Ship", "Paid?-no-Order it"]
        );
    }

    #[test]
    fn connecting_uses_what_is_there() {
        let flow = parse("connect Pay to Ship").unwrap();
        assert_eq!(
            (flow.graph.nodes.len(), flow.graph.edges.len(), flow.fresh),
            (2, 1, false)
        );
        assert!(!parse("Pay -> Refund").unwrap().fresh);
        assert!(parse("Draw a flow: Pay -> Refund").unwrap().fresh);
    }

    #[test]
    fn what_is_no_flow_is_none() {
        for message in [
            "",
            "hello",
            "->",
            "-> ->",
            "rename A to B",
            "a - b",
            "sticky notes: a, b",
        ] {
            assert_eq!(parse(message), None, "{message}");
        }
    }
}
