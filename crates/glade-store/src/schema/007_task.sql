-- What is to be done, on which page, and by which fairy. The assignee may be gone: no reference.
CREATE TABLE task (
    id          TEXT PRIMARY KEY,
    title       TEXT NOT NULL,
    text        TEXT NOT NULL,
    page        TEXT NOT NULL REFERENCES page (id) ON DELETE CASCADE,
    bounds_json TEXT,
    status      TEXT NOT NULL,
    assignee    TEXT,
    project     TEXT,
    created_by  TEXT NOT NULL,
    created_ms  INTEGER NOT NULL,
    position    REAL NOT NULL
) STRICT;
