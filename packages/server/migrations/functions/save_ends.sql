-- Records how the jobs of tasks ended, in one transaction: the link of the output, or why there is none with the
-- vendor's message, and what they used. Usage without a cost leaves the estimate. Rows that others have locked are busy, unless p_wait is 'long'.
create or replace function save_ends(p_rows json, p_wait text, out place integer, out is_busy boolean)
returns setof record language plpgsql as $$
declare
  r record;
  submit timestamptz;
begin
  for r in
    select t.* from json_to_recordset(p_rows) as t (
      place integer, task_id uuid, result_url text, failure_code text, detail text, usage jsonb, cost jsonb)
    order by t.task_id
  loop
    place := r.place;
    is_busy := is_locked_by_others(r.task_id, p_wait);
    if not is_busy then
      update open_tasks o set result_url = r.result_url, failure_code = r.failure_code,
        vendor_ended_at = coalesce(o.vendor_ended_at, now())
      where o.task_id = r.task_id and o.vendor_job_id is not null
      returning o.submit_started_at into submit;
      if found and (r.detail is not null or r.usage is not null or r.cost is not null) then
        update submissions s set
          detail = coalesce(r.detail, s.detail),
          usage = coalesce(r.usage, s.usage),
          cost_units = case when r.cost is null then s.cost_units else r.cost -> 'units' end,
          cost_micros = case when r.cost is null then s.cost_micros else (r.cost ->> 'micros')::bigint end,
          cost_currency = case when r.cost is null then s.cost_currency else r.cost ->> 'currency' end,
          cost_version = case when r.cost is null then s.cost_version else (r.cost ->> 'version')::integer end,
          cost_source = case when r.cost is null then s.cost_source else r.cost ->> 'source' end
        where s.task_id = r.task_id and s.started_at = submit;
      end if;
    end if;
    return next;
  end loop;
end
$$;
