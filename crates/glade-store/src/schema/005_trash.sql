-- Pages that were deleted and can still be brought back. Their rows and logs stay.
CREATE TABLE trash (
    page  TEXT PRIMARY KEY REFERENCES page (id) ON DELETE CASCADE,
    at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
