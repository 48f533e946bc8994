-- A hold may shrink: the add-on of an upscale that turns out not to be needed goes back before the rest is
-- charged. It is a raise of a negative amount; a task has at most one raise.

-- Wider than before, so every row fulfils it: checking them all would hold the lock for as long.
alter table transfers drop constraint transfers_amount_check;
alter table transfers add constraint transfers_amount_check
  check (amount > 0 or (kind in ('adjust', 'raise') and amount <> 0)) not valid;

-- Lowers the hold of an open task to its real price. False: the task is over. The order of locks is that
-- of finish_task.
create function lower_hold(p_task uuid, p_lower uuid, p_credits bigint) returns boolean language plpgsql as $$
declare
  t tasks;
begin
  perform from open_tasks where task_id = p_task for update;
  if not found then
    return false;
  end if;
  select * into strict t from tasks where id = p_task for update;
  if p_credits >= t.credits then
    return true;
  end if;
  perform post_transfer(p_task, 'raise', p_lower, t.account_id, p_credits - t.credits, null);
  update api_keys set credits_used = credits_used - (t.credits - p_credits)
  where id = t.key_id and credits_max is not null;
  update tasks set credits = p_credits where id = p_task;
  return true;
end
$$;
