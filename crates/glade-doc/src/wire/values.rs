//! Values as they lie in an update: scalars, texts, bytes, lists and maps of values.

use super::bytes::{Reader, within};
use super::{Budget, Checked, Flaw, MAX_DEPTH};

const TOO_DEEP: Flaw = Flaw::Broken("a value in it is nested too deeply");

/// What a value turned out to be, as far as anybody asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    List { items: u64 },
    Other,
}

/// Reads one value through to its end.
pub(super) fn check(
    bytes: &mut Reader<'_>,
    key_lengths: &[u32],
    budget: &mut Budget,
) -> Checked<Kind> {
    check_nested(bytes, key_lengths, budget, 0)
}

fn check_nested(
    bytes: &mut Reader<'_>,
    key_lengths: &[u32],
    budget: &mut Budget,
    depth: usize,
) -> Checked<Kind> {
    if depth > MAX_DEPTH {
        return Err(TOO_DEEP);
    }
    match bytes.byte()? {
        // Null, true, false.
        0..=2 => {}
        3 => bytes.skip_signed_leb()?,
        4 => {
            bytes.take(8)?;
        }
        5 => {
            bytes.text()?;
        }
        6 => {
            bytes.sized()?;
        }
        7 => {
            let items = bytes.count()?;
            fits(items, 1, bytes)?;
            for _ in 0..items {
                check_nested(bytes, key_lengths, budget, depth + 1)?;
            }
            return Ok(Kind::List {
                items: items as u64,
            });
        }
        8 => {
            let entries = bytes.count()?;
            fits(entries, 2, bytes)?;
            for _ in 0..entries {
                let key = within(bytes.number()?, key_lengths.len())?;
                let length = key_lengths.get(key).copied().unwrap_or(u32::MAX);
                budget.key_bytes.spend(u64::from(length))?;
                check_nested(bytes, key_lengths, budget, depth + 1)?;
            }
        }
        // A child container, of a kind in one byte.
        9 => {
            bytes.byte()?;
        }
        _ => return Err(Flaw::Broken("a value in it is of an unknown kind")),
    }
    Ok(Kind::Other)
}

/// Whether so many things of at least so many bytes can follow. Loro makes room for them at once.
pub(super) fn fits(count: usize, least: usize, bytes: &Reader<'_>) -> Checked<()> {
    match count <= bytes.len() / least {
        true => Ok(()),
        false => Err(Flaw::Broken("it claims to hold more than it has bytes for")),
    }
}
