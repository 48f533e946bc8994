-- Finishes many tasks in one transaction, each as finish_task does by itself, in the order of their places. Open rows
-- are locked before accounts, as there, and accounts in the order of their ids: two batches never wait for each other.
-- p_wait says for how long locks of others are waited for: 'brief', for accounts alone; 'skip', not at all; 'long', as
-- usual. Tasks that would have to wait are busy, and nothing has changed for them.
create or replace function finish_tasks(
  p_rows json, p_wait text, out place integer, out is_busy boolean, out is_finished boolean
) returns setof record language plpgsql as $$
declare
  r record;
  a uuid;
  owners jsonb := '{}'; -- of the open rows that are locked
  free uuid[] := '{}';  -- the accounts that are
begin
  if p_wait = 'brief' then
    perform set_config('lock_timeout', '50ms', true);
  end if;
  for r in select distinct t.task_id from json_to_recordset(p_rows) as t (task_id uuid) order by t.task_id loop
    if p_wait = 'long' then
      select o.account_id into a from open_tasks o where o.task_id = r.task_id for update;
    else
      select o.account_id into a from open_tasks o where o.task_id = r.task_id for update skip locked;
    end if;
    if found then
      owners := owners || jsonb_build_object(r.task_id, a);
    end if;
  end loop;
  for a in select distinct o.value::uuid from jsonb_each_text(owners) o order by 1 loop
    if p_wait = 'skip' then
      perform from accounts where id = a for no key update skip locked;
    else
      perform from accounts where id = a for no key update;
    end if;
    if found then
      free := free || a;
    end if;
  end loop;
  for r in
    select t.* from json_to_recordset(p_rows) as t (
      place integer, task_id uuid, status text, output jsonb, error_code text, error_message text,
      completed_at timestamptz, settlement_id uuid, event_id uuid, body text)
    order by t.place
  loop
    place := r.place;
    is_finished := false;
    if p_wait = 'long' or (owners ->> r.task_id::text)::uuid = any (free) then
      is_busy := false;
      select f.is_finished into is_finished from finish_task(
        p_task_id => r.task_id, p_status => r.status, p_output => r.output, p_error_code => r.error_code,
        p_error_message => r.error_message, p_completed_at => r.completed_at, p_settlement_id => r.settlement_id,
        p_event_id => r.event_id, p_body => r.body) f;
    else
      is_busy := exists (select from open_tasks o where o.task_id = r.task_id);
    end if;
    return next;
  end loop;
end
$$;
