-- Rows are only ever added, by the writer alone, in the transaction of what they tell of.
-- body: canonical JSON of the whole entry, the other columns included.
-- hash: SHA-256(0x00 ‖ prev_hash ‖ seq as 8 bytes big-endian ‖ body).
CREATE TABLE audit (
    seq       INTEGER PRIMARY KEY,
    at_ms     INTEGER NOT NULL,
    kind      TEXT NOT NULL,
    subject   TEXT NOT NULL,
    body      BLOB NOT NULL,
    prev_hash BLOB NOT NULL,
    hash      BLOB NOT NULL
) STRICT;

-- body: the signed statement, byte for byte what lies in the file of that number.
CREATE TABLE checkpoint (
    number INTEGER PRIMARY KEY,
    size   INTEGER NOT NULL,
    body   BLOB NOT NULL
) STRICT;
