-- Makes the balance of an account from before there were lots its first lot, held credits included. False: it has lots,
-- or no credits, or lives in another shard.
create or replace function begin_lots(p_account_id uuid, out is_begun boolean) language plpgsql as $$
declare
  a accounts;
begin
  select * into a from accounts where id = p_account_id and moved_to is null for no key update;
  is_begun := found and make_first_lot(p_account => a, p_credits => a.credits, p_number => a.transfers);
end
$$;
