-- no transaction
-- What the account's owners are to be mailed, by what it is about: the last of each. A worker takes it and writes the
-- mails, because people and mails are in the first shard.
alter table accounts add column if not exists owner_notices jsonb;
grant update (owner_notices) on accounts to zoetrope_service;
drop index concurrently if exists accounts_with_notices;
create index concurrently accounts_with_notices on accounts (id) where owner_notices is not null;
