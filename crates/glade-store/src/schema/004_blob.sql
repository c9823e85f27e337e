-- id: the SHA-256 of the bytes, in hex. Rows are added and never changed.
CREATE TABLE blob (
    id         TEXT PRIMARY KEY,
    kind       TEXT NOT NULL,
    subject    TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    bytes      BLOB NOT NULL
) STRICT;
