-- no transaction
drop index concurrently if exists accounts_by_name;
-- By bytes, so that a prefix is a range in every locale.
create index concurrently accounts_by_name on accounts (lower(name) collate "C", id) where test_of is null;
drop index concurrently if exists accounts_suspended;
create index concurrently accounts_suspended on accounts (id) where suspended_at is not null and test_of is null;
