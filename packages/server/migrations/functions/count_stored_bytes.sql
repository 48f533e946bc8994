-- Runs in the transaction that stores or expires a copy, whichever code does it.
create or replace function count_stored_bytes() returns trigger language plpgsql as $$
declare
  delta bigint := stored_bytes_of(new) - (case when tg_op = 'INSERT' then 0 else stored_bytes_of(old) end);
begin
  if delta <> 0 then
    insert into account_libraries (account_id, stored_bytes) values (new.account_id, greatest(0, delta))
    on conflict (account_id) do update
      set stored_bytes = greatest(0, account_libraries.stored_bytes + delta);
  end if;
  if tg_op = 'INSERT' and new.upload_id is not null then
    update asset_uploads set completed_at = now() where id = new.upload_id;
  end if;
  return null;
end
$$;
