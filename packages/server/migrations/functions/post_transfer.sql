-- Moves an amount between two books and keeps the account's cached sums and its lots. The row update comes first: it is
-- the lock that puts the account's transfers in order. The last four arguments are of the lot that a transfer makes which
-- raises the credits: where they come from, what was paid for them without tax, and when they expire.
create or replace function post_transfer(
  p_cause_id uuid, p_kind text, p_transfer_id uuid, p_account_id uuid, p_amount bigint, p_note text default null,
  p_source text default null, p_net_minor bigint default 0, p_currency text default null,
  p_expires_at timestamptz default null
) returns void language plpgsql as $$
declare
  a accounts;
  source text := case p_kind when 'grant' then 'issued' when 'adjust' then 'issued'
                             when 'hold' then 'available' when 'raise' then 'available'
                             when 'expiry' then 'available' else 'held' end;
  target text := case p_kind when 'hold' then 'held' when 'raise' then 'held' when 'expiry' then 'issued'
                             when 'capture' then 'revenue' else 'available' end;
  change bigint := case when p_kind in ('grant', 'adjust') then p_amount
                        when p_kind in ('capture', 'expiry') then -p_amount else 0 end;
  missing bigint;
begin
  update accounts set
    transfers = transfers + 1,
    credits = credits + change,
    held = held + case when p_kind in ('hold', 'raise') then p_amount when p_kind in ('capture', 'release') then -p_amount else 0 end
  where id = p_account_id returning * into a;
  if not found then
    raise exception 'there is no account %', p_account_id using errcode = 'no_data_found';
  end if;
  insert into transfers (cause_id, kind, id, account_id, amount, note, number, credits_after, held_after)
  values (p_cause_id, p_kind, p_transfer_id, p_account_id, p_amount, p_note, a.transfers, a.credits, a.held);
  insert into entries (cause_id, kind, account_id, book, amount)
  values (p_cause_id, p_kind, p_account_id, source, -p_amount), (p_cause_id, p_kind, p_account_id, target, p_amount);
  if change > 0 then
    perform make_first_lot(p_account => a, p_credits => a.credits - change, p_number => a.transfers - 1);
    insert into lots (id, account_id, number, source, credits, credits_left, net_minor, currency, expires_at, cause_id)
    values (p_transfer_id, p_account_id, a.transfers,
            case when a.test_of is not null then 'test'
                 else coalesce(p_source, case p_kind when 'grant' then 'goodwill' else 'adjustment' end) end,
            change, change, case when a.test_of is null then p_net_minor else 0 end,
            case when a.test_of is null then p_currency end, case when a.test_of is null then p_expires_at end, p_cause_id);
  elsif change < 0 then
    missing := use_lots(p_account_id => p_account_id, p_held => a.held, p_cause_id => p_cause_id, p_kind => p_kind,
                        p_credits => -change);
    if missing = -change and make_first_lot(p_account => a, p_credits => a.credits - change, p_number => a.transfers - 1) then
      missing := use_lots(p_account_id => p_account_id, p_held => a.held, p_cause_id => p_cause_id, p_kind => p_kind,
                          p_credits => -change);
    end if;
    if missing > 0 then
      raise exception 'the lots of the account % lack % credits of the % %', p_account_id, missing, p_kind, p_cause_id;
    end if;
  end if;
  -- Once per crossing: between two grants the settled balance only falls.
  if change < 0 and a.credits < a.credits_low and a.credits - change >= a.credits_low then
    perform queue_event(p_account_id => p_account_id, p_event_id => sibling_id(p_transfer_id), p_type => 'credits.low',
      p_data => jsonb_build_object('credits', a.credits, 'availableCredits', a.credits - a.held,
                                   'creditsLow', a.credits_low)::text);
    perform note_owners(p_account_id, 'credits', jsonb_build_object('credits', a.credits,
      'availableCredits', a.credits - a.held, 'creditsLow', a.credits_low));
  end if;
end
$$;
