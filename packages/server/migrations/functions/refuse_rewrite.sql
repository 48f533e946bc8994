create or replace function refuse_rewrite() returns trigger language plpgsql as $$
begin
  raise exception 'ledger rows are never changed: post a new transfer instead';
end
$$;
