-- The smallest id that can be made at that time: ids begin with their milliseconds.
create or replace function id_floor(at timestamptz) returns uuid language sql immutable as $$
  select rpad(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0'), 32, '0')::uuid
$$;
