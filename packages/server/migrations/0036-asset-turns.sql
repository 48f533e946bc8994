-- no transaction
-- Of the files that an account asked for, some are fetched at once; the others wait in line for their turn:
-- turn_at is when it came, null while the file waits.
alter table assets add column if not exists turn_at timestamptz default now();
grant update (turn_at) on assets to zoetrope_service;
drop index concurrently if exists assets_in_line;
create index concurrently assets_in_line on assets (account_id, id)
  where status = 'PROCESSING' and storage_key is null and turn_at is null;
