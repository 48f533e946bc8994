-- Callbacks that can be relied on: every end of a task is an event that can be read for 30 days, a
-- delivery can be made again, and one receiver never stands in another's way.

-- Secrets can be changed without a gap: for a while both sign.
alter table accounts
  add column webhook_secret_before text,
  add column webhook_secret_before_until timestamptz,
  -- How long a delivery is tried after its usual attempts; 0: not at all.
  add column webhook_tail_hours integer not null default 0 check (webhook_tail_hours between 0 and 72);

-- The ends of an account's tasks, in the order in which they were committed: the number is that of the
-- transfer that settled the task, which is given out under the account's lock.
create table events (
  id          uuid not null,
  account_id  uuid not null,
  number      bigint not null,
  task_id     uuid not null,
  type        text not null,
  body        text not null,              -- what a query answers, and a callback carries
  created_at  timestamptz not null default now(),
  primary key (id)
) partition by range (id);
create unique index events_in_order on events (account_id, number, id);
create table events_default partition of events default;

alter table deliveries alter column task_id drop not null; -- a test event has no task
create index deliveries_of_account on deliveries (account_id, id);

-- A lane is what one account sends to one host.
alter table open_deliveries
  add column host text not null default '',
  add column attempts_before smallint not null default 0; -- of earlier rounds: it was asked for again
update open_deliveries o set host = coalesce(substring(d.url from '^https?://([^/?#]+)'), '')
from deliveries d where d.id = o.delivery_id;
drop index open_deliveries_due;
create index open_deliveries_in_lane on open_deliveries (account_id, host, next_attempt_at);

-- As before, with the event; the body is there for every end, whether somebody is called back or not.
create or replace function finish_task(
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
  insert into events (id, account_id, number, task_id, type, body)
  select p_delivery, t.account_id, a.transfers, p_task, t.kind || '.' || lower(p_status), p_body
  from accounts a where a.id = t.account_id;
  if t.callback_url is not null then
    insert into deliveries (id, account_id, task_id, url, body)
    values (p_delivery, t.account_id, p_task, t.callback_url, p_body);
    insert into open_deliveries (delivery_id, account_id, host, next_attempt_at)
    values (p_delivery, t.account_id, coalesce(substring(t.callback_url from '^https?://([^/?#]+)'), ''), now());
  end if;
  return true;
end
$$;

create or replace function create_partitions(since timestamptz, until timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  parent text;
  month_start timestamptz := date_trunc('month', since, 'UTC');
  child text;
begin
  while month_start <= until loop
    foreach parent in array array['transfers', 'entries', 'tasks', 'submissions', 'deliveries', 'attempts', 'events'] loop
      child := parent || to_char(month_start at time zone 'UTC', '_YYYY_MM');
      if to_regclass(child) is null then
        execute format('create table %I partition of %I for values from (%L) to (%L)', child, parent,
                       id_floor(month_start), id_floor(month_start + interval '1 month'));
      end if;
    end loop;
    month_start := month_start + interval '1 month';
  end loop;
end
$$;
select create_partitions(now(), now() + interval '2 months');

grant select, insert, delete on events to zoetrope_service;
grant update (webhook_secret, webhook_secret_before, webhook_secret_before_until, webhook_tail_hours)
  on accounts to zoetrope_service;
