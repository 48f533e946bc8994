-- What operators decide while the service runs: suspended accounts, notes, grants, switches; and what they ask for.
alter table accounts
  add column suspended_at      timestamptz, -- nothing new is accepted from then on
  add column suspended_reason  text;        -- for operators
grant update (name, price_schedule, open_tasks_max, suspended_at, suspended_reason) on accounts to zoetrope_service;

-- What operators write about an account. The account does not see it.
create table account_notes (
  id          uuid primary key,
  account_id  uuid not null references accounts,
  actor_kind  text not null check (actor_kind in ('person', 'command')),
  actor       text not null,      -- the id, or the user of a command
  note        text not null check (char_length(note) between 1 and 4000),
  created_at  timestamptz not null default now()
);
create index account_notes_of_account on account_notes (account_id, id);

-- Grants and adjustments of operators. A large one waits for a second person; it has no effect until it is posted.
create table grants (
  id               uuid primary key,   -- of the transfer that it becomes
  account_id       uuid not null references accounts,
  kind             text not null check (kind in ('grant', 'adjust')),
  credits          bigint not null check (credits > 0 or (kind = 'adjust' and credits <> 0)),
  reason           text not null check (char_length(reason) between 1 and 500), -- the note of the transfer
  status           text not null check (status in ('pending', 'posted', 'rejected')),
  asked_kind       text not null check (asked_kind in ('person', 'command')),
  asked_by         text not null,      -- the id, or the user of a command
  idempotency_key  text check (char_length(idempotency_key) between 1 and 255),
  created_at       timestamptz not null default now(),
  expires_at       timestamptz,        -- a pending one cannot be approved from then on
  decided_kind     text check (decided_kind in ('person', 'command')),
  decided_by       text,
  decided_at       timestamptz,
  constraint pending_expires check (status <> 'pending' or expires_at is not null),
  constraint second_person check (status <> 'posted' or (asked_kind, asked_by) is distinct from (decided_kind, decided_by))
);
create index grants_of_account on grants (account_id, id);
create index grants_pending on grants (id) where status = 'pending';
create unique index grants_once on grants (account_id, idempotency_key);

-- What is switched while the service runs: `banner`, or `model NAME` for one that is off.
create table switches (
  name        text primary key check (char_length(name) between 1 and 100),
  value       jsonb not null,
  changed_at  timestamptz not null default now()
);

-- Checks of the whole ledger that were asked for. A worker makes them.
create table ledger_checks (
  id           uuid primary key,
  started_at   timestamptz,
  finished_at  timestamptz,
  transfers    bigint,
  tasks        bigint,
  breaches     jsonb,              -- the rows that break an invariant; empty: none does
  failure      text,               -- why it could not be made
  created_at   timestamptz not null default now()
);
create index ledger_checks_open on ledger_checks (id) where finished_at is null;

-- The processes of the service, as each says of itself every few seconds.
create table processes (
  id          uuid primary key,
  role        text not null,
  version     text not null,
  host        text not null,
  started_at  timestamptz not null,
  seen_at     timestamptz not null default now(),
  loops       jsonb not null       -- of a worker: name and last success of each
);
create index processes_seen on processes (seen_at);

grant select on migrations to zoetrope_service;
grant select, insert, delete on account_notes to zoetrope_service;
grant select, insert on grants to zoetrope_service;
grant update (status, decided_kind, decided_by, decided_at) on grants to zoetrope_service;
grant select, insert, update, delete on switches, processes to zoetrope_service;
grant select, insert, update on ledger_checks to zoetrope_service;
