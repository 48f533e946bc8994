-- The upscaler: a second kind of task, and videos that are made larger piece by piece.
alter table tasks drop constraint tasks_kind_check;
alter table tasks add constraint tasks_kind_check check (kind in ('generation', 'upscale'));

-- A video that is being made larger for a task of either kind; gone when the task is over.
create table upscales (
  task_id     uuid primary key,
  source_key  text not null,
  owns_source boolean not null,          -- false: an asset's copy, which stays
  plan        jsonb not null,            -- what all pieces share
  created_at  timestamptz not null default now()
);

-- Its pieces. Whoever is free takes one; a piece that was taken and not heard of is free again.
create table upscale_pieces (
  task_id       uuid not null references upscales on delete cascade,
  number        integer not null check (number >= 0),
  plan          jsonb not null,
  frames        integer not null check (frames > 0),
  frames_done   integer not null default 0, -- never falls, whoever begins anew
  free_at       timestamptz not null default now(),
  taken_by      uuid,
  tries         smallint not null default 0,
  vendor_job_id text,                    -- where a vendor does it
  asked_at      timestamptz,             -- written before the vendor is asked
  object_key    text,                    -- done
  size_bytes    bigint,
  failure       text,                    -- given up: for operators
  failure_code  text,                    -- the same for the task's owner
  primary key (task_id, number)
);
-- Everybody's first pieces come before anybody's second.
create index upscale_pieces_to_do on upscale_pieces (number, task_id) where object_key is null and failure is null;

grant select, insert, delete on upscales, upscale_pieces to zoetrope_service;
grant update (frames_done, free_at, taken_by, tries, vendor_job_id, asked_at, object_key, size_bytes, failure, failure_code)
  on upscale_pieces to zoetrope_service;
