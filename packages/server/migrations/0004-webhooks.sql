-- Events and callbacks: the end of every task is an event that can be read for 30 days, and a delivery can be repeated.

-- The ends of an account's tasks in the order of commit: the number is that of the transfer that settled the task,
-- which is assigned under the account's lock.
create table events (
  id          uuid not null,
  account_id  uuid not null,
  number      bigint not null,
  task_id     uuid not null,
  type        text not null,
  body        text not null,              -- what a query answers and a callback carries
  created_at  timestamptz not null default now(),
  primary key (id)
) partition by range (id);
create unique index events_in_order on events (account_id, number, id);

create table deliveries (
  id            uuid primary key,
  account_id    uuid not null,
  task_id       uuid,                     -- null: a test event
  url           text not null,
  body          text not null,            -- exactly the bytes that are signed and sent
  rounds        integer not null default 0, -- of attempts that were requested by hand
  created_at    timestamptz not null default now(),
  delivered_at  timestamptz,
  given_up_at   timestamptz
) partition by range (id);
create index deliveries_of_task on deliveries (task_id);
create index deliveries_of_account on deliveries (account_id, id);
create index deliveries_failed on deliveries (account_id, id) where delivered_at is null and given_up_at is not null;
create index deliveries_delivered on deliveries (account_id, id) where delivered_at is not null;

create table attempts (
  delivery_id  uuid not null,
  number       integer not null check (number >= 1),
  started_at   timestamptz not null,
  duration_ms  integer,
  status       smallint,                  -- of the receiver's response, if there was one
  reason       text,                      -- why it failed; null while running and after a 2xx
  primary key (delivery_id, number)
) partition by range (delivery_id);

-- A lane is what one account sends to one host.
create table open_deliveries (
  delivery_id      uuid primary key,
  account_id       uuid not null,
  host             text not null default '',
  attempts         integer not null default 0,
  attempts_before  integer not null default 0, -- of earlier rounds
  next_attempt_at  timestamptz not null
);
create index open_deliveries_in_lane on open_deliveries (account_id, host, next_attempt_at);
create index open_deliveries_of_account on open_deliveries (account_id, delivery_id);

grant select, insert, delete on events to zoetrope_service;
grant select, insert on deliveries, attempts to zoetrope_service;
grant update (delivered_at, given_up_at, rounds) on deliveries to zoetrope_service;
grant update (duration_ms, status, reason) on attempts to zoetrope_service;
grant select, insert, update, delete on open_deliveries to zoetrope_service;
