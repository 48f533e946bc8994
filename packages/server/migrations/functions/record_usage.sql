-- Adds an ended task to the usage of its account. Called by finish_task after the settlement, so that the account's row
-- is locked: nobody else writes these rows then. now() is also the time of that transfer, so both fall into one hour.
create or replace function record_usage(p_task tasks) returns void language plpgsql as $$
declare
  captured bigint := case p_task.status when 'COMPLETED' then p_task.credits else 0 end;
  length_ms bigint := coalesce((select sum((o ->> 'durationMs')::numeric) from jsonb_array_elements(p_task.output) o), 0);
begin
  insert into usage_hours as u (start_id, account_id, kind, model, key_id, status, tasks, credits, video_ms)
  values (id_floor(date_trunc('hour', now(), 'UTC')), p_task.account_id, p_task.kind, p_task.model, p_task.key_id,
          p_task.status, 1, captured, length_ms)
  on conflict (account_id, start_id, kind, model, key_id, status) do update
    set tasks = u.tasks + 1, credits = u.credits + excluded.credits, video_ms = u.video_ms + excluded.video_ms;
  insert into usage_days as u (start_id, account_id, kind, model, key_id, status, tasks, credits, video_ms)
  values (id_floor(date_trunc('day', now(), 'UTC')), p_task.account_id, p_task.kind, p_task.model, p_task.key_id,
          p_task.status, 1, captured, length_ms)
  on conflict (account_id, start_id, kind, model, key_id, status) do update
    set tasks = u.tasks + 1, credits = u.credits + excluded.credits, video_ms = u.video_ms + excluded.video_ms;
end
$$;
