-- Connects submitted tasks with the jobs of vendors, in one transaction; the first id stays. From here on they are
-- PROCESSING. Says whether each task now has its job. p_submitted_at binds only if that submit is still the task's.
-- Rows that others have locked are busy, unless p_wait is 'long'.
create or replace function bind_jobs(
  p_rows json, p_wait text, out place integer, out is_busy boolean, out is_bound boolean
) returns setof record language plpgsql as $$
declare
  r record;
  submit timestamptz;
begin
  for r in
    select t.* from json_to_recordset(p_rows) as t (
      place integer, task_id uuid, job_id text, poll_ms float8, submitted_at timestamptz, is_answer boolean)
    order by t.task_id
  loop
    place := r.place;
    is_bound := false;
    is_busy := is_locked_by_others(r.task_id, p_wait);
    if not is_busy then
      update open_tasks o set vendor_job_id = r.job_id, next_step_at = now() + r.poll_ms * interval '1 millisecond'
      where o.task_id = r.task_id and o.submit_started_at is not null
        and (o.vendor_job_id is null or o.vendor_job_id = r.job_id)
        and (r.submitted_at is null or o.submit_started_at = r.submitted_at)
      returning o.submit_started_at into submit;
      is_bound := found;
    end if;
    if is_bound then
      update submissions s set -- stays when the task is over: the job is nobody else's
        vendor_job_id = coalesce(s.vendor_job_id, r.job_id),
        outcome = case when r.is_answer then 'accepted' else s.outcome end,
        ended_at = case when r.is_answer then now() else s.ended_at end,
        accepted_at = coalesce(s.accepted_at, now())
      where s.task_id = r.task_id and s.started_at = submit;
      update tasks t set status = 'PROCESSING' where t.id = r.task_id and t.status = 'PENDING';
    end if;
    return next;
  end loop;
end
$$;
