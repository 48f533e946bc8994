-- Takes credits out of the lots of an account, whose row is locked, and writes how many of which. Answers how many no
-- lot has. A charge takes them in the order of use; a correction free ones first, then the newest that were paid; an
-- expiry what is left of those whose time is over.
create or replace function use_lots(
  p_account_id uuid, p_held bigint, p_cause_id uuid, p_kind text, p_credits bigint
) returns bigint language plpgsql as $$
declare
  lots_in_turn refcursor;
  l record;
  missing bigint := p_credits;
  taken bigint;
  gone bigint;
begin
  if p_kind = 'capture' then
    open lots_in_turn for
      select id, credits, credits_left, net_minor, credits_left as most from lots
      where account_id = p_account_id and is_open order by expires_at, net_minor > 0, id;
  elsif p_kind = 'adjust' then
    open lots_in_turn for
      select id, credits, credits_left, net_minor, credits_left as most from lots
      where account_id = p_account_id and is_open
      order by net_minor > 0, case when net_minor = 0 then expires_at end, case when net_minor = 0 then id end, id desc;
  else
    open lots_in_turn for
      select lots.id, lots.credits, lots.credits_left, lots.net_minor, e.credits as most
      from expired_credits(p_account_id => p_account_id, p_held => p_held) e join lots on lots.id = e.lot_id;
  end if;
  while missing > 0 loop
    fetch lots_in_turn into l;
    exit when not found;
    taken := least(l.most, missing);
    gone := l.credits - l.credits_left;
    update lots set credits_left = l.credits_left - taken, is_open = l.credits_left > taken where id = l.id;
    -- Cumulative, so that a lot that is used up has given exactly its net. Numeric: the product may exceed a bigint.
    insert into lot_uses (cause_id, kind, lot_id, account_id, credits, net_minor)
    values (p_cause_id, p_kind, l.id, p_account_id, taken,
            case when l.net_minor = 0 then 0
                 else div(l.net_minor::numeric * (gone + taken), l.credits) - div(l.net_minor::numeric * gone, l.credits)
            end);
    missing := missing - taken;
  end loop;
  close lots_in_turn;
  return missing;
end
$$;
