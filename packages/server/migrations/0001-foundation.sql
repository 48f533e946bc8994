-- The foundation: accounts, keys, ledger, tasks, deliveries.
--
-- Two kinds of tables:
--   history  grows for ever: partitioned by time through the time-ordered id that keys it
--   open     one small row for what is in flight: inserted at accept, deleted at finish,
--            so no hot query ever costs more because the history is long

-- What the service logs in as is a member of this role. It owns nothing and cannot rewrite the ledger.
do $$
begin
  create role zoetrope_service nologin;
exception when duplicate_object then null;
end
$$;

create table accounts (
  id              uuid primary key,
  name            text not null check (char_length(name) between 1 and 200),
  price_schedule  text check (price_schedule in ('A', 'B')), -- null: the deployment's
  open_tasks_max  integer not null default 3 check (open_tasks_max >= 0),
  credits         bigint not null default 0,                 -- settled balance, cached from entries
  held            bigint not null default 0,                 -- open holds, cached from entries
  webhook_secret  text not null,
  created_at      timestamptz not null default now(),
  constraint credits_cover_holds check (held >= 0 and credits >= held)
);

create table api_keys (
  id          uuid primary key,
  account_id  uuid not null references accounts,
  name        text not null check (char_length(name) between 1 and 100),
  hint        text not null,              -- the visible beginning, enough to recognise a key by
  hash        bytea not null unique,      -- SHA-256 of the whole key; the key itself is nowhere
  created_at  timestamptz not null default now(),
  revoked_at  timestamptz
);
create index api_keys_of_account on api_keys (account_id);

-- Ledger. A transfer moves credits between books; its entries sum to zero.
-- cause_id is the task for hold, capture and release, and the transfer itself for a grant.
create table transfers (
  cause_id    uuid not null,
  kind        text not null check (kind in ('grant', 'hold', 'capture', 'release')),
  id          uuid not null,
  account_id  uuid not null,
  amount      bigint not null check (amount > 0),
  note        text,
  created_at  timestamptz not null default now(),
  primary key (cause_id, kind)
) partition by range (cause_id);
-- A hold ends once: as a capture or as a release.
create unique index transfers_one_settlement on transfers (cause_id) where kind in ('capture', 'release');
create index transfers_of_account on transfers (account_id, cause_id);

create table entries (
  cause_id    uuid not null,
  kind        text not null,
  account_id  uuid not null,
  book        text not null check (book in ('available', 'held', 'issued', 'revenue')),
  amount      bigint not null check (amount <> 0),
  primary key (cause_id, kind, book)
) partition by range (cause_id);

create function refuse_rewrite() returns trigger language plpgsql as $$
begin
  raise exception 'ledger rows are never changed: post a new transfer instead';
end
$$;
create trigger transfers_append_only before update or delete on transfers
  for each row execute function refuse_rewrite();
create trigger entries_append_only before update or delete on entries
  for each row execute function refuse_rewrite();

-- The public record of a task: what was asked, what it costs, what came of it.
create table tasks (
  id              uuid primary key,
  account_id      uuid not null references accounts,
  kind            text not null check (kind in ('generation')),
  model           text not null,
  request         jsonb not null,         -- the validated request, defaults filled in
  price_schedule  text not null check (price_schedule in ('A', 'B')),
  credits         bigint not null check (credits > 0),
  callback_url    text,
  status          text not null default 'PENDING'
                  check (status in ('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED')),
  output          jsonb,
  error_code      text,
  error_message   text,
  created_at      timestamptz not null,
  completed_at    timestamptz,
  constraint terminal_has_time check ((status in ('COMPLETED', 'FAILED')) = (completed_at is not null)),
  constraint completed_has_output check ((status = 'COMPLETED') = (output is not null)),
  constraint failed_has_error check ((status = 'FAILED') = (error_code is not null and error_message is not null))
) partition by range (id);
create index tasks_of_account on tasks (account_id, id);

-- A task in flight. The row exists exactly as long as the task is not terminal.
create table open_tasks (
  task_id            uuid primary key,
  account_id         uuid not null,
  vendor_account     text not null,
  deadline_at        timestamptz not null, -- then it fails, whatever the vendor says later
  next_step_at       timestamptz not null, -- when to wake or look at it again if nothing happens before
  steps              integer not null default 0, -- wakes and looks so far; spaces out the next one
  submit_started_at  timestamptz,          -- intent: set before the vendor is called
  vendor_job_id      text,                 -- set once the vendor has accepted
  result_url         text                  -- the vendor's link, until the file is ours
);
create index open_tasks_of_account on open_tasks (account_id);
create index open_tasks_deadline on open_tasks (deadline_at);
create index open_tasks_to_begin on open_tasks (next_step_at) where submit_started_at is null;
create index open_tasks_to_look_at on open_tasks (vendor_account, next_step_at) where submit_started_at is not null;
-- One vendor job never serves two tasks.
create unique index open_tasks_vendor_job on open_tasks (vendor_account, vendor_job_id);

-- Every call that asked a vendor for work: written before the call, completed after it. For operators.
create table submissions (
  task_id         uuid not null,
  started_at      timestamptz not null,
  vendor_account  text not null,
  outcome         text check (outcome in ('accepted', 'refused', 'throttled', 'unavailable', 'unknown')),
  vendor_job_id   text,
  detail          text,                   -- the vendor's own words
  primary key (task_id, started_at)
) partition by range (task_id);

-- One answer per key and account; purged after 7 days.
create table idempotency_keys (
  account_id   uuid not null,
  key          text not null check (char_length(key) between 1 and 255),
  fingerprint  bytea not null,
  response     jsonb not null,
  created_at   timestamptz not null default now(),
  primary key (account_id, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

create table deliveries (
  id            uuid primary key,
  account_id    uuid not null,
  task_id       uuid not null,
  url           text not null,
  body          text not null,            -- exactly the bytes that are signed and sent
  created_at    timestamptz not null default now(),
  delivered_at  timestamptz,
  given_up_at   timestamptz
) partition by range (id);
create index deliveries_of_task on deliveries (task_id);

create table attempts (
  delivery_id  uuid not null,
  number       smallint not null check (number >= 1),
  started_at   timestamptz not null,
  duration_ms  integer,
  status       smallint,                  -- what the receiver answered, if it did
  reason       text,                      -- plain words; null while running and after a 2xx
  primary key (delivery_id, number)
) partition by range (delivery_id);

create table open_deliveries (
  delivery_id      uuid primary key,
  account_id       uuid not null,
  attempts         smallint not null default 0,
  next_attempt_at  timestamptz not null
);
create index open_deliveries_due on open_deliveries (next_attempt_at);

-- Spaces out the calls to one vendor account over all processes.
create table vendor_pace (
  vendor_account  text primary key,
  next_call_at    timestamptz not null
);

-- The smallest id that can be made at that time: ids begin with their milliseconds.
create function id_floor(at timestamptz) returns uuid language sql immutable as $$
  select rpad(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0'), 32, '0')::uuid
$$;

-- Monthly partitions of every history table for the months that have any day in [since, until].
-- The default partitions only catch what comes before this was run in time.
create function create_partitions(since timestamptz, until timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  parent text;
  month_start timestamptz := date_trunc('month', since, 'UTC');
  child text;
begin
  while month_start <= until loop
    foreach parent in array array['transfers', 'entries', 'tasks', 'submissions', 'deliveries', 'attempts'] loop
      child := parent || to_char(month_start at time zone 'UTC', '_YYYY_MM');
      if to_regclass(child) is null then
        execute format('create table %I partition of %I for values from (%L) to (%L)', child, parent,
                       id_floor(month_start), id_floor(month_start + interval '1 month'));
      end if;
    end loop;
    month_start := month_start + interval '1 month';
  end loop;
end
$$;
revoke execute on function create_partitions from public;

do $$
declare
  parent text;
begin
  foreach parent in array array['transfers', 'entries', 'tasks', 'submissions', 'deliveries', 'attempts'] loop
    execute format('create table %I partition of %I default', parent || '_default', parent);
  end loop;
end
$$;
select create_partitions(now(), now() + interval '2 months');

grant usage on schema public to zoetrope_service;
grant select on all tables in schema public to zoetrope_service;
grant insert on accounts, api_keys, transfers, entries, tasks, submissions, deliveries, attempts to zoetrope_service;
grant update (credits, held) on accounts to zoetrope_service;
grant update (revoked_at) on api_keys to zoetrope_service;
grant update (status, output, error_code, error_message, completed_at) on tasks to zoetrope_service;
grant update (outcome, vendor_job_id, detail) on submissions to zoetrope_service;
grant update (delivered_at, given_up_at) on deliveries to zoetrope_service;
grant update (duration_ms, status, reason) on attempts to zoetrope_service;
grant insert, update, delete on open_tasks, open_deliveries, vendor_pace to zoetrope_service;
grant insert, delete on idempotency_keys to zoetrope_service;
grant execute on function create_partitions to zoetrope_service;
