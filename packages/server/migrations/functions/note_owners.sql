-- Has the owners of the account mailed. Of a test account nobody is: its credits cost nothing. The caller holds the
-- account's lock.
create or replace function note_owners(p_account_id uuid, p_about text, p_data jsonb) returns void language sql as $$
  update accounts set owner_notices = coalesce(owner_notices, '{}') || jsonb_build_object(p_about, p_data)
  where id = p_account_id and test_of is null
$$;
