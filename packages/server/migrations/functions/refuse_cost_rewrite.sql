-- A published cost is never changed: submits were counted by it. A corrected rate is another version.
create or replace function refuse_cost_rewrite() returns trigger language plpgsql as $$
begin
  raise exception 'version % of the cost book of % is published and never changes: publish another version',
    old.version, old.vendor_account;
end
$$;
