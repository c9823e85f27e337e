//! Several things named one by one: "a circle, a square and a triangle", "a client, a server and a
//! database and connect them".

use serde_json::Value;

use super::flow::{Flow, Graph};
use super::names::split_list;
use super::one::{self, Shapes};
use super::sight::Sight;

/// What the things are.
#[derive(Debug, Clone, PartialEq)]
pub enum Several {
    Shapes(Vec<Shapes>),
    Boxes(Shapes),
    Chain(Flow),
}

const VERBS: [&str; 7] = [
    "draw ", "add ", "make ", "create ", "sketch ", "show ", "put ",
];
const JOINED: [&str; 7] = [
    " and connect them",
    ", connect them",
    " connected with arrows",
    " connected by arrows",
    " and link them",
    " with arrows between them",
    " connected",
];

pub fn parse(message: &str) -> Option<Several> {
    let text = message.trim().trim_end_matches(['.', '!']);
    if text.contains(['\n', ':']) || text.contains("->") {
        return None;
    }
    let lower = text.to_ascii_lowercase();
    let verb = VERBS.iter().find(|verb| lower.starts_with(**verb));
    let start = verb.map_or(0, |verb| verb.len());
    let joint = JOINED.iter().filter_map(|words| lower.find(words)).min();
    let body = text.get(start..joint.unwrap_or(text.len()))?;
    let items = split_list(body);
    if items.len() < 2 {
        return None;
    }
    let shapes: Option<Vec<Shapes>> = items
        .iter()
        .map(|item| one::parse(&format!("draw {item}")))
        .collect();
    if let (Some(shapes), None) = (shapes, joint) {
        return Some(Several::Shapes(shapes));
    }
    // "a client, a server": each with its article, or it could be any sentence with a comma.
    let names: Option<Vec<String>> = items.iter().map(|item| without_article(item)).collect();
    let names = names.filter(|_| verb.is_some())?;
    Some(match joint {
        Some(_) => Several::Chain(Flow {
            graph: Graph::in_a_row(&names),
            fresh: true,
        }),
        None => Several::Boxes(Shapes::boxes(names)),
    })
}

fn without_article(item: &str) -> Option<String> {
    let lower = item.to_ascii_lowercase();
    let article = ["a ", "an ", "the ", "one "]
        .into_iter()
        .find(|word| lower.starts_with(word))?;
    let name = item[article.len()..].trim();
    let mut letters = name.chars();
    let first = letters.next()?;
    (name.split_whitespace().count() <= 4).then(|| first.to_uppercase().chain(letters).collect())
}

/// The shapes side by side.
pub fn draw(shapes: &[Shapes], sight: &Sight) -> Vec<Value> {
    one::draw_all(shapes, sight)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_named_one_by_one() {
        let kinds = |message: &str| match parse(message) {
            Some(Several::Shapes(shapes)) => shapes.len(),
            _ => 0,
        };
        assert_eq!(kinds("a circle, a square and a triangle"), 3);
        assert_eq!(kinds("draw a red star and two boxes"), 2);
        let Some(Several::Chain(flow)) =
            parse("Draw a client, a server and a database and connect them")
        else {
            panic!("a chain")
        };
        let names: Vec<&str> = flow
            .graph
            .nodes
            .iter()
            .map(|node| node.name.as_str())
            .collect();
        assert_eq!(
            (names, flow.graph.edges.len()),
            (vec!["Client", "Server", "Database"], 2)
        );
        assert!(matches!(
            parse("draw a client and a server"),
            Some(Several::Boxes(_))
        ));
        for message in [
            "hello, a friend",
            "draw a house",
            "delete a, b",
            "make it red, please",
        ] {
            assert_eq!(parse(message), None, "{message}");
        }
    }
}
