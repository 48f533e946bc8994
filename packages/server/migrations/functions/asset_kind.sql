-- For the index of the library by type and status. The function is declared expensive, so that a cached plan uses that
-- index also where it was made on an empty table, when every index seems to cost the same: elsewhere it would have to
-- filter by it.
create or replace function asset_kind(type text, status text) returns text language plpgsql immutable cost 10000 as $$
begin
  return type || ' ' || status;
end
$$;
