-- Tasks. Tables of two kinds:
--   history  grows for ever: partitioned by time through the time-ordered id that keys it
--   open     one small row for what is in flight: inserted at accept, deleted at finish,
--            so the cost of a frequent query does not grow with the history

-- The public record of a task: the request, its price and its outcome. account_id has no foreign key: to attach or
-- drop a partition would lock all accounts, in the middle of accept_task and finish_task, which need both tables in
-- different orders. accept_task holds the lock of the account's row, and the service cannot delete an account.
create table tasks (
  id              uuid primary key,
  account_id      uuid not null,
  key_id          uuid,
  kind            text not null check (kind in ('generation', 'upscale')),
  model           text not null,
  request         jsonb not null,         -- validated, with defaults filled in
  inputs          jsonb,                  -- our copies of the external files in it: what was checked is what is used
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
  next_step_at       timestamptz not null, -- when to wake or poll it again if nothing happens before
  steps              integer not null default 0, -- wake-ups and polls so far: the next one comes later
  submit_started_at  timestamptz,          -- intent: set before the vendor is called
  vendor_job_id      text,                 -- set once the vendor has accepted
  result_url         text,                 -- the vendor's link, until the file is stored
  failure_code       text,                 -- why the vendor's job failed, until the task is finished
  delivered          jsonb                 -- the vendor's result once it is stored: the task can be completed from it
);
create index open_tasks_of_account on open_tasks (account_id);
create index open_tasks_deadline on open_tasks (deadline_at);
create index open_tasks_to_submit on open_tasks (next_step_at) where submit_started_at is null;
create index open_tasks_to_poll on open_tasks (vendor_account, next_step_at) where submit_started_at is not null;
-- One vendor job never serves two tasks.
create unique index open_tasks_vendor_job on open_tasks (vendor_account, vendor_job_id);

-- Every submit to a vendor: written before the call, completed after it. For operators.
create table submissions (
  task_id         uuid not null,
  started_at      timestamptz not null,
  vendor_account  text not null,
  outcome         text check (outcome in ('accepted', 'delivered', 'refused', 'throttled', 'unavailable', 'unknown')),
  vendor_job_id   text,
  detail          text,                   -- the vendor's message
  primary key (task_id, started_at)
) partition by range (task_id);

-- Spaces out the calls to a vendor account over all processes.
create table vendor_pace (
  vendor_account   text primary key,
  next_call_at     timestamptz not null,
  throttled_until  timestamptz            -- the vendor refuses submits until then; null: it does not
);

-- One response per key and account; purged after 7 days.
create table idempotency_keys (
  account_id   uuid not null,
  key          text not null check (char_length(key) between 1 and 255),
  fingerprint  bytea not null,
  response     jsonb not null,
  created_at   timestamptz not null default now(),
  primary key (account_id, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

grant select, insert on tasks, submissions to zoetrope_service;
grant update (status, credits, inputs, output, error_code, error_message, completed_at) on tasks to zoetrope_service;
grant update (outcome, vendor_job_id, detail) on submissions to zoetrope_service;
grant select, insert, update, delete on open_tasks, vendor_pace to zoetrope_service;
grant select, insert, delete on idempotency_keys to zoetrope_service;
