-- For tables whose rows are only added. The one change that is let through: what a person wrote, or where from, is
-- emptied when an account is erased. Only the owner has the right to try.
create or replace function refuse_rewrite() returns trigger language plpgsql as $$
declare
  erasable text[] := array['note', 'before', 'after', 'reason', 'address'];
begin
  if tg_op = 'UPDATE' and to_jsonb(new) - erasable = to_jsonb(old) - erasable
     and not jsonb_strip_nulls(to_jsonb(new)) ?| erasable then
    return new;
  end if;
  raise exception 'rows of % are never changed: add a new one instead', tg_table_name;
end
$$;
