-- Everybody who ever came in, by subject.
CREATE TABLE person (
    subject     TEXT PRIMARY KEY,
    name        TEXT NOT NULL,
    -- What the token that they last came with allowed.
    rights_json TEXT NOT NULL,
    seen_ms     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Tokens that were handed on. The token itself is nowhere: only whoever holds it has it.
CREATE TABLE link (
    -- The revocation id of its last block.
    id          TEXT PRIMARY KEY,
    label       TEXT NOT NULL,
    -- Who handed it on, and every block of it, oldest first.
    maker       TEXT NOT NULL,
    chain_json  TEXT NOT NULL,
    limits_json TEXT NOT NULL,
    created_ms  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
