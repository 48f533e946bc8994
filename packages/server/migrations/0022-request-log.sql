-- The requests of accounts in the last days, to find one by its id. Each of the eight days has a partition that is
-- emptied before its day comes again: nothing is deleted row by row.
create table logged_requests (
  id           uuid not null,               -- its time is when the request came
  slot         smallint not null,           -- the day since 1970, modulo 8
  account_id   uuid not null,
  key_id       uuid,
  person_id    uuid,
  method       text not null,
  route        text not null,               -- the pattern: never the URL
  status       smallint not null,
  error_code   text,
  request_id   uuid not null,
  duration_ms  integer not null,
  primary key (account_id, id, slot)
) partition by list (slot);
create index logged_requests_by_request on logged_requests (request_id);

do $$
begin
  for slot in 0..7 loop
    execute format('create table logged_requests_%1$s partition of logged_requests for values in (%1$s)', slot);
  end loop;
end
$$;

grant select, insert on logged_requests to zoetrope_service;
