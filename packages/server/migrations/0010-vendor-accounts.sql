-- Vendor accounts that operators add, change and remove while the service runs.
create table vendor_accounts (
  name                 text primary key,
  kind                 text not null,
  settings             jsonb not null,         -- of its kind, without credentials
  credentials          text,                   -- encrypted with the key ring; null: removed, and no job is open
  models               text[] check (cardinality(models) > 0), -- null: all that it can serve
  weight               integer not null check (weight between 0 and 1000), -- 0: only when the others cannot
  open_jobs_max        integer check (open_jobs_max > 0), -- null: no limit
  credits_per_day_max  bigint check (credits_per_day_max > 0), -- null: no limit
  paused_at            timestamptz,            -- no submits from then on
  removed_at           timestamptz,
  created_at           timestamptz not null default now()
);

-- What tasks that were submitted to an account cost on its latest day, in UTC. Only accounts with a limit have a row.
create table vendor_usage (
  vendor_account  text primary key,
  day             timestamptz not null, -- its beginning
  credits         bigint not null check (credits >= 0)
);

-- An account that keeps failing is skipped by all processes until then; one submit at a time tests it.
alter table vendor_pace
  add column failures integer not null default 0, -- in a row
  add column skipped_until timestamptz;

grant select, insert, update on vendor_accounts, vendor_usage to zoetrope_service;
