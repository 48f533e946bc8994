-- functions: refuse_moved
-- Accounts over several databases. An account lives in one of them; what another one has of it is a signpost.
alter table accounts
  -- The shard that it lives in; null: this one.
  add column moved_to   smallint check (moved_to between 0 and 1023),
  -- Since when it is about to move: no submit of it begins.
  add column moving_at  timestamptz;

-- What an account had open in the shard that it comes from, by table, until that shard has let go of it.
create table arrivals (
  account_id  uuid primary key references accounts,
  from_shard  smallint not null check (from_shard between 0 and 1023),
  open_rows   jsonb not null,
  created_at  timestamptz not null default now()
);
grant select on arrivals to zoetrope_service;

-- Which shard this database is. Set by `operator migrate --shard`, before there are accounts.
create table this_shard (
  is_only  boolean primary key default true check (is_only),
  number   smallint not null check (number between 0 and 1023)
);
insert into this_shard (number) values (0);
grant select on this_shard to zoetrope_service;

-- What a process wants of an account that lives elsewhere by now is refused and not lost: see refuse_moved. Of the
-- name a signpost may have a copy, which is no promise to anybody.
create trigger accounts_moved before update of credits, held, transfers, price_schedule, open_tasks_max, webhook_secret,
    webhook_secret_before, webhook_secret_before_until, webhook_tail_hours, suspended_at, suspended_reason, credits_low
  on accounts for each row when (old.moved_to is not null and new.moved_to is not distinct from old.moved_to)
  execute function refuse_moved();
create trigger accounts_moved_test before insert on accounts
  for each row when (new.test_of is not null and new.moved_to is null) -- a signpost may follow another
  execute function refuse_moved();

-- The tables that are written without the lock of the account's row, or with it but not by accept_task, and seldom
-- enough for a look at it. See refuse_moved for what guards the others.
create trigger assets_moved before insert or update on assets for each row execute function refuse_moved();
create trigger asset_uploads_moved before insert or update on asset_uploads
  for each row execute function refuse_moved();
create trigger asset_declarations_moved before insert or update on asset_declarations
  for each row execute function refuse_moved();
create trigger open_reviews_moved before insert on open_reviews for each row execute function refuse_moved();
create trigger account_reviews_moved before insert or update on account_reviews
  for each row execute function refuse_moved();
create trigger account_libraries_moved before insert or update of open_assets_max, open_uploads_max, stored_bytes_max
  on account_libraries for each row execute function refuse_moved();
create trigger webhook_endpoints_moved before insert or update on webhook_endpoints
  for each row execute function refuse_moved();
create trigger account_notes_moved before insert on account_notes for each row execute function refuse_moved();
create trigger grants_moved before insert or update on grants for each row execute function refuse_moved();
-- Not the columns that accept_task and finish_task write under the account's lock.
create trigger api_keys_moved
  before insert or update of name, scopes, models, requests_per_minute_max, credits_max, expires_at, revoked_at
  on api_keys for each row execute function refuse_moved();
