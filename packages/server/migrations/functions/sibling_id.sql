-- A new id with the time and the shard of another one.
create or replace function sibling_id(p_id uuid) returns uuid language sql volatile as $$
  select (left(p_id::text, 22) || right(gen_random_uuid()::text, 14))::uuid
$$;
