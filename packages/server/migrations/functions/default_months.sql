-- The months of which the default partition of a table has rows.
create or replace function default_months(p_parent text) returns table (month timestamptz)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  key text := history_key(p_parent);
  at_id uuid := '00000000-0000-0000-0000-000000000000';
begin
  loop
    execute format('select %1$I from %2$I where %1$I >= $1 order by 1 limit 1', key, p_parent || '_default')
      into at_id using at_id;
    exit when at_id is null;
    month := date_trunc('month', id_time(at_id), 'UTC');
    return next;
    at_id := id_floor(month + interval '1 month');
  end loop;
end
$$;
revoke execute on function default_months from public;
grant execute on function default_months to zoetrope_service;
