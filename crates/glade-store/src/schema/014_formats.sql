-- Bodies get the number of their format, so that one that was emptied, cut or replaced is not taken for
-- an older one. What cannot be read stays as it is. 0: as it was written before, with parts left out;
-- 1: whole.
UPDATE fairy
SET settings_json = json_patch(
    '{"v":1,"personality":"","planFirst":false,"keepAtOnce":false,"scope":{},"limits":{"steps":24,"tokens":400000,"usd":2.0}}',
    CASE settings_json WHEN '' THEN '{}' ELSE settings_json END)
WHERE CASE WHEN settings_json = '' THEN 1 WHEN json_valid(settings_json) THEN json_type(settings_json) = 'object' END;

-- A new fairy has no mind yet.
UPDATE fairy SET state_json = 'null' WHERE state_json = '';
UPDATE fairy SET state_json = json_set(state_json, '$.v', 0)
WHERE CASE WHEN json_valid(state_json) THEN json_type(state_json) = 'object' END;

UPDATE code_chat SET settings_json = json_set(settings_json, '$.v', 0)
WHERE CASE WHEN json_valid(settings_json) THEN json_type(settings_json) = 'object' END;

UPDATE project SET body_json = json_set(body_json, '$.v', 0)
WHERE CASE WHEN json_valid(body_json) THEN json_type(body_json) = 'object' END;

UPDATE setting SET value = json_patch('{"enabled":{},"embedHosts":[]}', value)
WHERE key = 'plugins' AND CASE WHEN json_valid(value) THEN json_type(value) = 'object' END;

-- What the chain says of rights is read at every start.
CREATE INDEX audit_rights ON audit (seq) WHERE kind IN ('rights', 'token-revoked', 'page-deleted');
