-- Lowers the hold of an open task to its real price: the add-on of an upscale that is not needed is released before
-- the rest is charged. It is a raise of a negative amount; a task has at most one raise. False: the task is over. The
-- order of locks is that of finish_task.
create or replace function lower_hold(p_task_id uuid, p_transfer_id uuid, p_credits bigint, p_lines jsonb default null,
  out is_lowered boolean)
language plpgsql as $$
declare
  t tasks;
begin
  perform from open_tasks where task_id = p_task_id for update;
  is_lowered := found;
  if not is_lowered then
    return;
  end if;
  select * into strict t from tasks where id = p_task_id for update;
  if p_credits >= t.credits then
    return;
  end if;
  perform post_transfer(p_cause_id => p_task_id, p_kind => 'raise', p_transfer_id => p_transfer_id,
                        p_account_id => t.account_id, p_amount => p_credits - t.credits);
  update api_keys set credits_used = credits_used - (t.credits - p_credits)
  where id = t.key_id and credits_max is not null;
  update tasks set credits = p_credits, price_lines = coalesce(p_lines, price_lines) where id = p_task_id;
end
$$;
