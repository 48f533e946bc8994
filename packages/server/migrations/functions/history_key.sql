-- The column that a history table is partitioned by.
create or replace function history_key(p_parent text) returns text language plpgsql stable as $$
declare
  key text;
begin
  select a.attname into key
  from pg_partitioned_table p
  join pg_class c on c.oid = p.partrelid
  join pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0]
  where c.relname = p_parent and c.relnamespace = 'public'::regnamespace;
  if key is null then
    raise exception '% is no history table', p_parent;
  end if;
  return key;
end
$$;
