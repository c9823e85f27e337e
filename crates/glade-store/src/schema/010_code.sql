-- Conversations about the code project. Their messages are in message, their runs in run.
CREATE TABLE code_chat (
    id            TEXT PRIMARY KEY,
    title         TEXT NOT NULL,
    -- What was allowed for good, what was read, the last error.
    settings_json TEXT NOT NULL,
    created_ms    INTEGER NOT NULL,
    changed_ms    INTEGER NOT NULL
) STRICT;

-- The bytes of a file before or after a write, by their SHA-256.
CREATE TABLE file_image (
    id    TEXT PRIMARY KEY,
    bytes BLOB NOT NULL
) STRICT;

-- What a run did to a file, in order. NULL: there was no file.
CREATE TABLE file_write (
    run     TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    path    TEXT NOT NULL,
    idx     INTEGER NOT NULL,
    before  TEXT REFERENCES file_image (id),
    after   TEXT REFERENCES file_image (id),
    -- 0: kept or taken back; told by why, no longer to be undone.
    pending INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (run, path, idx)
) STRICT, WITHOUT ROWID;
CREATE INDEX file_write_by_path ON file_write (path);
