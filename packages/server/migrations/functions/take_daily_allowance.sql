-- Takes all that is wanted, or nothing: a leaky bucket that is empty again after a day. With 0 wanted it only says
-- whether something is left.
create or replace function take_daily_allowance(
  p_account_id uuid, p_kind text, p_wanted integer, p_per_day_max integer,
  out is_granted boolean, out retry_after_ms bigint
) language plpgsql as $$
declare
  a account_allowances;
  level double precision;
begin
  if p_wanted > 0 then
    insert into account_allowances values (p_account_id, p_kind, 0, clock_timestamp()) on conflict do nothing;
    select * into strict a from account_allowances where account_id = p_account_id and kind = p_kind for update;
  else
    select * into a from account_allowances where account_id = p_account_id and kind = p_kind;
  end if;
  level := coalesce(
    greatest(a.used - p_per_day_max::double precision * extract(epoch from clock_timestamp() - a.used_at) / 86400, 0), 0);
  is_granted := level + greatest(p_wanted, 1) <= p_per_day_max;
  retry_after_ms := 0;
  if not is_granted then
    retry_after_ms := ceil(
      (level + greatest(p_wanted, 1) - p_per_day_max) * 86400000 / greatest(p_per_day_max, 1));
    return;
  end if;
  if p_wanted > 0 then
    update account_allowances set used = level + p_wanted, used_at = clock_timestamp()
    where account_id = p_account_id and kind = p_kind;
  end if;
end
$$;
