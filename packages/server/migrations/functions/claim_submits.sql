-- Takes the right to submit tasks and records the intent, in one transaction; at most one caller ever gets it for a
-- task. started_at is null for tasks that are over or claimed already, and for those of an account that is about to
-- move: the sweep wakes them again. So for all whose caller knows of a later position than this database has, and
-- while it is marked as behind: it was restored, and what it holds as not submitted may have been. Each submit counts
-- with the estimate of its cost until its end is known. Rows that others have locked are busy, unless p_wait is 'long'.
create or replace function claim_submits(
  p_rows json, p_wait text, out place integer, out is_busy boolean, out started_at timestamptz
) returns setof record language plpgsql as $$
declare
  r record;
  fenced_at bigint; -- the position of this database; null: nobody who knows one may submit
begin
  select f.position into fenced_at from fence f where f.is_only and f.behind_since is null;
  for r in
    select t.* from json_to_recordset(p_rows) as t (
      place integer, task_id uuid, vendor_account text, grace_ms float8, is_at_work boolean, claim_id uuid,
      known bigint, vendor_model text, cost_facts jsonb, cost jsonb)
    order by t.task_id
  loop
    place := r.place;
    started_at := null;
    is_busy := is_locked_by_others(r.task_id, p_wait);
    if not is_busy and (r.known is null or r.known <= fenced_at) then
      update open_tasks o set
        vendor_account = r.vendor_account,
        submit_started_at = date_trunc('milliseconds', now()),
        next_step_at = now() + r.grace_ms * interval '1 millisecond',
        steps = 0,
        claim_id = r.claim_id
      where o.task_id = r.task_id and o.submit_started_at is null
        and not exists (select from accounts a where a.id = o.account_id and a.moving_at is not null)
      returning o.submit_started_at into started_at;
      if found then
        insert into submissions (
          task_id, started_at, vendor_account, vendor_model, cost_facts,
          cost_units, cost_micros, cost_currency, cost_version, cost_source)
        values (
          r.task_id, claim_submits.started_at, r.vendor_account, r.vendor_model, r.cost_facts,
          r.cost -> 'units', (r.cost ->> 'micros')::bigint, r.cost ->> 'currency',
          (r.cost ->> 'version')::integer, r.cost ->> 'source');
      end if;
      if found and r.is_at_work then
        update tasks t set status = 'PROCESSING' where t.id = r.task_id and t.status = 'PENDING';
      end if;
    end if;
    return next;
  end loop;
end
$$;
