-- Locks the open row of a task for the rest of the transaction. True: somebody else has it, and p_wait is not 'long'.
create or replace function is_locked_by_others(p_task_id uuid, p_wait text) returns boolean language plpgsql as $$
begin
  if p_wait = 'long' then
    perform from open_tasks where task_id = p_task_id for update;
    return false;
  end if;
  perform from open_tasks where task_id = p_task_id for update skip locked;
  return not found and exists (select from open_tasks where task_id = p_task_id);
end
$$;
