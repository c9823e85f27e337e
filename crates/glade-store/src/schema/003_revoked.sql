-- Blocks of tokens that no longer hold; a token with any of them is worth nothing.
CREATE TABLE revoked (
    id      TEXT PRIMARY KEY,
    at_ms   INTEGER NOT NULL,
    subject TEXT NOT NULL
) STRICT, WITHOUT ROWID;
