-- The right edge of the Merkle tree over the entries that are signed: what the next checkpoint
-- starts from. Missing, it is made anew from the entries.
CREATE TABLE merkle (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    size INTEGER NOT NULL,
    edge BLOB NOT NULL
) STRICT;
