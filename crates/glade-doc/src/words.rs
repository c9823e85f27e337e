//! Rewriting by words: the smallest change from one text to another, and the same change made to a
//! text that somebody else has changed meanwhile.
//!
//! A rewrite is never "delete all, type anew": words that stay keep their characters, and with them
//! their marks, the cursors in them and the comments on them.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// Characters replaced by others, positions as before any splice of the same list; in order, apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Splice {
    /// In characters (Unicode scalars).
    pub at: usize,
    pub delete: usize,
    pub insert: String,
}

/// Words, spaces and signs, each a token.
pub fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut start = 0;
    let mut last: Option<Class> = None;
    for (at, ch) in text.char_indices() {
        let class = Class::of(ch);
        if last.is_some_and(|last| last != class || class == Class::Sign) {
            tokens.push(&text[start..at]);
            start = at;
        }
        last = Some(class);
    }
    if start < text.len() {
        tokens.push(&text[start..]);
    }
    tokens
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Word,
    Space,
    Sign,
}

impl Class {
    fn of(ch: char) -> Self {
        if ch.is_alphanumeric() || ch == '_' || ch == '\'' || ch == '’' {
            Self::Word
        } else if ch.is_whitespace() {
            Self::Space
        } else {
            Self::Sign
        }
    }
}

/// How many bytes of whole tokens both texts begin with.
fn shared(old: &str, new: &str) -> usize {
    let same = |(a, b): &(u8, u8)| a == b;
    let mut end = old.bytes().zip(new.bytes()).take_while(same).count();
    while !(ends_token(old, end) && ends_token(new, end)) {
        end -= 1;
    }
    end
}

/// Whether no token of a text reaches over this place.
fn ends_token(text: &str, at: usize) -> bool {
    let Some((before, behind)) = text.split_at_checked(at) else {
        return false;
    };
    match (before.chars().next_back(), behind.chars().next()) {
        (Some(last), Some(next)) => {
            let next = Class::of(next);
            Class::of(last) != next || next == Class::Sign
        }
        _ => true,
    }
}

/// The smallest change by words from `old` to `new`.
pub fn diff(old: &str, new: &str) -> Vec<Splice> {
    // Streamed words come one after the other behind the same ones: those need no search.
    let head = shared(old, new);
    let first = old[..head].chars().count();
    let (old, new) = (tokens(&old[head..]), tokens(&new[head..]));
    let lengths: Vec<usize> = old.iter().map(|token| token.chars().count()).collect();
    let mut starts = vec![first];
    for length in &lengths {
        starts.push(starts[starts.len() - 1] + length);
    }
    changes(&old, &new)
        .into_iter()
        .map(|(gone, come)| Splice {
            at: starts[gone.start],
            delete: starts[gone.end] - starts[gone.start],
            insert: new[come].concat(),
        })
        .collect()
}

/// Letters that differ, in both texts together, beyond which words are compared and not letters.
const MOST_LETTERS: usize = 20_000;

/// The smallest change by letters from `old` to `new`; by words, where very much differs.
pub fn diff_letters(old: &str, new: &str) -> Vec<Splice> {
    let (old, new): (Vec<char>, Vec<char>) = (old.chars().collect(), new.chars().collect());
    let same = |(a, b): &(&char, &char)| a == b;
    let head = old.iter().zip(&new).take_while(same).count();
    let ends = old[head..].iter().rev().zip(new[head..].iter().rev());
    let tail = ends.take_while(same).count();
    let (gone, come) = (&old[head..old.len() - tail], &new[head..new.len() - tail]);
    let mut splices = if gone.len() + come.len() > MOST_LETTERS {
        let text = |letters: &[char]| letters.iter().collect::<String>();
        diff(&text(gone), &text(come))
    } else {
        let splice = |(gone, come): (Range<usize>, Range<usize>)| Splice {
            at: gone.start,
            delete: gone.len(),
            insert: new[head..][come].iter().collect(),
        };
        changes(gone, come).into_iter().map(splice).collect()
    };
    splices.iter_mut().for_each(|splice| splice.at += head);
    splices
}

/// The ranges that differ. The search is bounded by the texts' sizes, not by a clock: the same texts
/// always give the same ranges, though in long and very different ones not always the smallest.
fn changes<T: Eq + std::hash::Hash + Ord>(
    old: &[T],
    new: &[T],
) -> Vec<(Range<usize>, Range<usize>)> {
    let mut ranges: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    for op in capture_diff_slices(Algorithm::Myers, old, new) {
        if matches!(op, DiffOp::Equal { .. }) {
            continue;
        }
        let (gone, come) = (op.old_range(), op.new_range());
        match ranges.last_mut() {
            Some((last_gone, last_come))
                if last_gone.end == gone.start && last_come.end == come.start =>
            {
                last_gone.end = gone.end;
                last_come.end = come.end;
            }
            _ => ranges.push((gone, come)),
        }
    }
    ranges
}

/// Where the characters of a text are after somebody changed it.
pub struct Moved {
    /// For each character of the old text, where it is now.
    now: Vec<Option<usize>>,
    end: usize,
}

impl Moved {
    pub fn between(old: &str, now: &str) -> Self {
        let (old, now): (Vec<char>, Vec<char>) = (old.chars().collect(), now.chars().collect());
        let mut map = vec![None; old.len()];
        let (mut a, mut b) = (0, 0);
        for (gone, come) in changes(&old, &now)
            .into_iter()
            .chain([(old.len()..old.len(), now.len()..now.len())])
        {
            while a < gone.start {
                map[a] = Some(b);
                a += 1;
                b += 1;
            }
            a = gone.end;
            b = come.end;
        }
        Self {
            now: map,
            end: now.len(),
        }
    }

    /// Where a character is now, if it is still there.
    pub fn place(&self, at: usize) -> Option<usize> {
        self.now.get(at).copied().flatten()
    }

    /// Where something right after the character before `at` is now.
    pub fn after(&self, at: usize) -> usize {
        let before = self.now[..at.min(self.now.len())].iter().rev();
        before
            .copied()
            .find_map(|place| place)
            .map_or(0, |place| place + 1)
    }

    /// Where something right before the character at `at` is now.
    pub fn before(&self, at: usize) -> usize {
        let behind = self.now[at.min(self.now.len())..].iter();
        behind.copied().find_map(|place| place).unwrap_or(self.end)
    }

    /// The characters of a range that are still there, as ranges of the present text.
    fn alive(&self, range: Range<usize>) -> Vec<Range<usize>> {
        let mut found: Vec<Range<usize>> = Vec::new();
        for place in self.now[range].iter().flatten() {
            match found.last_mut() {
                Some(last) if last.end == *place => last.end += 1,
                _ => found.push(*place..place + 1),
            }
        }
        found
    }
}

/// The change from `base` to `text`, made to `now`, which others made of `base` meanwhile: what they
/// typed stays, what they deleted stays deleted.
pub fn rebase(base: &str, now: &str, text: &str) -> Vec<Splice> {
    let wanted = diff(base, text);
    if base == now {
        return wanted;
    }
    let moved = Moved::between(base, now);
    let mut splices: Vec<Splice> = Vec::new();
    for splice in wanted {
        let at = moved.after(splice.at);
        let mut insert = Some(splice.insert).filter(|insert| !insert.is_empty());
        for gone in moved.alive(splice.at..splice.at + splice.delete) {
            let here = insert.take_if(|_| gone.start >= at);
            if let Some(words) = here {
                if gone.start == at {
                    splices.push(Splice {
                        at,
                        delete: gone.len(),
                        insert: words,
                    });
                    continue;
                }
                splices.push(Splice {
                    at,
                    delete: 0,
                    insert: words,
                });
            }
            splices.push(Splice {
                at: gone.start,
                delete: gone.len(),
                insert: String::new(),
            });
        }
        if let Some(words) = insert {
            splices.push(Splice {
                at,
                delete: 0,
                insert: words,
            });
        }
    }
    splices.sort_by_key(|splice| splice.at);
    splices
}

/// A text with splices made.
pub fn apply(text: &str, splices: &[Splice]) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::new();
    let mut at = 0;
    for splice in splices {
        let from = splice.at.clamp(at, chars.len());
        out.extend(&chars[at..from]);
        out.push_str(&splice.insert);
        at = (from + splice.delete).min(chars.len());
    }
    out.extend(&chars[at..]);
    out
}

/// Words that may differ before a rewriting counts as one by something else.
const MOST_REWRITTEN: isize = 1_000;

/// How much of `old` a beginning of its rewriting stands for: the rest of `old`, from the answered
/// character on, is what the rewriting has not come to yet. Found as the end of the cheapest way to
/// make `begun` of a beginning of `old`; where hardly a word is the same, as many words as there are by now.
pub fn reached(old: &str, begun: &str) -> usize {
    let (olds, news) = (tokens(old), tokens(begun));
    let (n, m) = (news.len() as isize, olds.len() as isize);
    // Myers' greedy search, over at once when all of `begun` is used up. `furthest[k]` is how far
    // into `begun` a path on the diagonal `k` (begun minus old) has come.
    let width = (n + m + 1) as usize;
    let at = |k: isize| (k + m + 1).clamp(0, 2 * width as isize) as usize;
    let mut furthest = vec![0isize; 2 * width + 2];
    for d in 0..=(n + m).min(MOST_REWRITTEN) {
        for k in ((-d)..=d).step_by(2).filter(|k| -*k <= m && *k <= n) {
            let down = k == -d || (k != d && furthest[at(k - 1)] < furthest[at(k + 1)]);
            let mut x = if down {
                furthest[at(k + 1)]
            } else {
                furthest[at(k - 1)] + 1
            };
            let mut y = x - k;
            while x < n && y < m && x >= 0 && y >= 0 && news[x as usize] == olds[y as usize] {
                x += 1;
                y += 1;
            }
            furthest[at(k)] = x;
            if x >= n && (0..=m).contains(&y) {
                return olds[..y as usize]
                    .iter()
                    .map(|token| token.chars().count())
                    .sum();
            }
        }
    }
    let as_many = olds.iter().take(news.len());
    as_many.map(|token| token.chars().count()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_stay_are_not_touched() {
        let splices = diff("The quick brown fox.", "The slow brown dog.");
        assert_eq!(
            splices,
            [
                Splice {
                    at: 4,
                    delete: 5,
                    insert: "slow".into()
                },
                Splice {
                    at: 16,
                    delete: 3,
                    insert: "dog".into()
                },
            ]
        );
        assert_eq!(
            apply("The quick brown fox.", &splices),
            "The slow brown dog."
        );
    }

    #[test]
    fn a_shared_beginning_ends_with_a_whole_word() {
        for (old, new, head) in [
            ("Hello", "Hello world", "Hello"),
            ("Hel", "Hello", ""),
            ("one two", "one two,", "one two"),
            ("one two", "one twofold", "one "),
            ("né à", "né ä", "né "),
            ("a..", "a.!", "a."),
            ("", "new", ""),
            ("same", "same", "same"),
        ] {
            assert_eq!(&old[..shared(old, new)], head, "{old:?} {new:?}");
        }
    }

    #[test]
    fn long_texts_with_nothing_in_common_are_compared_in_bounded_work() {
        // Every word of one is in the other, in an order that has nothing to do with the first.
        let count = 60_000;
        let text = |step: u64| -> String {
            let word = |at: u64| format!("w{} ", at * step % 65_537 % 997);
            (1..=count).map(word).collect()
        };
        let (old, new) = (text(1_009), text(48_271));
        let splices = diff(&old, &new);
        assert!(apply(&old, &splices) == new, "the change is right");
        let kept = splices.iter().map(|splice| splice.delete).sum::<usize>() < old.chars().count();
        assert!(kept, "some of the words stay");
    }

    #[test]
    fn letters_that_stay_are_not_touched() {
        for (old, new, changed) in [
            ("abcdef", "abXYef", 4),
            ("aaa", "aa", 1),
            ("", "x", 1),
            ("xyz", "", 3),
            ("né", "nà", 2),
            ("same", "same", 0),
            ("one two three", "on two tree!", 3),
        ] {
            let splices = diff_letters(old, new);
            assert_eq!(apply(old, &splices), new);
            let cost = |splice: &Splice| splice.delete + splice.insert.chars().count();
            assert_eq!(splices.iter().map(cost).sum::<usize>(), changed, "{old:?}");
        }
    }

    #[test]
    fn as_much_as_a_text_can_hold_is_compared_in_bounded_work_and_always_alike() {
        let letters = |step: u64| -> String {
            let letter = |at: u64| char::from(b'a' + (at * step % 65_537 % 26) as u8);
            (1..=100_000).map(letter).collect()
        };
        let (old, new) = (letters(1_009), letters(48_271));
        let splices = diff_letters(&old, &new);
        assert!(apply(&old, &splices) == new, "the change is right");
        assert!(splices == diff_letters(&old, &new));
    }

    #[test]
    fn what_others_typed_stays() {
        let made = |base, now, text| apply(now, &rebase(base, now, text));
        assert_eq!(made("Hello", "Hello!", "Hello world"), "Hello world!");
        assert_eq!(
            made("one two three", "one twXo three", "one 2 three"),
            "one 2X three"
        );
        assert_eq!(made("one two", "one two, said Ann", "1 2"), "1 2, said Ann");
        assert_eq!(made("one two three", "three", "one two 3"), "3");
        assert_eq!(made("", "Ann", "fairy"), "fairyAnn");
        assert_eq!(made("né à", "xné à", "né ö"), "xné ö");
    }

    #[test]
    fn a_rewriting_in_other_words_throughout_is_followed_word_by_word() {
        let (old, begun) = ("old ".repeat(20_000), "new ".repeat(10_000));
        assert_eq!(reached(&old, &begun), begun.len());
    }

    #[test]
    fn a_begun_rewriting_keeps_the_rest() {
        let old = "We meet on Monday. Bring the plans. Nobody is late.";
        for (begun, rest) in [
            ("", old),
            ("We ", "meet on Monday. Bring the plans. Nobody is late."),
            ("We gather on ", "Monday. Bring the plans. Nobody is late."),
            ("We meet on Monday. Bring your ", " plans. Nobody is late."),
        ] {
            let left: String = old.chars().skip(reached(old, begun)).collect();
            assert!(
                left == rest
                    || left.trim_start() == rest.trim_start()
                    || rest.ends_with(left.as_str()),
                "{begun:?} left {left:?}"
            );
        }
        assert_eq!(reached(old, old), old.chars().count());
    }
}
