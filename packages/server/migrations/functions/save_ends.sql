-- Records how the jobs of tasks ended, in one transaction: the link of the output, or why there is none with the
-- vendor's message. Rows that others have locked are busy, unless p_wait is 'long'.
create or replace function save_ends(p_rows json, p_wait text, out place integer, out is_busy boolean)
returns setof record language plpgsql as $$
declare
  r record;
  submit timestamptz;
begin
  for r in
    select t.* from json_to_recordset(p_rows) as t (
      place integer, task_id uuid, result_url text, failure_code text, detail text)
    order by t.task_id
  loop
    place := r.place;
    is_busy := is_locked_by_others(r.task_id, p_wait);
    if not is_busy then
      update open_tasks o set result_url = r.result_url, failure_code = r.failure_code,
        vendor_ended_at = coalesce(o.vendor_ended_at, now())
      where o.task_id = r.task_id and o.vendor_job_id is not null
      returning o.submit_started_at into submit;
      if found and r.detail is not null then
        update submissions s set detail = r.detail where s.task_id = r.task_id and s.started_at = submit;
      end if;
    end if;
    return next;
  end loop;
end
$$;
