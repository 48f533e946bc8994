-- Whether rows of these ids still have work to be done.
create or replace function is_range_open(p_parent text, p_from_id uuid, p_to_id uuid) returns boolean
language sql stable as $$
  select case
    when p_parent in ('tasks', 'submissions')
      then exists (select from open_tasks where task_id >= p_from_id and task_id < p_to_id)
    when p_parent in ('deliveries', 'attempts')
      then exists (select from open_deliveries where delivery_id >= p_from_id and delivery_id < p_to_id)
    else false end
$$;
