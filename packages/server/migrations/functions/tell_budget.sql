-- Tells the account that a key has used 80 or 100 percent of its budget, each once until the budget is changed. The
-- caller holds the account's lock and has just counted what is used.
create or replace function tell_budget(p_key_id uuid, p_cause_id uuid) returns void language plpgsql as $$
declare
  k api_keys;
  share smallint;
begin
  select * into strict k from api_keys where id = p_key_id;
  share := case when k.credits_used >= k.credits_max then 100 when k.credits_used * 5 >= k.credits_max * 4 then 80 else 0 end;
  if share > k.budget_told then
    update api_keys set budget_told = share where id = p_key_id;
    perform queue_event(p_account_id => k.account_id, p_event_id => sibling_id(p_cause_id), p_type => 'key.budget_low',
      p_data => jsonb_build_object('keyId', k.id, 'name', k.name, 'hint', k.hint, 'percent', share,
                                   'creditsMax', k.credits_max, 'creditsLeft', k.credits_max - k.credits_used)::text);
    perform note_owners(k.account_id, 'key ' || k.id,
      jsonb_build_object('name', k.name, 'hint', k.hint, 'percent', share, 'creditsMax', k.credits_max));
  end if;
end
$$;
