//! How people name things: colours, shapes on the page, "it" and "everything", numbers in words.

use glade_agent::format::BlurryShape;

use super::sight::Sight;

/// A palette colour by the word that people use for it; the longest match wins ("light blue" is not
/// blue).
pub fn color(word: &str) -> Option<&'static str> {
    let word = word.trim().to_lowercase();
    let word = word.trim_end_matches(['.', '!', ',']);
    let word = word
        .strip_prefix("the colour ")
        .or_else(|| word.strip_prefix("the color "))
        .unwrap_or(word);
    Some(match word {
        "red" | "crimson" | "scarlet" => "red",
        "light red" | "light-red" | "salmon" => "light-red",
        "green" => "green",
        "light green" | "light-green" | "lime" => "light-green",
        "blue" | "navy" => "blue",
        "light blue" | "light-blue" | "cyan" | "sky blue" | "teal" => "light-blue",
        "orange" | "brown" => "orange",
        "yellow" | "gold" => "yellow",
        "black" => "black",
        "violet" | "purple" => "violet",
        "light violet" | "light-violet" | "light purple" | "lavender" | "pink" | "magenta" => {
            "light-violet"
        }
        "grey" | "gray" | "silver" => "grey",
        "white" => "white",
        _ => return None,
    })
}

/// A colour that stands anywhere in a text.
pub fn color_in(text: &str) -> Option<&'static str> {
    let words: Vec<&str> = text
        .split(|c: char| !c.is_alphanumeric() && c != '-')
        .filter(|word| !word.is_empty())
        .collect();
    let pairs = words.windows(2).map(|pair| pair.join(" "));
    pairs
        .into_iter()
        .find_map(|pair| color(&pair))
        .or_else(|| words.iter().find_map(|word| color(word)))
}

/// "three" or "3".
pub fn number(word: &str) -> Option<usize> {
    const WORDS: [&str; 13] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    let word = word.to_lowercase();
    WORDS
        .iter()
        .position(|known| *known == word)
        .or_else(|| word.parse().ok())
}

/// What a phrase points at.
#[derive(Debug, Clone, PartialEq)]
pub enum Target {
    Shapes(Vec<String>),
    /// "it", but nothing is selected.
    NothingSelected,
    /// No shape is called that.
    Unknown(String),
}

/// The shapes that a phrase means: "Pay", "the Order and Ship boxes", "these", "everything".
pub fn target(phrase: &str, sight: &Sight) -> Target {
    let phrase = clean(phrase);
    let lower = phrase.to_lowercase();
    let found = named(&phrase, sight);
    if !found.is_empty() {
        return Target::Shapes(found);
    }
    if lower.is_empty() || POINTING.contains(&lower.as_str()) {
        return if sight.selected.is_empty() {
            Target::NothingSelected
        } else {
            Target::Shapes(sight.selected.clone())
        };
    }
    if let Some(kind) = every(&lower) {
        let ids: Vec<String> = sight
            .shapes
            .iter()
            .filter(|shape| kind.is_none_or(|kind| kind(shape)))
            .map(|shape| shape.shape_id.clone())
            .collect();
        return if ids.is_empty() {
            Target::Unknown(phrase)
        } else {
            Target::Shapes(ids)
        };
    }
    let mut all = Vec::new();
    for name in split_list(&phrase) {
        let found = named(&clean(&name), sight);
        if found.is_empty() {
            return Target::Unknown(clean(&name));
        }
        all.extend(
            found
                .into_iter()
                .filter(|id| !all.contains(id))
                .collect::<Vec<_>>(),
        );
    }
    Target::Shapes(all)
}

const POINTING: &[&str] = &[
    "it",
    "this",
    "that",
    "these",
    "those",
    "them",
    "selected",
    "selection",
    "selected shape",
    "selected shapes",
    "the selection",
    "the selected",
    "the selected shape",
    "the selected shapes",
    "this shape",
    "these shapes",
    "this one",
    "that one",
    "them all",
    "all of them",
    "all of these",
];

type Kind = fn(&BlurryShape) -> bool;

/// "everything", or every shape of a kind.
fn every(lower: &str) -> Option<Option<Kind>> {
    let rest = lower
        .strip_prefix("all of the ")
        .or_else(|| lower.strip_prefix("all the "))
        .or_else(|| lower.strip_prefix("all "));
    let rest = rest
        .or_else(|| lower.strip_prefix("every "))
        .or_else(|| lower.strip_prefix("the "))
        .unwrap_or(lower);
    Some(match rest {
        "everything" | "all" | "shapes" | "shape" | "page" | "canvas" | "whole page"
        | "whole canvas" => None,
        "boxes" | "rectangles" | "rectangle" | "box" if rest != lower || rest.ends_with("es") => {
            Some(|shape| shape.kind == "rectangle")
        }
        "arrows" | "lines" | "connections" => {
            Some(|shape| matches!(shape.kind.as_str(), "arrow" | "line"))
        }
        "notes" | "stickies" | "sticky notes" => Some(|shape| shape.kind == "note"),
        "texts" => Some(|shape| shape.kind == "text"),
        "diamonds" => Some(|shape| shape.kind == "diamond"),
        "ellipses" | "circles" => Some(|shape| shape.kind == "ellipse"),
        _ => return None,
    })
}

/// Shapes with this text: those that say just that, else those that say it among other words.
fn named(name: &str, sight: &Sight) -> Vec<String> {
    let wanted = fold(name);
    if wanted.is_empty() {
        return Vec::new();
    }
    let says = |test: &dyn Fn(&str) -> bool| -> Vec<String> {
        let hit =
            |shape: &&BlurryShape| shape.text.as_deref().is_some_and(|text| test(&fold(text)));
        sight
            .shapes
            .iter()
            .filter(hit)
            .map(|shape| shape.shape_id.clone())
            .collect()
    };
    let exact = says(&|text| text == wanted);
    if !exact.is_empty() {
        return exact;
    }
    if sight.shapes.iter().any(|shape| shape.shape_id == name) {
        return vec![name.to_owned()];
    }
    if wanted.chars().count() < 3 || POINTING.contains(&wanted.as_str()) {
        return Vec::new();
    }
    says(&|text| {
        text.split(|c: char| !c.is_alphanumeric())
            .collect::<Vec<_>>()
            .join(" ")
            .contains(&wanted)
    })
}

/// Upper and lower case, and how much space there is, do not matter in a name.
pub fn fold(name: &str) -> String {
    name.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .to_lowercase()
}

/// A name without the words and marks around it.
fn clean(phrase: &str) -> String {
    let mut phrase = unquote(phrase.trim().trim_end_matches(['.', '!', ',']).trim());
    for article in ["the ", "The ", "my "] {
        phrase = phrase.strip_prefix(article).unwrap_or(phrase);
    }
    for noun in [
        " box",
        " shape",
        " node",
        " note",
        " sticky",
        " rectangle",
        " step",
        " boxes",
        " shapes",
        " notes",
    ] {
        if let Some(rest) = phrase.strip_suffix(noun)
            && !matches!(
                rest,
                "this" | "that" | "these" | "those" | "selected" | "all" | "every" | "sticky"
            )
        {
            phrase = rest;
        }
    }
    unquote(phrase.trim()).to_owned()
}

/// Without the quotation marks around it.
pub fn unquote(text: &str) -> &str {
    for (open, close) in [
        ('"', '"'),
        ('“', '”'),
        ('\'', '\''),
        ('‘', '’'),
        ('`', '`'),
        ('«', '»'),
    ] {
        if let Some(inner) = text
            .strip_prefix(open)
            .and_then(|rest| rest.strip_suffix(close))
        {
            return inner.trim();
        }
    }
    text
}

/// "a, b and c", "a; b", or lines.
pub fn split_list(text: &str) -> Vec<String> {
    let items: Vec<String> = if text.contains('\n') {
        text.lines().map(str::to_owned).collect()
    } else if text.contains(';') {
        text.split(';').map(str::to_owned).collect()
    } else {
        let mut items: Vec<String> = text.split(',').map(str::to_owned).collect();
        if let Some(last) = items.pop() {
            let last = last.trim();
            let last = last.strip_prefix("and ").unwrap_or(last);
            match last.rsplit_once(" and ") {
                Some((one, other)) => items.extend([one.to_owned(), other.to_owned()]),
                None => items.push(last.to_owned()),
            }
        }
        items
    };
    items
        .iter()
        .map(|item| unquote(item.trim()).to_owned())
        .filter(|item| !item.is_empty())
        .collect()
}

/// An id made from a name: what a model would choose. Unique among those given.
pub fn slug(
    name: &str,
    fallback: &str,
    taken: &mut std::collections::BTreeSet<String>,
    sight: &Sight,
) -> String {
    let mut base = String::new();
    for c in name.chars() {
        if base.len() >= 24 {
            break;
        }
        if c.is_ascii_alphanumeric() {
            base.push(c.to_ascii_lowercase());
        } else if !base.is_empty() && !base.ends_with('-') {
            base.push('-');
        }
    }
    let base = base.trim_matches('-');
    let base = if base.is_empty() { fallback } else { base };
    let mut id = base.to_owned();
    let mut number = 2;
    while taken.contains(&id) || sight.knows(&id) {
        id = format!("{base}-{number}");
        number += 1;
    }
    taken.insert(id.clone());
    id
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_go_by_the_words_people_use() {
        let words = ["red", "Light blue", "pink", "gray.", "tartan"];
        assert_eq!(
            words.map(color),
            [
                Some("red"),
                Some("light-blue"),
                Some("light-violet"),
                Some("grey"),
                None
            ]
        );
        assert_eq!(color_in("three light green stickies"), Some("light-green"));
    }

    #[test]
    fn lists_are_split_as_they_are_written() {
        assert_eq!(split_list("a, b and c"), ["a", "b", "c"]);
        assert_eq!(
            split_list("salt and pepper; oil"),
            ["salt and pepper", "oil"]
        );
        assert_eq!(split_list("one, two, and three"), ["one", "two", "three"]);
        assert_eq!(split_list("\"a b\"\n c "), ["a b", "c"]);
    }
}
