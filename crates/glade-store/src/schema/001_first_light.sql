-- Rows are always upserted, never REPLACEd: REPLACE deletes first, and deletes cascade.

CREATE TABLE setting (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE page (
    id         TEXT PRIMARY KEY,
    name       TEXT NOT NULL,
    kind       TEXT NOT NULL,
    tier       TEXT NOT NULL,
    position   REAL NOT NULL,
    created_ms INTEGER NOT NULL
) STRICT;

-- spans: 16 bytes each, little-endian: peer u64, from i32, to i32.
CREATE TABLE page_update (
    page    TEXT NOT NULL REFERENCES page (id) ON DELETE CASCADE,
    seq     INTEGER NOT NULL,
    spans   BLOB NOT NULL,
    subject TEXT NOT NULL,
    at_ms   INTEGER NOT NULL,
    blob    BLOB NOT NULL,
    PRIMARY KEY (page, seq)
) STRICT;

CREATE TABLE page_snapshot (
    page        TEXT PRIMARY KEY REFERENCES page (id) ON DELETE CASCADE,
    through_seq INTEGER NOT NULL,
    blob        BLOB NOT NULL
) STRICT;

CREATE TABLE page_peer (
    page    TEXT NOT NULL REFERENCES page (id) ON DELETE CASCADE,
    peer    INTEGER NOT NULL,
    subject TEXT NOT NULL,
    PRIMARY KEY (page, peer)
) STRICT, WITHOUT ROWID;

CREATE TABLE fairy (
    id            TEXT PRIMARY KEY,
    name          TEXT NOT NULL,
    page          TEXT NOT NULL,
    model         TEXT NOT NULL,
    sign          TEXT NOT NULL,
    hat           TEXT NOT NULL,
    hat_color     TEXT NOT NULL,
    color         TEXT NOT NULL,
    state_json    TEXT NOT NULL,
    position_json TEXT NOT NULL,
    created_ms    INTEGER NOT NULL
) STRICT;

-- No reference to fairy or page: a run outlives both.
CREATE TABLE run (
    ord           INTEGER PRIMARY KEY,
    id            TEXT NOT NULL UNIQUE,
    fairy         TEXT NOT NULL,
    page          TEXT NOT NULL,
    message       TEXT NOT NULL,
    status        TEXT NOT NULL,
    settled       INTEGER NOT NULL,
    started_ms    INTEGER NOT NULL,
    ended_ms      INTEGER,
    cost_json     TEXT NOT NULL,
    error         TEXT,
    elements_json TEXT NOT NULL
) STRICT;
CREATE INDEX run_by_start ON run (started_ms, ord);
CREATE INDEX run_by_fairy ON run (fairy, started_ms);
CREATE INDEX run_unsettled ON run (started_ms) WHERE settled = 0;

CREATE TABLE step (
    run           TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    idx           INTEGER NOT NULL,
    model         TEXT NOT NULL,
    prompt_json   TEXT NOT NULL,
    answer        TEXT NOT NULL,
    started_ms    INTEGER NOT NULL,
    ended_ms      INTEGER,
    input_tokens  INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    error         TEXT,
    PRIMARY KEY (run, idx)
) STRICT;

CREATE TABLE span (
    run   TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    page  TEXT NOT NULL,
    peer  INTEGER NOT NULL,
    start INTEGER NOT NULL,
    stop  INTEGER NOT NULL,
    PRIMARY KEY (run, page, peer, start)
) STRICT, WITHOUT ROWID;

CREATE TABLE touch (
    page      TEXT NOT NULL REFERENCES page (id) ON DELETE CASCADE,
    element   TEXT NOT NULL,
    run       TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    action    INTEGER NOT NULL,
    property  TEXT NOT NULL,
    body_json TEXT NOT NULL,
    -- 1 while the run's change can still be taken back; 0 for history, which `why` reads.
    pending   INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (page, element, run, action, property)
) STRICT, WITHOUT ROWID;
CREATE INDEX touch_by_run ON touch (run);
CREATE INDEX touch_pending ON touch (page) WHERE pending = 1;

-- A chat reads in the order in which its messages first came, whatever the clocks said.
CREATE TABLE message (
    ord        INTEGER PRIMARY KEY,
    id         TEXT NOT NULL UNIQUE,
    chat       TEXT NOT NULL,
    role       TEXT NOT NULL,
    body_json  TEXT NOT NULL,
    created_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX message_by_chat ON message (chat, ord);
