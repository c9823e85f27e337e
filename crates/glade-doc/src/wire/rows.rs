//! The operations of a block, row by row, each with its value.

use crate::Counter;

use super::block::table;
use super::bytes::{Reader, narrow, within};
use super::columns::{Cell, Deltas, Runs};
use super::values::{self, Kind};
use super::{Budget, Checked, Flaw};

// Kinds of containers.
const MAP: u8 = 0;
const LIST: u8 = 1;
const TEXT: u8 = 2;
const TREE: u8 = 3;
const MOVABLE_LIST: u8 = 4;
pub(super) const COUNTER: u8 = 5;

const UNEVEN: Flaw = Flaw::Broken("its columns are not equally long");
const WRONG_LENGTH: Flaw = Flaw::Broken("an operation in it is not as long as it says");
const OUT_OF_STEP: Flaw = Flaw::Broken("its operations do not fit its changes");

/// What a block says before its operations come.
pub(super) struct Rows<'a> {
    /// The kind of each container.
    pub kinds: &'a [u8],
    pub key_lengths: &'a [u32],
    pub peers: usize,
    pub longest_position: u64,
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
    while let Some(container) = containers.next()? {
        let (Some(prop), Some(kind), Some(length)) =
            (props.next()?, kinds.next()?, lengths.next()?)
        else {
            return Err(UNEVEN);
        };
        budget.rows.spend(1)?;
        let container = within(narrow(container)?, rows.kinds.len())?;
        let row = Row {
            container: rows.kinds.get(container).copied().unwrap_or(u8::MAX),
            prop: narrow(prop)?,
            kind,
        };
        let found = row.check(rows, &mut values, &mut deletions, budget)?;
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
    container: u8,
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
            (MAP, 8) => self.key(rows)?,
            (MAP, 11) => {
                self.key(rows)?;
                values::check(values, rows.key_lengths, budget)?;
            }
            (TEXT, 5) => {
                self.place()?;
                return Ok(values.text()?.chars().count() as u64);
            }
            // The end of a style, and its beginning.
            (TEXT, 0) => {}
            (TEXT, 12) => self.check_style(rows, values, budget)?,
            (LIST | MOVABLE_LIST, 11) => {
                self.place()?;
                return match values::check(values, rows.key_lengths, budget)? {
                    Kind::List { items } => Ok(items),
                    Kind::Other => Err(Flaw::Broken("what a list takes in is not a list")),
                };
            }
            (TEXT | LIST | MOVABLE_LIST, 9) => {
                self.place()?;
                return deletions.next(rows.peers);
            }
            // Moved from where, whose, made when.
            (MOVABLE_LIST, 14) => {
                self.place()?;
                narrow::<u32, _>(values.number()?)?;
                within(values.number()?, rows.peers)?;
                narrow::<u32, _>(values.number()?)?;
            }
            // Whose, made when, and what it is now.
            (MOVABLE_LIST, 15) => {
                within(values.number()?, rows.peers)?;
                narrow::<u32, _>(values.number()?)?;
                values::check(values, rows.key_lengths, budget)?;
            }
            (TREE, 16) => check_node(rows, values, budget)?,
            (COUNTER, 3) => values.skip_signed_leb()?,
            (COUNTER, 4) => {
                values.take(8)?;
            }
            _ => return Err(Flaw::Broken("an operation in it is of an unknown kind")),
        }
        Ok(1)
    }

    fn key(&self, rows: &Rows<'_>) -> Checked<()> {
        within(narrow(self.prop)?, rows.key_lengths.len()).map(|_| ())
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
        within(values.number()?, rows.key_lengths.len())?;
        values::check(values, rows.key_lengths, budget).map(|_| ())
    }
}

/// A tree node: whose, made when, its place; and, if it has a parent, whose and made when.
fn check_node(rows: &Rows<'_>, values: &mut Reader<'_>, budget: &mut Budget) -> Checked<()> {
    within(values.number()?, rows.peers)?;
    narrow::<Counter, _>(values.number()?)?;
    values.number()?;
    budget.position_bytes.spend(rows.longest_position)?;
    if values.byte()? == 0 {
        within(values.number()?, rows.peers)?;
        narrow::<Counter, _>(values.number()?)?;
    }
    Ok(())
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
        match done {
            true => Ok(()),
            false => Err(UNEVEN),
        }
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
