//! Values as they lie in an update: scalars, texts, bytes, lists and maps of values.

use super::block::Keys;
use super::bytes::Reader;
use super::{Budget, Checked, Flaw, MAX_DEPTH};

const TOO_DEEP: Flaw = Flaw::Broken("a value in it is nested too deeply");
/// What a list or a map takes beside what is in it, in other values.
const NESTING: u64 = 3;

/// Reads one value through to its end.
pub(super) fn check(bytes: &mut Reader<'_>, keys: &Keys<'_>, budget: &mut Budget) -> Checked<()> {
    check_nested(bytes, keys, budget, 0)
}

fn check_nested(
    bytes: &mut Reader<'_>,
    keys: &Keys<'_>,
    budget: &mut Budget,
    depth: usize,
) -> Checked<()> {
    if depth > MAX_DEPTH {
        return Err(TOO_DEEP);
    }
    budget.values.spend(1)?;
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
            budget.values.spend(NESTING)?;
            let items = bytes.count()?;
            fits(items, 1, bytes)?;
            for _ in 0..items {
                check_nested(bytes, keys, budget, depth + 1)?;
            }
        }
        8 => {
            budget.values.spend(NESTING)?;
            let entries = bytes.count()?;
            fits(entries, 2, bytes)?;
            for _ in 0..entries {
                budget.key_bytes.spend(keys.length(bytes.number()?)?)?;
                check_nested(bytes, keys, budget, depth + 1)?;
            }
        }
        // A child container, of a kind in one byte.
        9 => {
            bytes.byte()?;
        }
        _ => return Err(Flaw::Broken("a value in it is of an unknown kind")),
    }
    Ok(())
}

/// Whether so many things of at least so many bytes can follow. Loro makes room for them at once.
pub(super) fn fits(count: usize, least: usize, bytes: &Reader<'_>) -> Checked<()> {
    if count <= bytes.len() / least {
        Ok(())
    } else {
        Err(Flaw::Broken("it claims to hold more than it has bytes for"))
    }
}
