-- Detaches the oldest partition that ended before a time and answers its new name; null if there is none, or its rows
-- still have work to be done. The table is locked only for that moment.
create or replace function detach_partition(p_parent text, p_before timestamptz, out partition text)
language plpgsql security definer
set search_path = public, pg_temp set lock_timeout = '250ms' set enable_seqscan = on as $$
declare
  found_one record;
begin
  if p_parent not in ('tasks', 'submissions', 'deliveries', 'attempts', 'events') then
    raise exception '% is kept for ever', p_parent;
  end if;
  perform pg_advisory_xact_lock(7263002, hashtext(p_parent)); -- one at a time, over all processes
  select h.child, h.from_id, h.to_id into found_one from history_partitions h
  where h.parent = p_parent and h.to_id <= id_floor(p_before) and not is_range_open(p_parent, h.from_id, h.to_id)
  order by h.from_id limit 1;
  if not found then
    return;
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
  partition := 'dropped_' || found_one.child;
  execute format('alter table %I detach partition %I', p_parent, found_one.child);
  execute format('alter table %I rename to %I', found_one.child, partition);
end
$$;
revoke execute on function detach_partition from public;
grant execute on function detach_partition to zoetrope_service;
