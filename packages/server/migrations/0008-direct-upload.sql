-- Files that their owners send themselves, in chunks straight to the storage. A row lives until
-- expires_at; the chunks are written down in media_objects and end with it.
create table asset_uploads (
  id           uuid primary key,
  account_id   uuid not null references accounts,
  type         text not null check (type in ('IMAGE', 'AUDIO', 'VIDEO')),
  name         text check (char_length(name) <= 64),
  size_bytes   bigint not null check (size_bytes > 0),
  sha256       text check (sha256 ~ '^[0-9a-f]{64}$'), -- of the whole file, if its owner said so
  chunk_bytes  integer not null check (chunk_bytes > 0),
  chunk_stem   text not null unique,                   -- the chunks' keys begin with it
  created_at   timestamptz not null default now(),
  expires_at   timestamptz not null
);
create index asset_uploads_of_account on asset_uploads (account_id);
create index asset_uploads_expired on asset_uploads (expires_at);

grant select, insert, delete on asset_uploads to zoetrope_service;
grant update (expires_at) on asset_uploads to zoetrope_service;

-- Where an asset's bytes come from: its url, or this upload. An upload becomes one asset.
alter table assets add column upload_id uuid unique;
