-- functions: id_floor, history_key, create_partition
-- What the loops need: rows that failed, partitions, retention.

-- Rows that a loop could not process: one row never fails a batch. A row is left alone until next_try_at; one that
-- keeps failing while others succeed is parked until an operator decides.
create table stuck_rows (
  loop             text not null,
  key              text not null,              -- of the row in the table that the loop works on
  account_id       uuid,                       -- its owner, where that is known
  failures         integer not null check (failures > 0),
  first_failed_at  timestamptz not null default now(),
  last_failed_at   timestamptz not null default now(),
  next_try_at      timestamptz not null,       -- infinity: parked
  parked_at        timestamptz,
  reason           text not null,              -- for operators
  primary key (loop, key)
);

-- The partitions of the history tables, without the default ones.
create view history_partitions as
select p.relname::text as parent, c.relname::text as child,
       substring(bounds.text from 'FROM \(''([0-9a-f-]{36})''\)')::uuid as from_id,
       substring(bounds.text from 'TO \(''([0-9a-f-]{36})''\)')::uuid as to_id
from pg_inherits i
join pg_class p on p.oid = i.inhparent and p.relnamespace = 'public'::regnamespace and p.relkind = 'p'
join pg_class c on c.oid = i.inhrelid and c.relkind = 'r'
cross join lateral (select pg_get_expr(c.relpartbound, c.oid) as text) bounds
where bounds.text <> 'DEFAULT';

-- The id ranges whose tasks are dropped, and what those had used of their keys' budgets: `ledger verify` needs both.
create table dropped_ranges (
  parent      text not null,
  from_id     uuid not null,
  to_id       uuid not null,              -- not included
  dropped_at  timestamptz not null default now(),
  primary key (parent, from_id)
);
create table dropped_key_credits (
  key_id   uuid primary key,
  credits  bigint not null
);

-- How far the purge of each table has come, and the tasks that were still open when it passed them.
create table purge_progress (
  name   text primary key,
  up_to  uuid not null
);
create table unpurged_tasks (task_id uuid primary key);
insert into purge_progress (name, up_to)
select name, '00000000-0000-0000-0000-000000000000' from unnest(array['tasks', 'deliveries', 'events']) as name;

grant select, insert, update, delete on stuck_rows to zoetrope_service;
grant select on history_partitions, dropped_ranges, dropped_key_credits to zoetrope_service;

-- The default partitions only catch rows of months that have none yet.
do $$
declare
  parent text;
begin
  foreach parent in array array['transfers', 'entries', 'tasks', 'submissions', 'deliveries', 'attempts', 'events'] loop
    execute format('create table %I partition of %I default', parent || '_default', parent);
    for months_ahead in 0..2 loop
      perform create_partition(p_parent => parent, p_month => now() + months_ahead * interval '1 month', p_rows_max => 1);
    end loop;
  end loop;
end
$$;
