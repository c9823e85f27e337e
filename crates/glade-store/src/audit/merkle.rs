//! The Merkle tree over the chain's entries (RFC 6962, section 2.1).
//!
//! A leaf is an entry's own hash. Only the roots of the whole subtrees along the right edge are
//! kept, one for each bit of the size, so that adding a leaf costs about two hashes and the whole
//! fits into a kilobyte, whatever the length of the chain.

use sha2::{Digest, Sha256};

use super::Hash;

/// The right edge of a tree: the roots of its whole subtrees, the largest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tree {
    size: u64,
    edge: Vec<Hash>,
}

impl Tree {
    pub(crate) fn push(&mut self, entry: &Hash) {
        let mut node = Sha256::new()
            .chain_update([0])
            .chain_update(entry)
            .finalize()
            .into();
        // As many subtrees are completed as the size ends in ones.
        for _ in 0..self.size.trailing_ones() {
            if let Some(left) = self.edge.pop() {
                node = parent(&left, &node);
            }
        }
        self.edge.push(node);
        self.size += 1;
    }

    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    /// As it lies in the database.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.edge.concat()
    }

    /// `None` if the bytes are not the edge of a tree of that size.
    pub(crate) fn read(size: u64, bytes: &[u8]) -> Option<Tree> {
        let (edge, rest) = bytes.as_chunks::<32>();
        let fits = rest.is_empty() && edge.len() == size.count_ones() as usize;
        fits.then(|| Tree {
            size,
            edge: edge.to_vec(),
        })
    }

    pub(crate) fn root(&self) -> Hash {
        let mut from_the_right = self.edge.iter().rev();
        match from_the_right.next() {
            None => Sha256::digest([]).into(),
            Some(last) => from_the_right.fold(*last, |right, left| parent(left, &right)),
        }
    }
}

fn parent(left: &Hash, right: &Hash) -> Hash {
    Sha256::new()
        .chain_update([1])
        .chain_update(left)
        .chain_update(right)
        .finalize()
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition, word for word: split at the largest power of two below the size.
    fn by_definition(entries: &[Hash]) -> Hash {
        match entries {
            [] => Sha256::digest([]).into(),
            [one] => Sha256::new()
                .chain_update([0])
                .chain_update(one)
                .finalize()
                .into(),
            many => {
                let split = (many.len() - 1).ilog2();
                let (left, right) = many.split_at(1 << split);
                parent(&by_definition(left), &by_definition(right))
            }
        }
    }

    #[test]
    fn the_root_is_the_one_that_rfc_6962_defines_at_every_size() {
        let entries: Vec<Hash> = (0..70u8).map(|n| [n; 32]).collect();
        let mut tree = Tree::default();
        for size in 0..=entries.len() {
            assert_eq!(tree.size(), size as u64);
            assert_eq!(
                tree.root(),
                by_definition(&entries[..size]),
                "{size} entries"
            );
            assert_eq!(Tree::read(size as u64, &tree.bytes()), Some(tree.clone()));
            if let Some(next) = entries.get(size) {
                tree.push(next);
            }
        }
    }
}
