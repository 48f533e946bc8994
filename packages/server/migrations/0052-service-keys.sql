-- Keys with which programs call the operator API. Each acts for the operator who issued it, and only while that person
-- is one.
create table service_keys (
  id            uuid primary key,
  name          text not null check (char_length(name) between 1 and 100),
  hint          text not null,        -- the beginning of the key
  hash          bytea not null unique check (octet_length(hash) = 32),
  scopes        text[] not null check (cardinality(scopes) > 0),
  networks      cidr[] check (cardinality(networks) > 0), -- null: it is accepted from everywhere
  issued_by     uuid not null,        -- a person
  expires_at    timestamptz not null,
  created_at    timestamptz not null default now(),
  last_used_at  timestamptz,
  revoked_at    timestamptz,
  revoked_by    uuid                  -- a person; null: it ended with the role of who issued it, or by a command
);
create index service_keys_of_issuer on service_keys (issued_by) where revoked_at is null;
grant select, insert on service_keys to zoetrope_service;
grant update (last_used_at, revoked_at, revoked_by) on service_keys to zoetrope_service;
