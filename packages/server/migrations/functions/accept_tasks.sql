-- Admits, holds and records tasks of many accounts in one transaction, in the order of their places, or says of each
-- why not. Nothing is written for a task unless its outcome is 'accepted'. Refusals for a limit also give the amount
-- that was met and the most that is allowed; 'accepted' gives the open tasks and their limit.
-- Accounts are locked in the order of their ids, as in finish_tasks. p_wait says for how long locks of others are
-- waited for: 'brief'; 'skip', not at all; 'long', as usual. Tasks that would have to wait are busy: nothing is decided.
create or replace function accept_tasks(
  p_rows json, p_wait text, out place integer, out is_busy boolean,
  out outcome text, out task_id uuid, out amount bigint, out amount_max bigint
) returns setof record language plpgsql as $$
declare
  r record;
  locked_id uuid;
  held uuid[] := '{}'; -- accounts that others have locked
  a accounts;
  k api_keys;
  first tasks;
  earlier idempotency_keys;
  open_count bigint;
begin
  if p_wait = 'brief' then
    perform set_config('lock_timeout', '50ms', true);
  end if;
  for locked_id in select distinct t.account_id from json_to_recordset(p_rows) as t (account_id uuid) order by 1 loop
    if p_wait = 'skip' then
      perform from accounts where id = locked_id for no key update skip locked;
      if not found then
        held := held || locked_id;
      end if;
    else
      perform from accounts where id = locked_id for no key update;
    end if;
  end loop;
  for r in
    select t.* from json_to_recordset(p_rows) as t (
      place integer, account_id uuid, key_id uuid, task_id uuid, hold_id uuid, kind text, model text, request jsonb,
      price_schedule text, price_version integer, discount smallint, price_lines jsonb, account_book text,
      price_from timestamptz, price_until timestamptz, credits bigint, credits_max bigint, callback_url text,
      vendor_account text, age_max_ms float8, wake_again_ms float8, idempotency_key text, fingerprint bytea, traceparent text)
    order by t.place
  loop
    place := r.place;
    is_busy := r.account_id = any (held);
    outcome := null; task_id := null; amount := null; amount_max := null;
    <<decide>>
    begin
      if is_busy then
        exit decide;
      end if;
      -- One at a time per account: what is decided below about open tasks, balance and budget stays true.
      select * into a from accounts where id = r.account_id for no key update;
      if a.moved_to is not null then
        outcome := 'account_moved';
        exit decide;
      end if;
      if r.idempotency_key is not null then
        select * into earlier from idempotency_keys i where i.account_id = r.account_id and i.key = r.idempotency_key;
        if found then
          -- A key learns of a task that another key created only if it could have paid for it.
          select * into first from tasks t where t.id = (earlier.response ->> 'taskId')::uuid;
          select * into k from api_keys where id = r.key_id;
          if first.key_id is distinct from r.key_id and first.credits > k.credits_max - k.credits_used then
            outcome := 'key_budget_exceeded'; amount := first.credits; amount_max := k.credits_max - k.credits_used;
            exit decide;
          end if;
          task_id := (earlier.response ->> 'taskId')::uuid;
          outcome := case when earlier.fingerprint = r.fingerprint then 'replayed' else 'idempotency_key_reused' end;
          exit decide;
        end if;
      end if;
      if a.suspended_at is not null then
        outcome := 'account_suspended';
        exit decide;
      end if;
      select * into k from api_keys where id = r.key_id; -- as it is now: it may have been revoked a moment ago
      if k.revoked_at is not null or k.expires_at <= now() then
        outcome := 'unauthorized';
        exit decide;
      end if;
      -- The price was computed before the lock: by the terms that the process knew, for the time that it thought it is.
      -- Without a version it is of the release before, which knows one price for ever.
      if r.price_version is not null and (
           r.account_book is distinct from a.price_schedule
           or r.discount is distinct from case when a.discount_until > now() then a.discount else 0 end
           or now() < r.price_from or now() >= r.price_until) then
        outcome := 'price_outdated'; amount := floor(extract(epoch from now()) * 1000);
        exit decide;
      end if;
      select count(*) into open_count from open_tasks o where o.account_id = r.account_id;
      if open_count >= a.open_tasks_max then
        outcome := 'concurrency_limit'; amount := open_count; amount_max := a.open_tasks_max;
        exit decide;
      end if;
      if r.credits > r.credits_max then
        outcome := 'price_above_max'; amount := r.credits; amount_max := r.credits_max;
        exit decide;
      end if;
      if r.credits > a.credits - a.held then
        outcome := 'insufficient_credits'; amount := r.credits; amount_max := a.credits - a.held;
        exit decide;
      end if;
      if r.credits > k.credits_max - k.credits_used then
        outcome := 'key_budget_exceeded'; amount := r.credits; amount_max := k.credits_max - k.credits_used;
        exit decide;
      end if;

      perform post_transfer(p_cause_id => r.task_id, p_kind => 'hold', p_transfer_id => r.hold_id,
                            p_account_id => r.account_id, p_amount => r.credits);
      if k.credits_max is not null then
        update api_keys set credits_used = credits_used + r.credits where id = r.key_id;
        perform tell_budget(r.key_id, r.hold_id);
      end if;
      insert into tasks (id, account_id, key_id, kind, model, request, price_schedule, price_version, discount, price_lines,
                         credits, callback_url, created_at)
      values (r.task_id, r.account_id, r.key_id, r.kind, r.model, r.request, r.price_schedule, r.price_version,
              r.discount, r.price_lines, r.credits, r.callback_url, now());
      insert into open_tasks (task_id, account_id, vendor_account, deadline_at, next_step_at, traceparent)
      values (r.task_id, r.account_id, r.vendor_account,
              now() + r.age_max_ms * interval '1 millisecond', now() + r.wake_again_ms * interval '1 millisecond',
              r.traceparent);
      if r.idempotency_key is not null then
        insert into idempotency_keys (account_id, key, fingerprint, response)
        values (r.account_id, r.idempotency_key, r.fingerprint, jsonb_build_object('taskId', r.task_id));
      end if;
      outcome := 'accepted'; task_id := r.task_id; amount := open_count + 1; amount_max := a.open_tasks_max;
    end decide;
    return next;
  end loop;
end
$$;
