-- For tables whose rows are only added. Two changes are let through: what a person wrote, or where from, is emptied when
-- an account is erased; and rows of an account that lives in another shard, which has them all, are deleted. Only the
-- owner has the right to try.
create or replace function refuse_rewrite() returns trigger language plpgsql as $$
declare
  erasable text[] := array['note', 'before', 'after', 'reason', 'address'];
begin
  if tg_op = 'UPDATE' and to_jsonb(new) - erasable = to_jsonb(old) - erasable
     and not jsonb_strip_nulls(to_jsonb(new)) ?| erasable then
    return new;
  end if;
  if tg_op = 'DELETE' and exists (select from accounts where id = old.account_id and moved_to is not null) then
    return old;
  end if;
  raise exception 'rows of % are never changed: add a new one instead', tg_table_name;
end
$$;
