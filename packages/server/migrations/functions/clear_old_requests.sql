-- Empties the partition of logged requests that is written from tomorrow on. Answers whether it had rows.
create or replace function clear_old_requests(out had_rows boolean)
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '250ms' as $$
declare
  child text := 'logged_requests_' || (floor(extract(epoch from now()) / 86400)::bigint + 1) % 8;
begin
  execute format('select exists (select from %I)', child) into had_rows;
  if had_rows then
    execute format('truncate %I', child);
  end if;
end
$$;
revoke execute on function clear_old_requests from public;
grant execute on function clear_old_requests to zoetrope_service;
