//! Lines of values, as people and spreadsheets write them: between tabs, semicolons or commas, and in
//! quotes where a value holds such a sign itself.

/// What may stand between values. Commas come last: in `1,5;2,5` they are a part of the numbers.
const SIGNS: [char; 3] = ['\t', ';', ','];
/// A value has few words; more is a sentence that happens to have a comma.
const WORDS: usize = 5;

/// The values of a line.
pub fn cells(line: &str, sign: char) -> Vec<String> {
    let mut cells = Vec::new();
    let mut cell = String::new();
    let mut quoted = false;
    // A lone quote is an inch.
    let quotes = line.matches('"').count() > 1;
    let mut blank = true;
    let mut chars = line.chars().peekable();
    while let Some(ch) = chars.next() {
        match ch {
            // Two quotes in a quoted value are one.
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                cell.push('"');
                blank = false;
            }
            '"' if quoted => quoted = false,
            '"' if blank && quotes => quoted = true,
            _ if ch == sign && !quoted => {
                cells.push(std::mem::take(&mut cell));
                blank = true;
            }
            _ => {
                cell.push(ch);
                blank &= ch.is_whitespace();
            }
        }
    }
    cells.push(cell);
    cells.iter().map(|cell| cell.trim().to_owned()).collect()
}

/// Whether a line reads as several values with this sign between them.
fn is_row(line: &str, sign: char) -> bool {
    let cells = cells(line.trim(), sign);
    let few = |cell: &String| cell.split_whitespace().count() <= WORDS;
    let sentence = line.trim_end().ends_with(['.', '!', '?', ':']);
    cells.len() > 1
        && !sentence
        && cells.iter().any(|cell| !cell.is_empty())
        && cells.iter().all(few)
}

/// Whether lines are values and nothing else: each has two, whatever is between them.
pub fn are_rows(lines: &[&str]) -> bool {
    let values = |line: &str, sign| {
        cells(line, sign)
            .iter()
            .filter(|cell| !cell.is_empty())
            .count()
    };
    let fits = |sign: char| {
        lines
            .iter()
            .all(|line| is_row(line, sign) && values(line, sign) > 1)
    };
    lines.len() > 1 && SIGNS.into_iter().any(fits)
}

/// The longest run of lines that are values, and their sign.
pub fn longest_run(lines: &[&str]) -> Option<(std::ops::Range<usize>, char)> {
    let mut best: Option<(std::ops::Range<usize>, char)> = None;
    for sign in SIGNS {
        let mut from = 0;
        for (at, line) in lines.iter().enumerate() {
            if !is_row(line, sign) {
                from = at + 1;
                continue;
            }
            let longest = best.as_ref().map_or(1, |(run, _)| run.len());
            if at + 1 - from > longest {
                best = Some((from..at + 1, sign));
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_in_quotes_hold_their_signs() {
        for (line, sign, values) in [
            (
                r#""Müller, Hans", 31,"Köln""#,
                ',',
                vec!["Müller, Hans", "31", "Köln"],
            ),
            (r#"a,"say ""hi""",,"#, ',', vec!["a", r#"say "hi""#, "", ""]),
            ("1,5;2,5", ';', vec!["1,5", "2,5"]),
            ("a\tb c\t", '\t', vec!["a", "b c", ""]),
            (r#"3" pipe, 2"#, ',', vec![r#"3" pipe"#, "2"]),
        ] {
            assert_eq!(cells(line, sign), values, "{line}");
        }
    }

    #[test]
    fn sentences_with_commas_are_no_values() {
        assert!(are_rows(&["Name, Age", "Ann, 31"]));
        assert!(are_rows(&["Preis;Menge", "1,5;2"]));
        assert!(are_rows(&["Name\tAge", "Ann\t31"]));
        for sentences in [
            ["We met Ann, who was late,", "and left, too."],
            [
                "It rained all day on Tuesday, and",
                "then it stopped, which was nice",
            ],
            ["&nbsp; &x; y", "&amp;"],
        ] {
            assert!(!are_rows(&sentences), "{sentences:?}");
        }
        assert!(!are_rows(&["Name, Age"]));
    }

    #[test]
    fn the_longest_run_of_values_is_found_among_other_lines() {
        let lines = [
            "Dear Ann, dear Ben, this is how it went.",
            "Name, Age",
            "Ann, 31",
            "Ben",
            "x;y",
        ];
        assert_eq!(longest_run(&lines), Some((1..3, ',')));
        assert_eq!(longest_run(&["a, b", "c"]), None);
    }
}
