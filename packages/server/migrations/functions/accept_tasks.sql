-- Admits tasks of many accounts in one transaction, each as accept_task does by itself, in the order of their places.
-- Accounts are locked in the order of their ids, as in finish_tasks. p_wait says for how long locks of others are waited
-- for: 'brief'; 'skip', not at all; 'long', as usual. Tasks that would have to wait are busy: nothing is decided.
create or replace function accept_tasks(
  p_rows json, p_wait text, out place integer, out is_busy boolean,
  out outcome text, out task_id uuid, out amount bigint, out amount_max bigint
) returns setof record language plpgsql as $$
declare
  r record;
  a uuid;
  held uuid[] := '{}'; -- accounts that others have locked
begin
  if p_wait = 'brief' then
    perform set_config('lock_timeout', '50ms', true);
  end if;
  for a in select distinct t.account_id from json_to_recordset(p_rows) as t (account_id uuid) order by 1 loop
    if p_wait = 'skip' then
      perform from accounts where id = a for no key update skip locked;
      if not found then
        held := held || a;
      end if;
    else
      perform from accounts where id = a for no key update;
    end if;
  end loop;
  for r in
    select t.* from json_to_recordset(p_rows) as t (
      place integer, account_id uuid, key_id uuid, task_id uuid, hold_id uuid, kind text, model text, request jsonb,
      price_schedule text, credits bigint, credits_max bigint, callback_url text, vendor_account text,
      age_max_ms float8, wake_again_ms float8, idempotency_key text, fingerprint bytea, traceparent text)
    order by t.place
  loop
    place := r.place;
    is_busy := r.account_id = any (held);
    outcome := null; task_id := null; amount := null; amount_max := null;
    if not is_busy then
      select d.outcome, d.task_id, d.amount, d.amount_max into outcome, task_id, amount, amount_max
      from accept_task(
        p_account_id => r.account_id, p_key_id => r.key_id, p_task_id => r.task_id, p_hold_id => r.hold_id,
        p_kind => r.kind, p_model => r.model, p_request => r.request, p_price_schedule => r.price_schedule,
        p_credits => r.credits, p_credits_max => r.credits_max, p_callback_url => r.callback_url,
        p_vendor_account => r.vendor_account, p_age_max_ms => r.age_max_ms, p_wake_again_ms => r.wake_again_ms,
        p_idempotency_key => r.idempotency_key, p_fingerprint => r.fingerprint, p_traceparent => r.traceparent) d;
    end if;
    return next;
  end loop;
end
$$;
