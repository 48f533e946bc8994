-- Every object in storage, written down before it is stored: what nobody claims, or is no longer
-- kept, is collected by its time.
create table media_objects (
  key         text primary key,
  created_at  timestamptz not null default now(),
  expires_at  timestamptz              -- null: kept for good
);
create index media_objects_expired on media_objects (expires_at);

grant select, insert, delete on media_objects to zoetrope_service;
grant update (expires_at) on media_objects to zoetrope_service;
