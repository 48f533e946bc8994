-- Moves an amount between two books and keeps the account's cached sums. The row update comes first: it is the lock
-- that puts the account's transfers in order.
create or replace function post_transfer(
  p_cause_id uuid, p_kind text, p_transfer_id uuid, p_account_id uuid, p_amount bigint, p_note text default null
) returns void language plpgsql as $$
declare
  a accounts;
  source text := case p_kind when 'grant' then 'issued' when 'adjust' then 'issued'
                             when 'hold' then 'available' when 'raise' then 'available' else 'held' end;
  target text := case p_kind when 'hold' then 'held' when 'raise' then 'held'
                             when 'capture' then 'revenue' else 'available' end;
begin
  update accounts set
    transfers = transfers + 1,
    credits = credits + case when p_kind in ('grant', 'adjust') then p_amount when p_kind = 'capture' then -p_amount else 0 end,
    held = held + case when p_kind in ('hold', 'raise') then p_amount when p_kind in ('capture', 'release') then -p_amount else 0 end
  where id = p_account_id returning * into a;
  if not found then
    raise exception 'there is no account %', p_account_id using errcode = 'no_data_found';
  end if;
  insert into transfers (cause_id, kind, id, account_id, amount, note, number, credits_after, held_after)
  values (p_cause_id, p_kind, p_transfer_id, p_account_id, p_amount, p_note, a.transfers, a.credits, a.held);
  insert into entries (cause_id, kind, account_id, book, amount)
  values (p_cause_id, p_kind, p_account_id, source, -p_amount), (p_cause_id, p_kind, p_account_id, target, p_amount);
  -- Once per crossing: between two grants the settled balance only falls.
  if p_kind in ('capture', 'adjust') and a.credits < a.credits_low
     and a.credits + abs(p_amount) >= a.credits_low and (p_kind = 'capture' or p_amount < 0) then
    perform queue_event(p_account_id => p_account_id, p_event_id => sibling_id(p_transfer_id), p_type => 'credits.low',
      p_data => jsonb_build_object('credits', a.credits, 'availableCredits', a.credits - a.held,
                                   'creditsLow', a.credits_low)::text);
    perform note_owners(p_account_id, 'credits', jsonb_build_object('credits', a.credits,
      'availableCredits', a.credits - a.held, 'creditsLow', a.credits_low));
  end if;
end
$$;
