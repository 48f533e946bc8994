-- The smallest id that can be made at that time: ids begin with their milliseconds. In plpgsql: a function in SQL would
-- be planned at every call, since it cannot be inlined.
create or replace function id_floor(at timestamptz) returns uuid language plpgsql immutable as $$
begin
  return rpad(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0'), 32, '0')::uuid;
end
$$;
