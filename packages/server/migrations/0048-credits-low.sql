-- no transaction
-- Accounts from before there was a default get the one of new accounts, 1000, so that their owners are mailed about low
-- credits. Null also means that somebody removed the threshold: the audit has an entry then. Test accounts mail nobody.
drop table if exists pg_temp.alerts_changed;
create temp table alerts_changed as
  select distinct account_id from audit_entries where action = 'alerts.change' and account_id is not null;
alter table pg_temp.alerts_changed add primary key (account_id);
analyze pg_temp.alerts_changed;
-- In batches, because whoever moves credits waits for the row. No line of the block may end with a semicolon: the file
-- is split there.
do $$
declare
  last_id uuid := '00000000-0000-0000-0000-000000000000' /* below every id */; begin
  while last_id is not null loop
    with batch as (
      select id from accounts where id > last_id order by id limit 2000
    ), changed as (
      update accounts a set credits_low = 1000 from batch b
      where a.id = b.id and a.credits_low is null and a.test_of is null and a.moved_to is null
        and not exists (select from pg_temp.alerts_changed c where c.account_id = a.id)
    )
    select max(id::text)::uuid from batch into last_id; commit; end loop; end
$$;
