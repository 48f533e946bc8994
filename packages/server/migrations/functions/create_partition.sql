-- Makes the partition of a month, and moves what the default partition has of it there. Answers whether the month is
-- complete. At most p_rows_max rows are moved per call, because the default partition is locked meanwhile: a month of
-- which it has more consists of several partitions, one for each call. Rows move in the transaction that attaches them,
-- and then the whole table is locked: a statement that planned before and reads after would find such a row in neither.
--
-- The lock_timeout is below deadlock_timeout (1 s): in a deadlock it is this function that gives way.
create or replace function create_partition(
  p_parent text, p_month timestamptz, p_rows_max integer, out is_complete boolean
) language plpgsql security definer
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
    is_complete := true;
    return;
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
  is_complete := last_id = month_end_id;
end
$$;
revoke execute on function create_partition from public;
grant execute on function create_partition to zoetrope_service;
