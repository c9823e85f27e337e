-- How often the page's past was let go of, and what it was each time: the whole document before.
ALTER TABLE page_snapshot ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;

CREATE TABLE page_archive (
    page        TEXT NOT NULL REFERENCES page (id) ON DELETE CASCADE,
    epoch       INTEGER NOT NULL,
    through_seq INTEGER NOT NULL,
    blob        BLOB NOT NULL,
    PRIMARY KEY (page, epoch)
) STRICT;
