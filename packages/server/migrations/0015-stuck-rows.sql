-- Rows that a loop could not work on: one row never fails a batch. A row is left alone until
-- next_try_at; one that keeps failing while others succeed is parked until an operator decides.
create table stuck_rows (
  loop             text not null,
  key              text not null,              -- of the row in the table that the loop works on
  account_id       uuid,                       -- whose it is, where that is known
  failures         integer not null check (failures > 0),
  first_failed_at  timestamptz not null default now(),
  last_failed_at   timestamptz not null default now(),
  next_try_at      timestamptz not null,       -- infinity: parked
  parked_at        timestamptz,
  reason           text not null,              -- for operators
  primary key (loop, key)
);

grant select, insert, update, delete on stuck_rows to zoetrope_service;
