-- Upscales: videos that are upscaled segment by segment, for a task of either kind. Rows go when the task is over.

create table upscales (
  task_id      uuid primary key,
  account_id   uuid not null,
  source_key   text not null,
  owns_source  boolean not null,          -- false: an asset's copy, which stays
  plan         jsonb not null,            -- what all segments share
  created_at   timestamptz not null default now()
);

-- A worker leases a segment and renews the lease while it works; a segment whose lease has run out is free again.
create table upscale_segments (
  task_id            uuid not null references upscales on delete cascade,
  number             integer not null check (number >= 0),
  plan               jsonb not null,
  frames             integer not null check (frames > 0),
  frames_done        integer not null default 0, -- never falls, also when the segment is started again
  free_at            timestamptz not null default now(), -- when the lease ends, or when to retry
  leased_by          uuid,
  tries              integer not null default 0,
  submit_started_at  timestamptz,          -- intent: set before a vendor is called
  vendor_job_id      text,                 -- set once the vendor has accepted
  object_key         text,                 -- done
  size_bytes         bigint,
  failure            text,                 -- given up: for operators
  failure_code       text,                 -- the same for the task's owner
  primary key (task_id, number)
);

-- Accounts are served in turn: a video of many segments delays nobody else, and nobody delays it for ever.
create table upscale_turns (
  account_id  uuid primary key references accounts,
  served_at   timestamptz not null -- when one of its segments was leased last
);

grant select, insert, delete on upscales, upscale_segments to zoetrope_service;
grant update (frames_done, free_at, leased_by, tries, submit_started_at, vendor_job_id, object_key, size_bytes, failure,
              failure_code) on upscale_segments to zoetrope_service;
grant select, insert on upscale_turns to zoetrope_service;
grant update (served_at) on upscale_turns to zoetrope_service;
