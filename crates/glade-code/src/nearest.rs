//! Where a text that is not in a file nearly is.

use std::collections::HashMap;
use std::ops::Range;

use crate::diff::words;

/// Lines of a file that are looked at, and of what is looked for.
const MOST_LINES: usize = 50_000;
const MOST_WANTED: usize = 12;
/// How alike they must be, of 1.
const ALIKE: f64 = 0.5;

/// The lines most like the wanted ones, and how they differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nearest {
    /// From 0.
    pub lines: Range<usize>,
    /// Only white space is different.
    pub spaces_only: bool,
}

/// The place of `text` that is most like `wanted`, if any is.
pub fn nearest(text: &str, wanted: &str) -> Option<Nearest> {
    let wanted: Vec<&str> = wanted
        .lines()
        .skip_while(|line| line.trim().is_empty())
        .collect();
    let wanted = &wanted[..wanted.len().min(MOST_WANTED)];
    let lines: Vec<&str> = text.lines().take(MOST_LINES).collect();
    let mut numbers = HashMap::new();
    let mut bag = |line: &str| -> Vec<usize> {
        let own = words(line)
            .into_iter()
            .filter(|word| !word.trim().is_empty());
        let mut bag: Vec<usize> = own
            .map(|word| {
                let next = numbers.len();
                *numbers.entry(word.to_owned()).or_insert(next)
            })
            .collect();
        bag.sort_unstable();
        bag
    };
    let wanted_bags: Vec<Vec<usize>> = wanted.iter().map(|line| bag(line)).collect();
    if wanted_bags.iter().all(Vec::is_empty) {
        return None;
    }
    let bags: Vec<Vec<usize>> = lines.iter().map(|line| bag(line)).collect();
    let mut best: Option<(f64, usize)> = None;
    for at in 0..bags.len() {
        let pairs = wanted_bags.iter().zip(&bags[at..]);
        let score = pairs.map(|(one, other)| alike(one, other)).sum::<f64>() / wanted.len() as f64;
        if score >= ALIKE && best.is_none_or(|(most, _)| score > most) {
            best = Some((score, at));
        }
    }
    let (_, at) = best?;
    let found = at..(at + wanted.len()).min(lines.len());
    let bare = |line: &&str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let spaces_only = lines[found.clone()]
        .iter()
        .map(bare)
        .eq(wanted.iter().map(bare));
    Some(Nearest {
        lines: found,
        spaces_only,
    })
}

/// The share of words that two lines have in common: 0 to 1.
fn alike(one: &[usize], other: &[usize]) -> f64 {
    if one.is_empty() && other.is_empty() {
        return 1.0;
    }
    let (mut i, mut j, mut common) = (0, 0, 0);
    while i < one.len() && j < other.len() {
        match one[i].cmp(&other[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => (i, j, common) = (i + 1, j + 1, common + 1),
        }
    }
    2.0 * f64::from(common) / (one.len() + other.len()) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_alike_place_is_found_and_nothing_where_nothing_is_alike() {
        let text = "fn one() {\n    go(1);\n}\n\nfn two() {\n    go(2, here);\n}\n";
        let near = |wanted: &str| nearest(text, wanted).map(|it| (it.lines, it.spaces_only));
        assert_eq!(near("    go(2, there);"), Some((5..6, false)));
        assert_eq!(near("fn two() {\n  go(2,  here);\n}"), Some((4..7, true)));
        assert_eq!(near("\n\tgo(1);"), Some((1..2, true)));
        assert_eq!(near("import nothing from \"elsewhere\""), None);
        assert_eq!(near("  \n"), None);
        assert_eq!(nearest("", "x"), None);
    }
}
