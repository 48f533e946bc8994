-- Raises the hold of an open task to its real price, once. False: not affordable, or the task is over; nothing has
-- changed then. The order of locks is that of finish_task.
create or replace function raise_hold(p_task_id uuid, p_transfer_id uuid, p_credits bigint, p_lines jsonb default null,
  out is_raised boolean)
language plpgsql as $$
declare
  t tasks;
  a accounts;
  k api_keys;
  more bigint;
begin
  is_raised := false;
  perform from open_tasks where task_id = p_task_id for update;
  if not found then
    return;
  end if;
  select * into strict t from tasks where id = p_task_id for update;
  if p_credits <= t.credits then
    is_raised := true;
    return;
  end if;
  select * into strict a from accounts where id = t.account_id for no key update;
  select * into k from api_keys where id = t.key_id;
  more := p_credits - t.credits;
  if more > a.credits - a.held or more > k.credits_max - k.credits_used then
    return;
  end if;
  perform post_transfer(p_cause_id => p_task_id, p_kind => 'raise', p_transfer_id => p_transfer_id,
                        p_account_id => t.account_id, p_amount => more);
  if k.credits_max is not null then
    update api_keys set credits_used = credits_used + more where id = k.id;
    perform tell_budget(k.id, p_transfer_id);
  end if;
  update tasks set credits = p_credits, price_lines = coalesce(p_lines, price_lines) where id = p_task_id;
  is_raised := true;
end
$$;
