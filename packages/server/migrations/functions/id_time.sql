-- When an id was made: its first 48 bits are milliseconds.
create or replace function id_time(id uuid) returns timestamptz language sql immutable as $$
  select to_timestamp(('x0000' || left(replace(id::text, '-', ''), 12))::bit(64)::bigint / 1000.0)
$$;
