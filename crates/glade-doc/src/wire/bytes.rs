//! Bytes that are read from the front.

use super::{Checked, Flaw};

const SHORT: Flaw = Flaw::Broken("it ends too early");
const LONG_NUMBER: Flaw = Flaw::Broken("a number in it is too long");

#[derive(Clone, Copy)]
pub(super) struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn take(&mut self, count: usize) -> Checked<&'a [u8]> {
        let (first, rest) = self.0.split_at_checked(count).ok_or(SHORT)?;
        self.0 = rest;
        Ok(first)
    }

    pub fn byte(&mut self) -> Checked<u8> {
        let (first, rest) = self.0.split_first().ok_or(SHORT)?;
        self.0 = rest;
        Ok(*first)
    }

    /// A number in seven bits a byte, the lowest first: unsigned LEB128, and postcard's varint.
    pub fn number(&mut self) -> Checked<u64> {
        let first = self.byte()?;
        if first & 0x80 == 0 {
            return Ok(u64::from(first));
        }
        let mut number = u64::from(first & 0x7f);
        for at in 1..10 {
            let byte = self.byte()?;
            if at == 9 && byte > 1 {
                return Err(LONG_NUMBER);
            }
            number |= u64::from(byte & 0x7f) << (7 * at);
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(LONG_NUMBER)
    }

    /// A number that says how many of something follow.
    pub fn count(&mut self) -> Checked<usize> {
        usize::try_from(self.number()?).map_err(|_| SHORT)
    }

    /// A signed number as postcard writes it: 0, -1, 1, -2 …
    pub fn signed(&mut self) -> Checked<i64> {
        let zigzag = self.number()?;
        Ok((zigzag >> 1).cast_signed() ^ -(zigzag & 1).cast_signed())
    }

    /// A signed LEB128, whatever it is.
    pub fn skip_signed_leb(&mut self) -> Checked<()> {
        for _ in 0..10 {
            if self.byte()? & 0x80 == 0 {
                return Ok(());
            }
        }
        Err(LONG_NUMBER)
    }

    /// Bytes behind their length.
    pub fn sized(&mut self) -> Checked<&'a [u8]> {
        let length = self.count()?;
        self.take(length)
    }

    /// Text behind its length.
    pub fn text(&mut self) -> Checked<&'a str> {
        std::str::from_utf8(self.sized()?).map_err(|_| Flaw::Broken("a text in it is not UTF-8"))
    }

    pub fn finished(&self, what: &'static str) -> Checked<()> {
        if self.is_empty() {
            Ok(())
        } else {
            Err(Flaw::Broken(what))
        }
    }
}

/// A number that must be one of a table of `count`.
pub(super) fn within(at: u64, count: usize) -> Checked<usize> {
    usize::try_from(at)
        .ok()
        .filter(|at| *at < count)
        .ok_or(Flaw::Broken("it refers to something that it does not hold"))
}

/// A number that must fit a narrower type.
pub(super) fn narrow<N: TryFrom<M>, M>(number: M) -> Checked<N> {
    N::try_from(number).map_err(|_| Flaw::Broken("a number in it is out of range"))
}
