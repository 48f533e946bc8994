-- Admits, holds and records a task, or says why not. Nothing is written unless the outcome is 'accepted'. Refusals
-- for a limit also give the amount that was met and the most that is allowed; 'accepted' gives the open tasks and
-- their limit.
create or replace function accept_task(
  p_account_id uuid, p_key_id uuid, p_task_id uuid, p_hold_id uuid,
  p_kind text, p_model text, p_request jsonb, p_price_schedule text,
  p_credits bigint, p_credits_max bigint, p_callback_url text,
  p_vendor_account text, p_age_max_ms float8, p_wake_again_ms float8,
  p_idempotency_key text, p_fingerprint bytea, p_traceparent text default null,
  out outcome text, out task_id uuid, out amount bigint, out amount_max bigint
) language plpgsql as $$
declare
  a accounts;
  k api_keys;
  earlier idempotency_keys;
  open_count bigint;
begin
  -- One at a time per account: what is decided below about open tasks, balance and budget stays true.
  select * into a from accounts where id = p_account_id for no key update;
  if a.moved_to is not null then
    outcome := 'account_moved';
    return;
  end if;
  if p_idempotency_key is not null then
    select * into earlier from idempotency_keys i where i.account_id = p_account_id and i.key = p_idempotency_key;
    if found then
      task_id := (earlier.response ->> 'taskId')::uuid;
      outcome := case when earlier.fingerprint = p_fingerprint then 'replayed' else 'idempotency_key_reused' end;
      return;
    end if;
  end if;
  if a.suspended_at is not null then
    outcome := 'account_suspended';
    return;
  end if;
  select * into k from api_keys where id = p_key_id; -- as it is now: it may have been revoked a moment ago
  if k.revoked_at is not null or k.expires_at <= now() then
    outcome := 'unauthorized';
    return;
  end if;
  select count(*) into open_count from open_tasks o where o.account_id = p_account_id;
  if open_count >= a.open_tasks_max then
    outcome := 'concurrency_limit'; amount := open_count; amount_max := a.open_tasks_max;
    return;
  end if;
  if p_credits > p_credits_max then
    outcome := 'price_above_max'; amount := p_credits; amount_max := p_credits_max;
    return;
  end if;
  if p_credits > a.credits - a.held then
    outcome := 'insufficient_credits'; amount := p_credits; amount_max := a.credits - a.held;
    return;
  end if;
  if p_credits > k.credits_max - k.credits_used then
    outcome := 'key_budget_exceeded'; amount := p_credits; amount_max := k.credits_max - k.credits_used;
    return;
  end if;

  perform post_transfer(p_cause_id => p_task_id, p_kind => 'hold', p_transfer_id => p_hold_id,
                        p_account_id => p_account_id, p_amount => p_credits);
  if k.credits_max is not null then
    update api_keys set credits_used = credits_used + p_credits where id = p_key_id;
    perform tell_budget(p_key_id, p_hold_id);
  end if;
  insert into tasks (id, account_id, key_id, kind, model, request, price_schedule, credits, callback_url, created_at)
  values (p_task_id, p_account_id, p_key_id, p_kind, p_model, p_request, p_price_schedule, p_credits, p_callback_url, now());
  insert into open_tasks (task_id, account_id, vendor_account, deadline_at, next_step_at, traceparent)
  values (p_task_id, p_account_id, p_vendor_account,
          now() + p_age_max_ms * interval '1 millisecond', now() + p_wake_again_ms * interval '1 millisecond',
          p_traceparent);
  if p_idempotency_key is not null then
    insert into idempotency_keys (account_id, key, fingerprint, response)
    values (p_account_id, p_idempotency_key, p_fingerprint, jsonb_build_object('taskId', p_task_id));
  end if;
  outcome := 'accepted'; task_id := p_task_id; amount := open_count + 1; amount_max := a.open_tasks_max;
end
$$;
