-- What is old can go: partitions of every history table but the ledger's, and before that what callers
-- wrote into their requests. The ledger stays whole and can still be proven.

-- The ids whose tasks are gone, and what those had used of their keys' budgets: `ledger verify` needs it.
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
grant select on dropped_ranges, dropped_key_credits to zoetrope_service;

-- How far the purge of each table has come, and the tasks that were still open when it passed them.
create table purge_progress (
  name   text primary key,
  up_to  uuid not null
);
create table unpurged_tasks (task_id uuid primary key);
insert into purge_progress (name, up_to)
select name, '00000000-0000-0000-0000-000000000000' from unnest(array['tasks', 'deliveries', 'events']) as name;

-- Whether work is still to be done for rows of these ids.
create function is_range_open(p_parent text, p_from uuid, p_to uuid) returns boolean
language sql stable as $$
  select case
    when p_parent in ('tasks', 'submissions')
      then exists (select from open_tasks where task_id >= p_from and task_id < p_to)
    when p_parent in ('deliveries', 'attempts')
      then exists (select from open_deliveries where delivery_id >= p_from and delivery_id < p_to)
    else false end
$$;

-- Takes the oldest partition that ended before a time out of its table and answers its new name; null if
-- there is none, or work is still to be done for its rows. The table is locked only for that moment.
create function detach_partition(p_parent text, p_before timestamptz) returns text
language plpgsql security definer
set search_path = public, pg_temp set lock_timeout = '250ms' set enable_seqscan = on as $$
declare
  found_one record;
  gone text;
begin
  if p_parent not in ('tasks', 'submissions', 'deliveries', 'attempts', 'events') then
    raise exception '% is kept for ever', p_parent;
  end if;
  perform pg_advisory_xact_lock(7263002, hashtext(p_parent)); -- one at a time, over all processes
  select h.child, h.from_id, h.to_id into found_one from history_partitions h
  where h.parent = p_parent and h.to_id <= id_floor(p_before) and not is_range_open(p_parent, h.from_id, h.to_id)
  order by h.from_id limit 1;
  if not found then
    return null;
  end if;
  if p_parent = 'tasks' then
    execute format(
      'insert into dropped_key_credits as d (key_id, credits)
       select key_id, sum(credits) from %I where status <> ''FAILED'' and key_id is not null group by key_id
       on conflict (key_id) do update set credits = d.credits + excluded.credits', found_one.child);
    insert into dropped_ranges (parent, from_id, to_id) values (p_parent, found_one.from_id, found_one.to_id)
    on conflict (parent, from_id) do update -- rows came back into a month, by a clock that is wrong
      set to_id = greatest(dropped_ranges.to_id, excluded.to_id), dropped_at = now();
    delete from unpurged_tasks where task_id >= found_one.from_id and task_id < found_one.to_id;
  end if;
  execute format('lock table %I in access exclusive mode', p_parent);
  if is_range_open(p_parent, found_one.from_id, found_one.to_id) then
    raise exception 'work came for % meanwhile', found_one.child using errcode = 'lock_not_available';
  end if;
  gone := 'dropped_' || found_one.child;
  execute format('alter table %I detach partition %I', p_parent, found_one.child);
  execute format('alter table %I rename to %I', found_one.child, gone);
  return gone;
end
$$;

-- Drops one partition that was taken out, and answers its name; null if there is none. Nobody reads it
-- any more, so it does not matter how long the file system takes.
create function drop_detached() returns text
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '250ms' as $$
declare
  gone text;
begin
  select c.relname into gone from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not c.relispartition
    and c.relname ~ '^dropped_(tasks|submissions|deliveries|attempts|events)_[0-9]{4,}_[0-9]{2}(_[0-9]+)?$'
  limit 1;
  if found then
    execute format('drop table if exists %I', gone);
  end if;
  return gone;
end
$$;

-- A request without what its caller wrote or named; what it was priced by stays.
create function blank_request(request jsonb) returns jsonb language sql immutable as $$
  select coalesce(jsonb_object_agg(key, case
    when key = 'prompt' and value <> 'null' then '""'
    when key in ('images', 'videos', 'audios') then '[]'
    when key = 'source' then 'null'
    else value end), '{}')
  from jsonb_each(request) where key <> 'promptCut'
$$;

-- Blanks the next rows of a table that are older than a time, in the order of their ids, and answers how
-- many it looked at. Every row is passed once. Tasks lose what was written in the request; deliveries
-- and events keep the task's id.
create function purge_prompts(p_table text, p_before timestamptz, p_rows_max integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  ids uuid[];
  late uuid[];
  passed uuid;
begin
  select up_to into passed from purge_progress where name = p_table for update skip locked;
  if not found then
    return 0; -- another process is at it
  end if;
  if p_table = 'tasks' then
    late := array(select u.task_id from unpurged_tasks u
                  where not exists (select from open_tasks o where o.task_id = u.task_id) limit p_rows_max);
    update tasks set request = blank_request(request), inputs = null where id = any (late);
    delete from unpurged_tasks where task_id = any (late);
    ids := array(select id from tasks where id > passed and id < id_floor(p_before) order by id limit p_rows_max);
    insert into unpurged_tasks (task_id) select task_id from open_tasks where task_id = any (ids)
    on conflict do nothing;
    update tasks set request = blank_request(request), inputs = null
    where id = any (ids) and not exists (select from unpurged_tasks u where u.task_id = tasks.id);
  elsif p_table = 'deliveries' then
    ids := array(select id from deliveries where id > passed and id < id_floor(p_before) order by id limit p_rows_max);
    update deliveries set body = jsonb_strip_nulls(jsonb_build_object('taskId', task_id))::text where id = any (ids);
  else
    ids := array(select id from events where id > passed and id < id_floor(p_before) order by id limit p_rows_max);
    update events set body = jsonb_build_object('taskId', task_id)::text where id = any (ids);
  end if;
  if cardinality(ids) > 0 then
    update purge_progress set up_to = ids[cardinality(ids)] where name = p_table;
  end if;
  return cardinality(ids);
end
$$;

revoke execute on function detach_partition, drop_detached, purge_prompts from public;
grant execute on function detach_partition, drop_detached, purge_prompts to zoetrope_service;
