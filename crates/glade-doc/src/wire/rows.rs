//! The operations of a block, row by row, each with its value.

use crate::Counter;
use crate::schema::ContainerKind;

use super::block::{Keys, table};
use super::bytes::{Reader, narrow, within};
use super::columns::{Cell, Deltas, Runs};
use super::values;
use super::{Budget, Checked, Flaw};

const UNEVEN: Flaw = Flaw::Broken("its columns are not equally long");
const WRONG_LENGTH: Flaw = Flaw::Broken("an operation in it is not as long as it says");
const UNKNOWN: Flaw = Flaw::Broken("an operation in it is of an unknown kind");
const OUT_OF_STEP: Flaw = Flaw::Broken("its operations do not fit its changes");

/// How the operation is numbered that puts characters into a text.
const TYPED: i64 = 5;
/// Most characters that a change puts into one text. The time that Loro takes to merge a long run
/// grows with the square of its length.
const MAX_TYPED: u64 = 200_000;

/// What a block says before its operations come.
pub(super) struct Rows<'a> {
    /// The kind of each container.
    pub kinds: &'a [ContainerKind],
    pub keys: &'a Keys<'a>,
    pub peers: usize,
    /// The length of each change but the last.
    pub lengths: &'a [u8],
    pub changes: usize,
    /// The length of all changes together.
    pub atoms: u64,
}

pub(super) fn check(
    rows: &Rows<'_>,
    operations: &[u8],
    deletions: &[u8],
    values: &[u8],
    budget: &mut Budget,
) -> Checked<()> {
    let mut operations = Reader(operations);
    table(&mut operations, 4)?;
    let mut containers = Deltas::new(operations.sized()?);
    let mut props = Deltas::new(operations.sized()?);
    let mut kinds = Runs::new(operations.sized()?, Cell::Byte);
    let mut lengths = Runs::new(operations.sized()?, Cell::Unsigned);
    operations.finished("bytes follow on its operations")?;
    let mut deletions = Deletions::read(deletions)?;
    let mut values = Reader(values);
    let mut steps = Steps::new(rows)?;
    let mut typed = vec![0u64; rows.kinds.len()];
    while let Some(container) = containers.next()? {
        let (Some(prop), Some(kind), Some(length)) =
            (props.next()?, kinds.next()?, lengths.next()?)
        else {
            return Err(UNEVEN);
        };
        budget.rows.spend(1)?;
        let container = within(narrow(container)?, rows.kinds.len())?;
        let row = Row {
            container: rows.kinds.get(container).copied().ok_or(UNKNOWN)?,
            prop: narrow(prop)?,
            kind,
        };
        let found = row.check(rows, &mut values, &mut deletions, budget)?;
        if row.kind == TYPED
            && let Some(typed) = typed.get_mut(container)
        {
            *typed += found;
            if *typed > MAX_TYPED {
                return Err(Flaw::TooMany {
                    found: *typed,
                    max: MAX_TYPED,
                });
            }
        }
        if length.unsigned_abs() != found || found == 0 {
            return Err(WRONG_LENGTH);
        }
        steps.go(found)?;
    }
    let even = props.next()?.is_none() && kinds.next()?.is_none() && lengths.next()?.is_none();
    if !even {
        return Err(UNEVEN);
    }
    steps.finished()?;
    deletions.finished()?;
    values.finished("bytes follow on its values")
}

struct Row {
    container: ContainerKind,
    /// A key, a place or nothing, by what the container is.
    prop: i32,
    kind: i64,
}

impl Row {
    /// Reads the value of this row; answers how many operations it is.
    fn check(
        &self,
        rows: &Rows<'_>,
        values: &mut Reader<'_>,
        deletions: &mut Deletions<'_>,
        budget: &mut Budget,
    ) -> Checked<u64> {
        match (self.container, self.kind) {
            // A key that is removed, or set.
            (ContainerKind::Map, 8) => spend_key(narrow(self.prop)?, rows, budget)?,
            (ContainerKind::Map, 11) => {
                spend_key(narrow(self.prop)?, rows, budget)?;
                values::check(values, rows.keys, budget)?;
            }
            (ContainerKind::Text, TYPED) => {
                self.place()?;
                return Ok(values.text()?.chars().count() as u64);
            }
            // The end of a style, and its beginning.
            (ContainerKind::Text, 0) => {}
            (ContainerKind::Text, 12) => self.check_style(rows, values, budget)?,
            (ContainerKind::Text, 9) => {
                self.place()?;
                return deletions.next(rows.peers);
            }
            _ => return Err(UNKNOWN),
        }
        Ok(1)
    }

    fn place(&self) -> Checked<u32> {
        narrow(self.prop)
    }

    fn check_style(
        &self,
        rows: &Rows<'_>,
        values: &mut Reader<'_>,
        budget: &mut Budget,
    ) -> Checked<()> {
        values.byte()?;
        let end = u64::from(self.place()?).saturating_add(values.number()?);
        narrow::<Counter, _>(end)?;
        spend_key(values.number()?, rows, budget)?;
        values::check(values, rows.keys, budget)
    }
}

/// Whoever looks at the operation gets a copy of its key.
fn spend_key(key: u64, rows: &Rows<'_>, budget: &mut Budget) -> Checked<()> {
    budget.key_bytes.spend(rows.keys.length(key)?)
}

/// What was deleted: whose, from where, how much, backwards where that is negative.
struct Deletions<'a> {
    peers: Deltas<'a>,
    counters: Deltas<'a>,
    lengths: Deltas<'a>,
}

impl<'a> Deletions<'a> {
    fn read(bytes: &'a [u8]) -> Checked<Self> {
        let mut bytes = Reader(bytes);
        let mut columns: [&[u8]; 3] = [&[]; 3];
        if !bytes.is_empty() {
            table(&mut bytes, 3)?;
            for column in &mut columns {
                *column = bytes.sized()?;
            }
            bytes.finished("bytes follow on its deletions")?;
        }
        let [peers, counters, lengths] = columns.map(Deltas::new);
        Ok(Self {
            peers,
            counters,
            lengths,
        })
    }

    fn next(&mut self, peers: usize) -> Checked<u64> {
        let (Some(peer), Some(counter), Some(length)) = (
            self.peers.next()?,
            self.counters.next()?,
            self.lengths.next()?,
        ) else {
            return Err(UNEVEN);
        };
        within(narrow(peer)?, peers)?;
        let from: u32 = narrow(counter)?;
        let end = u64::from(from).saturating_add(length.unsigned_abs());
        narrow::<Counter, _>(end)?;
        Ok(length.unsigned_abs())
    }

    /// All of them were asked for. Loro reads them all before it looks at the operations.
    fn finished(mut self) -> Checked<()> {
        let done = self.peers.next()?.is_none()
            && self.counters.next()?.is_none()
            && self.lengths.next()?.is_none();
        if done { Ok(()) } else { Err(UNEVEN) }
    }
}

/// Where the operations are among the changes. None may reach over the end of its change.
struct Steps<'a> {
    lengths: Reader<'a>,
    /// Changes after this one.
    changes: usize,
    /// What is left of this change, and of all.
    here: u64,
    all: u64,
}

impl<'a> Steps<'a> {
    fn new(rows: &Rows<'a>) -> Checked<Self> {
        let mut steps = Self {
            lengths: Reader(rows.lengths),
            changes: rows.changes,
            here: 0,
            all: rows.atoms,
        };
        steps.next_change()?;
        Ok(steps)
    }

    fn next_change(&mut self) -> Checked<()> {
        self.changes -= 1;
        self.here = match self.changes {
            0 => self.all,
            _ => self.lengths.number()?,
        };
        Ok(())
    }

    fn go(&mut self, length: u64) -> Checked<()> {
        self.here = self.here.checked_sub(length).ok_or(OUT_OF_STEP)?;
        self.all = self.all.checked_sub(length).ok_or(OUT_OF_STEP)?;
        if self.here == 0 && self.changes > 0 {
            self.next_change()?;
        }
        Ok(())
    }

    fn finished(&self) -> Checked<()> {
        match self.all {
            0 => Ok(()),
            _ => Err(OUT_OF_STEP),
        }
    }
}
