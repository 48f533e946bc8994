-- A published price is never changed: tasks were sold by it.
create or replace function refuse_price_rewrite() returns trigger language plpgsql as $$
begin
  raise exception 'version % of the price book % is published and never changes: publish another version',
    old.version, old.book;
end
$$;
