-- Takes what is left of an account's lots whose time is over, as far as it is not held. The time is the database's. What
-- is held stays until it is charged or given back.
create or replace function expire_lots(p_account_id uuid, p_transfer_id uuid, out expired bigint) language plpgsql as $$
declare
  held_now bigint;
begin
  select a.held into held_now from accounts a where a.id = p_account_id and a.moved_to is null for no key update;
  if not found then
    expired := 0;
    return;
  end if;
  select coalesce(sum(e.credits), 0) into expired
  from expired_credits(p_account_id => p_account_id, p_held => held_now) e;
  if expired > 0 then
    perform post_transfer(p_cause_id => p_transfer_id, p_kind => 'expiry', p_transfer_id => p_transfer_id,
                          p_account_id => p_account_id, p_amount => expired);
  end if;
end
$$;
