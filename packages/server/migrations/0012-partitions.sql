-- Partitions are made, emptied into and dropped while the service runs: one table per transaction, and
-- no lock is waited for longer than a quarter of a second. That is less than deadlock_timeout (1 s), so
-- whoever is in a cycle with one of these functions is never the one that is ended.

-- To attach or drop a partition of tasks would lock all accounts for this reference, in the middle of
-- accept_task and finish_task, which need both tables in different orders. It adds nothing: accept_task
-- holds the lock of the account's row, and no role of the service can delete an account.
alter table tasks drop constraint tasks_account_id_fkey;

-- When an id was made: its first 48 bits are milliseconds.
create function id_time(id uuid) returns timestamptz language sql immutable as $$
  select to_timestamp(('x0000' || left(replace(id::text, '-', ''), 12))::bit(64)::bigint / 1000.0)
$$;

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
grant select on history_partitions to zoetrope_service;

-- The column that a history table is partitioned by.
create function history_key(p_parent text) returns text language plpgsql stable as $$
declare
  key text;
begin
  select a.attname into key
  from pg_partitioned_table p
  join pg_class c on c.oid = p.partrelid
  join pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0]
  where c.relname = p_parent and c.relnamespace = 'public'::regnamespace;
  if key is null then
    raise exception '% is no history table', p_parent;
  end if;
  return key;
end
$$;

-- Makes the partition of a month, and moves there what the default partition has of it. Answers whether
-- the month has all it needs. At most so many rows are moved at once, because the default partition is
-- locked meanwhile: a month of which it has more is made of several partitions, one for each call. Rows
-- move in the transaction that attaches them, and then the whole table is locked: a statement that knew
-- its partitions before and reads them after would find such a row in neither.
create function create_partition(p_parent text, p_month timestamptz, p_rows_max integer)
returns boolean language plpgsql security definer
set search_path = public, pg_temp set lock_timeout = '250ms' as $$
declare
  key text := history_key(p_parent);
  month_start timestamptz := date_trunc('month', p_month, 'UTC');
  month_end_id uuid := id_floor(month_start + interval '1 month');
  before text := p_parent || '_default';
  child text := p_parent || to_char(month_start at time zone 'UTC', '_YYYY_MM');
  made integer;
  first_id uuid;
  last_id uuid; -- not included
  columns text;
  has_rows boolean;
  still_has_rows boolean;
  find_rows text := format('select exists (select from %2$I where %1$I >= $1 and %1$I < $2)', key, before);
begin
  perform pg_advisory_xact_lock(7263002, hashtext(p_parent)); -- one at a time, over all processes
  select count(*), coalesce(max(h.to_id::text)::uuid, id_floor(month_start)) into made, first_id
  from history_partitions h
  where h.parent = p_parent and h.from_id >= id_floor(month_start) and h.to_id <= month_end_id;
  if first_id = month_end_id then
    return true;
  end if;
  if made > 0 then
    child := child || '_' || made + 1;
  end if;
  execute format('select %1$I from %2$I where %1$I > $1 and %1$I < $2 order by 1 offset $3 limit 1', key, before)
    into last_id using first_id, month_end_id, p_rows_max;
  last_id := coalesce(last_id, month_end_id);

  execute find_rows into has_rows using first_id, last_id;
  if has_rows then
    execute format('lock table %I in access exclusive mode', p_parent);
  end if;
  execute format('create table %I (like %I including all)', child, p_parent);
  execute format('lock table %I in access exclusive mode', before);
  execute find_rows into still_has_rows using first_id, last_id;
  if still_has_rows and not has_rows then
    raise exception 'rows came into % meanwhile', before using errcode = 'lock_not_available';
  end if;
  if has_rows then
    select string_agg(quote_ident(a.attname), ', ' order by a.attnum) into columns
    from pg_attribute a where a.attrelid = p_parent::regclass and a.attnum > 0 and not a.attisdropped;
    -- The ledger's rows are not changed: they are the same rows in another place.
    execute format('alter table %I disable trigger user', before);
    execute format(
      'with moved as (delete from %3$I where %1$I >= $1 and %1$I < $2 returning %4$s)
       insert into %2$I (%4$s) select %4$s from moved', key, child, before, columns)
      using first_id, last_id;
    execute format('alter table %I enable trigger user', before);
  end if;
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', p_parent, child, first_id, last_id);
  return last_id = month_end_id;
end
$$;

-- The months of which the default partition of a table has rows.
create function default_months(p_parent text) returns setof timestamptz
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  key text := history_key(p_parent);
  at_id uuid := '00000000-0000-0000-0000-000000000000';
  month_start timestamptz;
begin
  loop
    execute format('select %1$I from %2$I where %1$I >= $1 order by 1 limit 1', key, p_parent || '_default')
      into at_id using at_id;
    exit when at_id is null;
    month_start := date_trunc('month', id_time(at_id), 'UTC');
    return next month_start;
    at_id := id_floor(month_start + interval '1 month');
  end loop;
end
$$;

-- For the release before this one, which asks for all tables and months in one statement. Tasks come
-- first: who waits for their default partition holds no lock on the other tables yet. It stops where it
-- would have to wait and goes on when it is called again.
create or replace function create_partitions(since timestamptz, until timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  parent text;
  month_start timestamptz := date_trunc('month', since, 'UTC');
begin
  while month_start <= until loop
    foreach parent in array array['tasks', 'transfers', 'entries', 'events', 'submissions', 'attempts', 'deliveries'] loop
      while not create_partition(parent, month_start, 10000) loop
      end loop;
    end loop;
    month_start := month_start + interval '1 month';
  end loop;
exception when lock_not_available or deadlock_detected then
  raise warning 'partitions are not complete: %', sqlerrm;
end
$$;

revoke execute on function create_partition, default_months from public;
grant execute on function create_partition, default_months to zoetrope_service;
