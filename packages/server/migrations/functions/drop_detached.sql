-- Drops one detached partition and answers its name; null if there is none. Nobody reads it any more, so it does not
-- matter how long the file system takes.
create or replace function drop_detached(out partition text)
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '250ms' as $$
begin
  select c.relname into partition from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not c.relispartition
    and c.relname ~ '^dropped_(tasks|submissions|deliveries|attempts|events)_[0-9]{4,}_[0-9]{2}(_[0-9]+)?$'
  limit 1;
  if found then
    execute format('drop table if exists %I', partition);
  end if;
end
$$;
revoke execute on function drop_detached from public;
grant execute on function drop_detached to zoetrope_service;
