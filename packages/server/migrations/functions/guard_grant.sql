-- Refuses a grant that one person posts alone although it needs two, whatever the process that writes it was told. The
-- owner of the schema may write: it is who moves accounts.
create or replace function guard_grant() returns trigger language plpgsql as $$
begin
  if new.status = 'posted' and new.decided_by is null
     and current_user <> (select pg_get_userbyid(relowner) from pg_class where oid = tg_relid)
     and needs_second_person(new.account_id, new.asked_kind, new.asked_by, new.credits) then
    raise exception 'the grant % needs a second person', new.id using errcode = 'ZF001';
  end if;
  return new;
end
$$;
