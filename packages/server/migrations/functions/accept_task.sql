-- Accepts one task, with the arguments of the release before and of SQL that plants tasks. It gets no new ones:
-- the service calls accept_tasks.
create or replace function accept_task(
  p_account_id uuid, p_key_id uuid, p_task_id uuid, p_hold_id uuid,
  p_kind text, p_model text, p_request jsonb, p_price_schedule text,
  p_credits bigint, p_credits_max bigint, p_callback_url text,
  p_vendor_account text, p_age_max_ms float8, p_wake_again_ms float8,
  p_idempotency_key text, p_fingerprint bytea, p_traceparent text default null,
  out outcome text, out task_id uuid, out amount bigint, out amount_max bigint
) language plpgsql as $$
begin
  select d.outcome, d.task_id, d.amount, d.amount_max into outcome, task_id, amount, amount_max
  from accept_tasks(p_wait => 'long', p_rows => json_build_array(json_build_object(
    'place', 0, 'account_id', p_account_id, 'key_id', p_key_id, 'task_id', p_task_id, 'hold_id', p_hold_id,
    'kind', p_kind, 'model', p_model, 'request', p_request, 'price_schedule', p_price_schedule,
    'credits', p_credits, 'credits_max', p_credits_max, 'callback_url', p_callback_url,
    'vendor_account', p_vendor_account, 'age_max_ms', p_age_max_ms, 'wake_again_ms', p_wake_again_ms,
    'idempotency_key', p_idempotency_key, 'fingerprint', p_fingerprint, 'traceparent', p_traceparent))) d;
end
$$;
