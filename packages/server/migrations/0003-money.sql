-- Money in one round trip: accepting and finishing a task are one function each, and every transfer
-- goes through one function. A number per account says in which order its transfers happened.

-- Order and running balance ---------------------------------------------------------------------
alter table accounts add column transfers bigint not null default 0; -- how many there are
alter table transfers
  add column number bigint,          -- 1, 2, 3 … within the account, in the order of commit
  add column credits_after bigint,   -- the account's balance and holds once this was posted
  add column held_after bigint;

alter table transfers disable trigger transfers_append_only;
with ordered as (
  select cause_id, kind,
         row_number() over w as number,
         sum(case kind when 'grant' then amount when 'capture' then -amount else 0 end) over w as credits_after,
         sum(case kind when 'hold' then amount when 'grant' then 0 else -amount end) over w as held_after
  from transfers window w as (partition by account_id order by created_at, id)
)
update transfers t set number = o.number, credits_after = o.credits_after, held_after = o.held_after
from ordered o where (o.cause_id, o.kind) = (t.cause_id, t.kind);
alter table transfers enable trigger transfers_append_only;
update accounts a set transfers = (select count(*) from transfers t where t.account_id = a.id);

alter table transfers
  alter column number set not null,
  alter column credits_after set not null,
  alter column held_after set not null;
create index transfers_in_order on transfers (account_id, number);
drop index transfers_of_account;

-- raise: a hold that grows once its real price is known. adjust: an operator's correction, either way.
alter table transfers drop constraint transfers_kind_check, drop constraint transfers_amount_check;
alter table transfers
  add constraint transfers_kind_check check (kind in ('grant', 'hold', 'raise', 'capture', 'release', 'adjust')),
  add constraint transfers_amount_check check (amount > 0 or (kind = 'adjust' and amount <> 0));

-- Limits of a key -------------------------------------------------------------------------------
alter table api_keys
  add column expires_at timestamptz,
  add column models text[],                    -- null: all
  add column requests_per_minute_max integer check (requests_per_minute_max > 0), -- null: the deployment's
  add column credits_max bigint check (credits_max >= 0), -- what its tasks may cost in all; null: no limit
  add column credits_used bigint not null default 0,      -- kept only where there is a limit
  add constraint used_within_max check (credits_used >= 0 and (credits_max is null or credits_used <= credits_max));
alter table tasks add column key_id uuid;

-- The ledger ------------------------------------------------------------------------------------
-- Moves an amount between two books and keeps the account's cached sums. The row update comes first:
-- it is the lock that puts the account's transfers in order.
create function post_transfer(
  p_cause uuid, p_kind text, p_id uuid, p_account uuid, p_amount bigint, p_note text
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
  where id = p_account returning * into a;
  if not found then
    raise exception 'there is no account %', p_account using errcode = 'no_data_found';
  end if;
  insert into transfers (cause_id, kind, id, account_id, amount, note, number, credits_after, held_after)
  values (p_cause, p_kind, p_id, p_account, p_amount, p_note, a.transfers, a.credits, a.held);
  insert into entries (cause_id, kind, account_id, book, amount)
  values (p_cause, p_kind, p_account, source, -p_amount), (p_cause, p_kind, p_account, target, p_amount);
end
$$;

-- Accepting a task ------------------------------------------------------------------------------
-- Admits, holds and records a task, or says why not. Nothing is written unless the outcome is
-- 'accepted'. `told` are the numbers for the refusal's sentence.
create function accept_task(
  p_account uuid, p_key uuid, p_task uuid, p_hold uuid,
  p_kind text, p_model text, p_request jsonb, p_schedule text,
  p_credits bigint, p_credits_max bigint, p_callback_url text,
  p_vendor_account text, p_age_max_ms float8, p_begin_again_ms float8,
  p_idempotency_key text, p_fingerprint bytea,
  out outcome text, out task_id uuid, out told bigint[]
) language plpgsql as $$
declare
  a accounts;
  k api_keys;
  earlier idempotency_keys;
  open_count bigint;
begin
  -- One at a time per account: what is decided below about open tasks, balance and budget stays true.
  select * into a from accounts where id = p_account for no key update;
  if p_idempotency_key is not null then
    select * into earlier from idempotency_keys i where i.account_id = p_account and i.key = p_idempotency_key;
    if found then
      task_id := (earlier.response ->> 'taskId')::uuid;
      outcome := case when earlier.fingerprint = p_fingerprint then 'replayed' else 'idempotency_key_reused' end;
      return;
    end if;
  end if;
  select * into k from api_keys where id = p_key; -- as it is now: it may have been revoked a moment ago
  if k.revoked_at is not null or k.expires_at <= now() then
    outcome := 'unauthorized';
    return;
  end if;
  select count(*) into open_count from open_tasks o where o.account_id = p_account;
  if open_count >= a.open_tasks_max then
    outcome := 'concurrency_limit'; told := array[open_count, a.open_tasks_max];
    return;
  end if;
  if p_credits > p_credits_max then
    outcome := 'price_above_max'; told := array[p_credits, p_credits_max];
    return;
  end if;
  if p_credits > a.credits - a.held then
    outcome := 'insufficient_credits'; told := array[p_credits, a.credits - a.held];
    return;
  end if;
  if p_credits > k.credits_max - k.credits_used then
    outcome := 'key_budget_exceeded'; told := array[p_credits, k.credits_max - k.credits_used];
    return;
  end if;

  perform post_transfer(p_task, 'hold', p_hold, p_account, p_credits, null);
  if k.credits_max is not null then
    update api_keys set credits_used = credits_used + p_credits where id = p_key;
  end if;
  insert into tasks (id, account_id, key_id, kind, model, request, price_schedule, credits, callback_url, created_at)
  values (p_task, p_account, p_key, p_kind, p_model, p_request, p_schedule, p_credits, p_callback_url, now());
  insert into open_tasks (task_id, account_id, vendor_account, deadline_at, next_step_at)
  values (p_task, p_account, p_vendor_account,
          now() + p_age_max_ms * interval '1 millisecond', now() + p_begin_again_ms * interval '1 millisecond');
  if p_idempotency_key is not null then
    insert into idempotency_keys (account_id, key, fingerprint, response)
    values (p_account, p_idempotency_key, p_fingerprint, jsonb_build_object('taskId', p_task));
  end if;
  outcome := 'accepted'; task_id := p_task;
end
$$;

-- Finishing a task ------------------------------------------------------------------------------
-- The only way to a terminal state: status, money and callback at once. Says whether this call did
-- it; whoever comes second finds nothing to do. The open row is taken first, as everywhere: two
-- orders would be a deadlock.
create function finish_task(
  p_task uuid, p_status text, p_output jsonb, p_error_code text, p_error_message text,
  p_completed_at timestamptz, p_settlement uuid, p_delivery uuid, p_body text
) returns boolean language plpgsql as $$
declare
  t tasks;
begin
  delete from open_tasks where task_id = p_task;
  if not found then
    return false;
  end if;
  update tasks set status = p_status, output = p_output, error_code = p_error_code,
                   error_message = p_error_message, completed_at = p_completed_at
  where id = p_task and status in ('PENDING', 'PROCESSING') returning * into strict t;
  perform post_transfer(p_task, case p_status when 'COMPLETED' then 'capture' else 'release' end,
                        p_settlement, t.account_id, t.credits, null);
  if p_status = 'FAILED' and t.key_id is not null then
    update api_keys set credits_used = credits_used - t.credits where id = t.key_id and credits_max is not null;
  end if;
  if t.callback_url is not null then
    insert into deliveries (id, account_id, task_id, url, body)
    values (p_delivery, t.account_id, p_task, t.callback_url, p_body);
    insert into open_deliveries (delivery_id, account_id, next_attempt_at)
    values (p_delivery, t.account_id, now());
  end if;
  return true;
end
$$;

-- Raising a hold --------------------------------------------------------------------------------
-- For a task whose real price is known only later: the hold grows to it, once, or nothing changes
-- and the answer is false. The order of locks is that of finish_task.
create function raise_hold(p_task uuid, p_raise uuid, p_credits bigint) returns boolean language plpgsql as $$
declare
  t tasks;
  a accounts;
  k api_keys;
  more bigint;
begin
  perform from open_tasks where task_id = p_task for update;
  if not found then
    return false;
  end if;
  select * into strict t from tasks where id = p_task for update;
  if p_credits <= t.credits then
    return true;
  end if;
  select * into strict a from accounts where id = t.account_id for no key update;
  select * into k from api_keys where id = t.key_id;
  more := p_credits - t.credits;
  if more > a.credits - a.held or more > k.credits_max - k.credits_used then
    return false;
  end if;
  perform post_transfer(p_task, 'raise', p_raise, t.account_id, more, null);
  if k.credits_max is not null then
    update api_keys set credits_used = credits_used + more where id = k.id;
  end if;
  update tasks set credits = p_credits where id = p_task;
  return true;
end
$$;

grant update (transfers) on accounts to zoetrope_service;
grant update (credits_used) on api_keys to zoetrope_service;
grant update (credits) on tasks to zoetrope_service;
