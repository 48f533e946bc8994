-- Keys that customers make, change and revoke themselves.
alter table api_keys
  add column if not exists created_by uuid,   -- the person; null: an operator or another key
  add column created_by_key uuid,             -- the key that made it; null: a person or an operator
  drop constraint api_keys_scopes_check,
  add constraint api_keys_scopes_check check
    (cardinality(scopes) > 0 and scopes <@ array['tasks', 'assets', 'webhooks', 'account', 'keys', 'read']) not valid;

-- Read in order, and counted by day through the time in their ids.
create index api_keys_in_order on api_keys (account_id, id);
create index api_keys_not_revoked on api_keys (account_id) where revoked_at is null;
drop index api_keys_of_account;

-- When a key was last used, to the minute. Not a column of api_keys: accepting a task updates that row.
create table key_uses (
  key_id   uuid primary key,
  used_at  timestamptz not null
) with (fillfactor = 80);

grant update (name, scopes, models, requests_per_minute_max, credits_max, expires_at) on api_keys to zoetrope_service;
grant select, insert on key_uses to zoetrope_service;
grant update (used_at) on key_uses to zoetrope_service;
