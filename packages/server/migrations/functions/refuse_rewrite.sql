-- The one change that is let through: a note is emptied, when an account is erased. Only the owner has the right to try.
create or replace function refuse_rewrite() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and to_jsonb(old) ? 'note' and to_jsonb(new) = to_jsonb(old) || '{"note": null}' then
    return new;
  end if;
  raise exception 'ledger rows are never changed: post a new transfer instead';
end
$$;
