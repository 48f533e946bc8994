-- Whether a grant needs a second person: with what the asker has posted alone in 24 hours, or what the account has got
-- that way, it is above the limit. Grants of one asker wait for each other; the account's row is locked before.
create or replace function needs_second_person(
  p_account_id uuid, p_asked_kind text, p_asked_by text, p_credits bigint
) returns boolean language plpgsql as $$
declare
  most bigint;
  moved numeric;
begin
  select credits into most from grant_limits where status = 'set' order by set_at desc limit 1;
  if most is null then
    return false;
  end if;
  perform pg_advisory_xact_lock(hashtextextended(format('grants of %s %s', p_asked_kind, p_asked_by), 0));
  select greatest(
    (select coalesce(sum(abs(credits)), 0) from grants
     where asked_kind = p_asked_kind and asked_by = p_asked_by and created_at > now() - interval '24 hours'
       and status = 'posted' and decided_by is null),
    (select coalesce(sum(abs(credits)), 0) from grants
     where account_id = p_account_id and created_at > now() - interval '24 hours'
       and status = 'posted' and decided_by is null)) into moved;
  return moved + abs(p_credits) > most;
end
$$;
grant execute on function needs_second_person(uuid, text, text, bigint) to zoetrope_service;
