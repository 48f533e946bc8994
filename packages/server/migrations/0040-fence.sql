-- How far this database has come. Workers count it up and note it in storage, which is not restored with the database:
-- one that is behind the note is older than the world around it, and nothing is submitted from it.
create table fence (
  is_only       boolean primary key default true check (is_only),
  position      bigint not null default 0,
  advanced_at   timestamptz not null default now(),
  behind_since  timestamptz  -- a worker knew of a later position; `operator reconcile --apply` ends it
);
insert into fence default values;
grant select on fence to zoetrope_service;
grant update (position, advanced_at, behind_since) on fence to zoetrope_service;
