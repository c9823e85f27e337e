-- settings_json: what people set about the fairy (its character, its scope).
ALTER TABLE fairy ADD COLUMN settings_json TEXT NOT NULL DEFAULT '';
-- A fairy that was dismissed works no more; its row stays, for what it made asks who it was.
ALTER TABLE fairy ADD COLUMN dismissed_ms INTEGER;
