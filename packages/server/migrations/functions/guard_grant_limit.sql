-- Refuses that one person raises the limit above which grants need a second one.
create or replace function guard_grant_limit() returns trigger language plpgsql as $$
declare
  most bigint;
begin
  if new.status <> 'set' or new.decided_by is not null then
    return new;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('grant limit', 0));
  select credits into most from grant_limits where status = 'set' order by set_at desc limit 1;
  if most is not null and (new.credits is null or new.credits > most) then
    raise exception 'raising the limit of grants needs a second person' using errcode = 'ZF001';
  end if;
  return new;
end
$$;
