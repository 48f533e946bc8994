-- What lots of an account whose time is over lose now. Held credits count as lying in the lots in the order of use, in
-- which lots that have expired come first.
create or replace function expired_credits(p_account_id uuid, p_held bigint)
returns table (lot_id uuid, credits bigint) language plpgsql stable as $$
begin
  return query
    select e.id, e.lost from (
      select l.id, least(l.credits_left,
                         (sum(l.credits_left) over (order by l.expires_at, l.net_minor > 0, l.id))::bigint - p_held) as lost
      from lots l where l.account_id = p_account_id and l.is_open and l.expires_at <= now()) e
    where e.lost > 0;
end
$$;
