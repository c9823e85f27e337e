//! The words in which people ask for changes.

use super::names::{color, unquote};

/// How far "a little to the right" is.
const STEP: f64 = 200.0;

#[derive(Debug, Clone, PartialEq)]
pub enum WantedChange {
    Recolor {
        what: String,
        color: &'static str,
        fill: bool,
    },
    Rename {
        what: String,
        name: String,
    },
    Delete {
        what: String,
    },
    Move {
        what: String,
        to: Way,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub enum Way {
    By {
        dx: f64,
        dy: f64,
    },
    /// Beside another shape, on the side that the signs name.
    Beside {
        other: String,
        x: f64,
        y: f64,
    },
}

/// The change that a message asks for.
pub fn parse(message: &str) -> Option<WantedChange> {
    let text = message.trim().trim_end_matches(['.', '!']).trim();
    let text = ["please ", "can you ", "could you ", "now "]
        .iter()
        .fold(text, |text, polite| strip(text, polite).unwrap_or(text));
    let text = text.strip_suffix(" please").unwrap_or(text);
    if text.contains('\n') {
        return None;
    }
    rename(text)
        .or_else(|| recolor(text))
        .or_else(|| delete(text))
        .or_else(|| shift(text))
}

/// What follows a beginning, whatever its case.
fn strip<'a>(text: &'a str, head: &str) -> Option<&'a str> {
    text.get(..head.len())
        .filter(|start| start.eq_ignore_ascii_case(head))
        .map(|_| &text[head.len()..])
}

fn strip_any<'a>(text: &'a str, heads: &[&str]) -> Option<&'a str> {
    heads.iter().find_map(|head| strip(text, head))
}

/// The two sides of the first of these words.
fn split<'a>(text: &'a str, words: &[&str]) -> Option<(&'a str, &'a str)> {
    let lower = text.to_ascii_lowercase();
    let (at, len) = words
        .iter()
        .find_map(|word| Some((lower.find(word)?, word.len())))?;
    Some((&text[..at], &text[at + len..]))
}

fn rename(text: &str) -> Option<WantedChange> {
    let (what, name) = if let Some(rest) = strip_any(text, &["rename ", "relabel "]) {
        split(rest, &[" to ", " as ", " into "])?
    } else if let Some(rest) = strip(text, "label ") {
        split(rest, &[" as ", " with ", ": "]).or_else(|| split_pronoun(rest))?
    } else if let Some(rest) = strip_any(text, &["call ", "name "]) {
        split_pronoun(rest)?
    } else if let Some(rest) = strip_any(
        text,
        &[
            "change the text of ",
            "change the label of ",
            "set the text of ",
        ],
    ) {
        split(rest, &[" to "])?
    } else {
        let rest = strip(text, "change ")?;
        let (what, name) = split(rest, &[" to ", " into "])?;
        if color(name).is_some() || strip_any(what, &["the colour of ", "the color of "]).is_some()
        {
            return None;
        }
        (what, name)
    };
    let name = unquote(name.trim()).to_owned();
    (!name.is_empty()).then(|| WantedChange::Rename {
        what: what.to_owned(),
        name,
    })
}

fn split_pronoun(text: &str) -> Option<(&str, &str)> {
    let heads = ["it ", "this ", "that ", "these ", "them "];
    let head = heads.iter().find(|head| strip(text, head).is_some())?;
    Some((&text[..head.len() - 1], &text[head.len()..]))
}

fn recolor(text: &str) -> Option<WantedChange> {
    let verbs = [
        "make ",
        "colour ",
        "color ",
        "paint ",
        "turn ",
        "recolour ",
        "recolor ",
        "change ",
        "set ",
        "fill ",
    ];
    let rest = strip_any(text, &verbs)?;
    let fill = strip(text, "fill ").is_some();
    let rest = strip_any(rest, &["the colour of ", "the color of "]).unwrap_or(rest);
    let words: Vec<&str> = rest.split_whitespace().collect();
    let (color, used) = [2, 1].into_iter().find_map(|count| {
        let from = words.len().checked_sub(count)?;
        Some((color(&words[from..].join(" "))?, count))
    })?;
    let mut what = &words[..words.len() - used];
    while let [rest @ .., "to" | "in" | "with" | "into" | "be"] = what {
        what = rest;
    }
    Some(WantedChange::Recolor {
        what: what.join(" "),
        color,
        fill,
    })
}

fn delete(text: &str) -> Option<WantedChange> {
    let what = strip_any(
        text,
        &["delete ", "remove ", "erase ", "get rid of ", "clear "],
    );
    let alone = ["delete", "remove", "erase"]
        .iter()
        .any(|verb| text.eq_ignore_ascii_case(verb))
        .then_some("");
    let cleared = text.eq_ignore_ascii_case("clear").then_some("everything");
    what.or(alone).or(cleared).map(|what| WantedChange::Delete {
        what: what.to_owned(),
    })
}

fn shift(text: &str) -> Option<WantedChange> {
    let rest = strip_any(text, &["move ", "shift ", "push ", "put "])?;
    let beside = [
        ("to the right of ", 1.0, 0.0),
        ("to the left of ", -1.0, 0.0),
        ("right of ", 1.0, 0.0),
        ("left of ", -1.0, 0.0),
        ("next to ", 1.0, 0.0),
        ("beside ", 1.0, 0.0),
        ("below ", 0.0, 1.0),
        ("under ", 0.0, 1.0),
        ("above ", 0.0, -1.0),
        ("over ", 0.0, -1.0),
    ];
    for (words, x, y) in beside {
        if let Some((what, other)) = split(rest, &[&format!(" {words}")]) {
            let to = Way::Beside {
                other: other.to_owned(),
                x,
                y,
            };
            return Some(WantedChange::Move {
                what: what.to_owned(),
                to,
            });
        }
    }
    if strip(text, "put ").is_some() {
        return None;
    }
    let words: Vec<&str> = rest.split_whitespace().collect();
    let at = words.iter().rposition(|word| direction(word).is_some())?;
    let (x, y) = direction(words[at])?;
    let digits = |word: &&str| word.trim_end_matches("px").parse::<f64>().ok();
    let distance = words[at..]
        .iter()
        .find_map(digits)
        .or_else(|| words[..at].iter().rev().take(2).find_map(digits));
    let distance = distance
        .filter(|n| n.is_finite())
        .map_or(STEP, |n| n.clamp(1.0, 5_000.0));
    let filler = |word: &&str| {
        matches!(
            word.to_ascii_lowercase().as_str(),
            "to" | "the" | "a" | "bit" | "little" | "further" | "by" | "units" | "px" | "pixels"
        ) || digits(word).is_some()
    };
    let mut what = &words[..at];
    while let [rest @ .., last] = what
        && filler(last)
    {
        what = rest;
    }
    let to = Way::By {
        dx: x * distance,
        dy: y * distance,
    };
    Some(WantedChange::Move {
        what: what.join(" "),
        to,
    })
}

fn direction(word: &str) -> Option<(f64, f64)> {
    Some(match word.to_ascii_lowercase().as_str() {
        "right" | "rightwards" => (1.0, 0.0),
        "left" | "leftwards" => (-1.0, 0.0),
        "up" | "upwards" | "higher" => (0.0, -1.0),
        "down" | "downwards" | "lower" => (0.0, 1.0),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recolored(what: &str, color: &'static str) -> Option<WantedChange> {
        Some(WantedChange::Recolor {
            what: what.to_owned(),
            color,
            fill: false,
        })
    }

    #[test]
    fn recolouring_in_many_words() {
        assert_eq!(parse("make Pay red"), recolored("Pay", "red"));
        assert_eq!(
            parse("Please turn the Pay box light blue."),
            recolored("the Pay box", "light-blue")
        );
        assert_eq!(
            parse("change the colour of Pay to green"),
            recolored("Pay", "green")
        );
        assert_eq!(parse("Change Pay to green"), recolored("Pay", "green"));
        assert_eq!(parse("color these purple"), recolored("these", "violet"));
        assert_eq!(
            parse("fill Pay with red"),
            Some(WantedChange::Recolor {
                what: "Pay".to_owned(),
                color: "red",
                fill: true
            })
        );
        assert_eq!(parse("make Pay happy"), None);
    }

    #[test]
    fn renaming_in_many_words() {
        let renamed = |what: &str, name: &str| {
            Some(WantedChange::Rename {
                what: what.to_owned(),
                name: name.to_owned(),
            })
        };
        assert_eq!(parse("rename Pay to Checkout"), renamed("Pay", "Checkout"));
        assert_eq!(
            parse("label Pay as \"Check out\""),
            renamed("Pay", "Check out")
        );
        assert_eq!(parse("label it Checkout"), renamed("it", "Checkout"));
        assert_eq!(parse("change Pay to Checkout"), renamed("Pay", "Checkout"));
        assert_eq!(parse("rename Red to Blue"), renamed("Red", "Blue"));
    }

    #[test]
    fn moving_and_deleting_in_many_words() {
        let by = |what: &str, dx: f64, dy: f64| {
            Some(WantedChange::Move {
                what: what.to_owned(),
                to: Way::By { dx, dy },
            })
        };
        assert_eq!(parse("move Pay right"), by("Pay", 200.0, 0.0));
        assert_eq!(
            parse("Move Pay a bit to the left by 50"),
            by("Pay", -50.0, 0.0)
        );
        assert_eq!(parse("move these 300 px down"), by("these", 0.0, 300.0));
        let to = Way::Beside {
            other: "Ship".to_owned(),
            x: 0.0,
            y: 1.0,
        };
        assert_eq!(
            parse("move Pay below Ship"),
            Some(WantedChange::Move {
                what: "Pay".to_owned(),
                to
            })
        );
        assert_eq!(
            parse("Delete Ship"),
            Some(WantedChange::Delete {
                what: "Ship".to_owned()
            })
        );
        assert_eq!(
            parse("clear the page"),
            Some(WantedChange::Delete {
                what: "the page".to_owned()
            })
        );
        assert_eq!(parse("tell me a joke"), None);
    }
}
