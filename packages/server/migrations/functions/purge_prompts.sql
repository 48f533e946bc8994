-- Blanks the next rows of a table that are older than a time, in the order of their ids, and answers how many it read.
-- Every row is passed once. Tasks lose what was written in the request; deliveries and events keep the task's id.
create or replace function purge_prompts(
  p_table text, p_before timestamptz, p_rows_max integer, out rows_read integer
) language plpgsql security definer set search_path = public, pg_temp as $$
declare
  ids uuid[];
  late uuid[];
  passed uuid;
begin
  rows_read := 0;
  select up_to into passed from purge_progress where name = p_table for update skip locked;
  if not found then
    return; -- another process is at it
  end if;
  if p_table = 'tasks' then
    late := array(select u.task_id from unpurged_tasks u
                  where not exists (select from open_tasks o where o.task_id = u.task_id) limit p_rows_max);
    update tasks set request = blank_request(request), inputs = null where id = any (late);
    delete from unpurged_tasks where task_id = any (late);
    ids := array(select id from tasks where id > passed and id < id_floor(p_before) order by id limit p_rows_max);
    insert into unpurged_tasks (task_id) select task_id from open_tasks where task_id = any (ids)
    on conflict do nothing;
    update tasks set request = blank_request(request), inputs = null
    where id = any (ids) and not exists (select from unpurged_tasks u where u.task_id = tasks.id);
  elsif p_table = 'deliveries' then
    ids := array(select id from deliveries where id > passed and id < id_floor(p_before) order by id limit p_rows_max);
    update deliveries set body = jsonb_strip_nulls(jsonb_build_object('taskId', task_id))::text where id = any (ids);
  else
    ids := array(select id from events where id > passed and id < id_floor(p_before) order by id limit p_rows_max);
    update events set body = jsonb_build_object('taskId', task_id)::text where id = any (ids);
  end if;
  rows_read := cardinality(ids);
  if rows_read > 0 then
    update purge_progress set up_to = ids[rows_read] where name = p_table;
  end if;
end
$$;
revoke execute on function purge_prompts from public;
grant execute on function purge_prompts to zoetrope_service;
