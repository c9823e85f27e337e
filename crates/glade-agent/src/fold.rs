//! Old results, shortened.
//!
//! A model remembers nothing: every request holds the whole conversation, and what was read in the
//! first round would be sent again with every later one. Results are shortened once there are too
//! many, oldest first, and many at a time: between two such moments each request begins as the one
//! before, so that providers find it in their caches. What is shortened follows from the conversation
//! alone, so it is the same in a later run.

use crate::dialogue::{DialogueTurn, ToolResult};

/// Characters of results that a conversation holds; when there are more …
const MOST: usize = 120_000;
/// … the oldest are shortened until there are no more than this.
const LEFT: usize = 50_000;
/// What stays of a shortened one; shorter ones stay as they are.
const HEAD: usize = 600;

/// The turns with old results shortened. Those of the newest round are whole.
pub fn fold(turns: &[DialogueTurn]) -> Vec<DialogueTurn> {
    let mut folded: Vec<DialogueTurn> = Vec::with_capacity(turns.len());
    let mut held = 0;
    for turn in turns {
        if let DialogueTurn::Results(results) = turn {
            let new = results.iter().map(size).sum::<usize>();
            if held + new > MOST {
                held = shorten(&mut folded, held, LEFT.saturating_sub(new));
            }
            held += new;
        }
        folded.push(turn.clone());
    }
    folded
}

/// Shortens the oldest until no more than `left` is held; what is held then.
fn shorten(turns: &mut [DialogueTurn], mut held: usize, left: usize) -> usize {
    let results = turns.iter_mut().filter_map(|turn| match turn {
        DialogueTurn::Results(results) => Some(results),
        DialogueTurn::Person { .. } | DialogueTurn::Model { .. } => None,
    });
    for result in results.flatten() {
        if held <= left {
            break;
        }
        let before = size(result);
        if before > 2 * HEAD {
            result.output = shortened(&result.output);
            held = held - before + size(result);
        }
    }
    held
}

fn shortened(output: &str) -> String {
    let cut = output.floor_char_boundary(HEAD);
    // Whole lines, if there is one.
    let end = output[..cut].rfind('\n').unwrap_or(cut);
    // A fence that was cut off is closed, or what follows would stand in it.
    let fence = open_fence(&output[..end]).unwrap_or_default();
    let left_out = output[end..].chars().count();
    format!(
        "{}\n{fence}\n(Shortened: {left_out} more characters were shown here before. Call the tool again before you rely on them.)",
        &output[..end]
    )
}

fn open_fence(text: &str) -> Option<&str> {
    let mut open = None;
    for line in text.lines() {
        if line.len() >= 3 && line.bytes().all(|byte| byte == b'`') {
            open = match open {
                Some(fence) if fence == line => None,
                Some(fence) => Some(fence),
                None => Some(line),
            };
        }
    }
    open
}

fn size(result: &ToolResult) -> usize {
    result.output.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(round: usize, length: usize) -> DialogueTurn {
        DialogueTurn::Results(vec![ToolResult {
            id: format!("call_{round}"),
            tool: "look".to_owned(),
            output: format!("a.rs:\n````\n{}````", "1\tlet a = 1;\n".repeat(length / 13)),
            failed: false,
        }])
    }

    fn held(turns: &[DialogueTurn]) -> usize {
        let outputs = turns.iter().filter_map(|turn| match turn {
            DialogueTurn::Results(results) => Some(results[0].output.len()),
            _ => None,
        });
        outputs.sum()
    }

    /// The first place where two conversations differ.
    fn same(one: &[DialogueTurn], other: &[DialogueTurn]) -> usize {
        one.iter().zip(other).take_while(|(a, b)| a == b).count()
    }

    #[test]
    fn results_are_shortened_seldom_and_the_newest_never() {
        let turns: Vec<DialogueTurn> = (0..60).map(|round| results(round, 11_000)).collect();
        let mut broken = 0;
        for round in 1..=turns.len() {
            let folded = fold(&turns[..round]);
            assert!(held(&folded) <= MOST + 60 * 2 * HEAD, "{}", held(&folded));
            assert_eq!(folded.last(), turns[..round].last());
            let before = fold(&turns[..round - 1]);
            broken += usize::from(same(&before, &folded) < before.len());
        }
        assert!(
            (4..=12).contains(&broken),
            "the beginning changed {broken} times"
        );
    }

    #[test]
    fn a_shortened_result_closes_its_fence_and_says_what_is_missing() {
        let turns: Vec<DialogueTurn> = (0..12).map(|round| results(round, 11_000)).collect();
        let folded = fold(&turns);
        let DialogueTurn::Results(first) = &folded[0] else {
            panic!("results come first");
        };
        let text = &first[0].output;
        assert!(text.starts_with("a.rs:\n````\n1\tlet a = 1;\n"), "{text}");
        let rest = text.rsplit("1\tlet a = 1;\n").next().unwrap();
        assert!(rest.starts_with("````\n(Shortened: 1"), "{rest}");
    }

    #[test]
    fn one_huge_result_is_whole_in_its_own_round() {
        let turns = [results(0, 500_000), results(1, 100)];
        assert_eq!(fold(&turns[..1]), turns[..1]);
        assert!(held(&fold(&turns)) < 2_000);
    }
}
