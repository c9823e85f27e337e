-- Browsers that are signed in. The secret in a browser's cookie is not stored, so this table opens nothing.
CREATE TABLE session (
    -- The hash of the secret.
    id         TEXT PRIMARY KEY,
    subject    TEXT NOT NULL,
    -- The revocation ids of the token that opened it, oldest first.
    chain_json TEXT NOT NULL,
    -- That token, encrypted with a key that only the secret gives.
    sealed     BLOB NOT NULL,
    -- What the browser says it is.
    client     TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    seen_ms    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
