-- Pages that a run was shown besides the one that it began on, whether or not it wrote there: whoever may
-- not read them may not know what it said.
CREATE TABLE run_read (
    run  TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    page TEXT NOT NULL,
    PRIMARY KEY (run, page)
) STRICT, WITHOUT ROWID;

-- Where fairies looked before this was kept nobody knows. No page has this name, so their runs are for
-- those who may read every page.
INSERT INTO run_read (run, page)
SELECT id, '' FROM run WHERE instr(fairy, ':') = 0 AND page <> 'code';
