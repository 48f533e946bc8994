-- Takes as many as wanted and left; fewer than 0 gives back. A refusal only reads.
create or replace function take_allowance(
  p_account_id uuid, p_kind text, p_wanted integer, p_per_minute_max integer,
  out granted integer, out retry_after_ms integer
) language plpgsql as $$
declare
  a account_allowances;
  level double precision;
begin
  for is_locked in 0..1 loop
    if is_locked = 1 then
      insert into account_allowances values (p_account_id, p_kind, 0, clock_timestamp()) on conflict do nothing;
      select * into strict a from account_allowances where account_id = p_account_id and kind = p_kind for update;
    else
      select * into a from account_allowances where account_id = p_account_id and kind = p_kind;
      continue when not found;
    end if;
    level := greatest(a.used - p_per_minute_max * extract(epoch from clock_timestamp() - a.used_at) / 60, 0);
    granted := least(p_wanted, greatest(floor(p_per_minute_max - level), 0));
    retry_after_ms := greatest(ceil((level + 1 - p_per_minute_max) * 60000 / p_per_minute_max), 0);
    if granted = 0 then
      return;
    end if;
  end loop;
  update account_allowances set used = greatest(level + granted, 0), used_at = clock_timestamp()
  where account_id = p_account_id and kind = p_kind;
end
$$;
