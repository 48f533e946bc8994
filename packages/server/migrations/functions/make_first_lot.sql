-- Makes a lot of credits that an account had after that transfer, unless it has lots or had none. Its row is locked. The
-- id is older than every transfer of the account.
create or replace function make_first_lot(p_account accounts, p_credits bigint, p_number bigint) returns boolean
language plpgsql as $$
declare
  lot_id uuid := sibling_id(p_account.id);
begin
  if p_credits = 0 or exists (select from lots where account_id = p_account.id) then
    return false;
  end if;
  insert into lots (id, account_id, number, source, credits, credits_left, cause_id)
  values (lot_id, p_account.id, p_number, case when p_account.test_of is null then 'migration' else 'test' end,
          p_credits, p_credits, lot_id);
  return true;
end
$$;
