//! The columns that Loro's changes are stored in: runs, differences, differences of differences.

use super::bytes::Reader;
use super::{Checked, Flaw};

const ENDED: Flaw = Flaw::Broken("a column in it is too short");
const OVERRUN: Flaw = Flaw::Broken("a run in it is longer than its column");
const OVERFLOW: Flaw = Flaw::Broken("the numbers of a column in it leave their range");

/// How one value of a column is written.
#[derive(Clone, Copy)]
pub(super) enum Cell {
    Byte,
    Unsigned,
    Signed,
}

impl Cell {
    fn read(self, bytes: &mut Reader<'_>) -> Checked<i64> {
        match self {
            Self::Byte => bytes.byte().map(i64::from),
            Self::Unsigned => i64::try_from(bytes.number()?).map_err(|_| OVERFLOW),
            Self::Signed => bytes.signed(),
        }
    }
}

/// Runs of equal values: `n` and the value `n` times, or `-n` and `n` values.
pub(super) struct Runs<'a> {
    bytes: Reader<'a>,
    cell: Cell,
    left: u64,
    /// The value of the run; `None`: each value of it is written.
    value: Option<i64>,
}

impl<'a> Runs<'a> {
    pub fn new(bytes: &'a [u8], cell: Cell) -> Self {
        Self {
            bytes: Reader(bytes),
            cell,
            left: 0,
            value: None,
        }
    }

    /// The next value; `None` at the end.
    #[inline]
    pub fn next(&mut self) -> Checked<Option<i64>> {
        if self.left == 0 {
            if self.bytes.is_empty() {
                return Ok(None);
            }
            let run = self.bytes.signed()?;
            self.left = run.unsigned_abs();
            self.value = match run {
                0 => return Err(Flaw::Broken("a run in it is empty")),
                1.. => Some(self.cell.read(&mut self.bytes)?),
                _ => None,
            };
        }
        self.left -= 1;
        match self.value {
            Some(value) => Ok(Some(value)),
            None => self.cell.read(&mut self.bytes).map(Some),
        }
    }

    /// Exactly `count` values at the front of `bytes`, which then stands behind them.
    pub fn take(
        bytes: &mut Reader<'a>,
        cell: Cell,
        count: usize,
        mut each: impl FnMut(i64) -> Checked<()>,
    ) -> Checked<()> {
        let mut runs = Self::new(bytes.0, cell);
        for _ in 0..count {
            each(runs.next()?.ok_or(ENDED)?)?;
        }
        if runs.left > 0 {
            return Err(OVERRUN);
        }
        *bytes = runs.bytes;
        Ok(())
    }
}

/// Runs of equal differences.
pub(super) struct Deltas<'a> {
    runs: Runs<'a>,
    value: i64,
}

impl<'a> Deltas<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self {
            runs: Runs::new(bytes, Cell::Signed),
            value: 0,
        }
    }

    #[inline]
    pub fn next(&mut self) -> Checked<Option<i64>> {
        let Some(delta) = self.runs.next()? else {
            return Ok(None);
        };
        self.value = self.value.checked_add(delta).ok_or(OVERFLOW)?;
        Ok(Some(self.value))
    }
}

/// Exactly `count` yes or no, as the lengths of alternating runs beginning with no. Answers the
/// first.
pub(super) fn take_bools(bytes: &mut Reader<'_>, count: usize) -> Checked<bool> {
    let (mut left, mut value, mut first) = (count as u64, false, None);
    while left > 0 {
        let run = bytes.number()?;
        left = left.checked_sub(run).ok_or(OVERRUN)?;
        if run > 0 {
            first.get_or_insert(value);
        }
        value = !value;
    }
    Ok(first.unwrap_or_default())
}

/// The bits that a difference of differences may have, and what is taken from them.
const WIDTHS: [(u32, i64); 5] = [(7, 63), (9, 255), (12, 2047), (21, (1 << 20) - 1), (64, 0)];

/// Exactly `count` numbers, written as how much their differences differ, bit by bit.
pub(super) fn take_second_deltas(
    bytes: &mut Reader<'_>,
    count: usize,
    mut each: impl FnMut(i64) -> Checked<()>,
) -> Checked<()> {
    let head = match bytes.byte()? {
        0 => None,
        1 => Some(bytes.signed()?),
        _ => return Err(Flaw::Broken("a column in it begins wrongly")),
    };
    let last_bits = bytes.byte()?;
    if head.is_some() != (count > 0) {
        return Err(Flaw::Broken("a column in it begins wrongly"));
    }
    let mut value = head.unwrap_or_default();
    if count > 0 {
        each(value)?;
    }
    let mut bits = Bits {
        bytes: bytes.0,
        at: 0,
    };
    let mut delta = 0i64;
    for _ in 1..count {
        if bits.take(1)? == 1 {
            let mut width = 0;
            while width < WIDTHS.len() - 1 && bits.take(1)? == 1 {
                width += 1;
            }
            let (width, bias) = WIDTHS.get(width).copied().ok_or(ENDED)?;
            let second = bits.take(width)?.cast_signed() - bias;
            delta = delta.checked_add(second).ok_or(OVERFLOW)?;
        }
        value = value.checked_add(delta).ok_or(OVERFLOW)?;
        each(value)?;
    }
    // How many bits of the last byte are in use.
    let used = bits.at.checked_sub(1).map_or(0, |last| last % 8 + 1);
    if usize::from(last_bits) != used {
        return Err(Flaw::Broken("a column in it ends wrongly"));
    }
    bytes.take(bits.at.div_ceil(8))?;
    Ok(())
}

/// Bits from the highest of each byte on.
struct Bits<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Bits<'_> {
    fn take(&mut self, count: u32) -> Checked<u64> {
        let mut value = 0u64;
        let mut wanted = count as usize;
        while wanted > 0 {
            let byte = *self.bytes.get(self.at / 8).ok_or(ENDED)?;
            let free = 8 - self.at % 8;
            let now = wanted.min(free);
            let part = (usize::from(byte) >> (free - now)) & ((1 << now) - 1);
            value = (value << now) | part as u64;
            self.at += now;
            wanted -= now;
        }
        Ok(value)
    }
}
