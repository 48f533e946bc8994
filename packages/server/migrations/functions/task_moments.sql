-- The moments of a task that is about to be over, in milliseconds since 1970; null if there are none. At most 100
-- segments, each as [start, end]. In plpgsql, which keeps its plans: every finish calls it.
create or replace function task_moments(p_open open_tasks) returns jsonb language plpgsql stable as $$
declare
  started timestamptz;
  upscale jsonb;
begin
  select u.created_at into started from upscales u where u.task_id = p_open.task_id;
  if found then
    select jsonb_build_object(
      'startedAt', floor(extract(epoch from started) * 1000),
      'segmentCount', (select count(*) from upscale_segments s where s.task_id = p_open.task_id),
      'segments', (
        select jsonb_agg(jsonb_build_array(floor(extract(epoch from s.started_at) * 1000),
                                           floor(extract(epoch from s.ended_at) * 1000)) order by s.number)
        from upscale_segments s where s.task_id = p_open.task_id and s.number < 100))
    into upscale;
  end if;
  return nullif(jsonb_strip_nulls(jsonb_build_object(
    'vendorEndedAt', floor(extract(epoch from p_open.vendor_ended_at) * 1000), 'upscale', upscale)), '{}');
end
$$;
