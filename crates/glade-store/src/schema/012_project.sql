-- Fairies that do something together. What is asked of the rows by others stands in columns, the rest
-- in the body; members and waits go and come with their project, in the same transaction.
CREATE TABLE project (
    id         TEXT PRIMARY KEY,
    page       TEXT NOT NULL REFERENCES page (id) ON DELETE CASCADE,
    status     TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    ended_ms   INTEGER,
    body_json  TEXT NOT NULL
) STRICT;

CREATE TABLE project_member (
    project  TEXT NOT NULL REFERENCES project (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    fairy    TEXT NOT NULL,
    role     TEXT NOT NULL,
    PRIMARY KEY (project, position)
) STRICT, WITHOUT ROWID;

-- What a member waits for.
CREATE TABLE wait (
    project   TEXT NOT NULL REFERENCES project (id) ON DELETE CASCADE,
    position  INTEGER NOT NULL,
    fairy     TEXT NOT NULL,
    body_json TEXT NOT NULL,
    PRIMARY KEY (project, position)
) STRICT, WITHOUT ROWID;
