-- A request without what its caller wrote or named; what it was priced by stays.
create or replace function blank_request(request jsonb) returns jsonb language sql immutable as $$
  select coalesce(jsonb_object_agg(key, case
    when key = 'prompt' and value <> 'null' then '""'
    when key in ('images', 'videos', 'audios') then '[]'
    when key = 'source' then 'null'
    else value end), '{}')
  from jsonb_each(request) where key <> 'promptCut'
$$;
