-- functions: asset_kind, count_stored_bytes
-- The asset library. Rules and prices of a task read what was measured of an asset; nothing is fetched to accept a task.

-- Every object in storage, recorded before it is stored: what has no owner, or is no longer kept, is deleted by its time.
create table media_objects (
  key         text primary key,
  created_at  timestamptz not null default now(),
  expires_at  timestamptz              -- null: kept for good
);
create index media_objects_expired on media_objects (expires_at);

-- Files that their owners upload in chunks straight to the storage. A row lives until expires_at; the chunks are
-- recorded in media_objects and expire with it.
create table asset_uploads (
  id            uuid primary key,
  account_id    uuid not null references accounts,
  type          text not null check (type in ('IMAGE', 'AUDIO', 'VIDEO')),
  name          text check (char_length(name) <= 64),
  size_bytes    bigint not null check (size_bytes > 0),
  sha256        text check (sha256 ~ '^[0-9a-f]{64}$'), -- of the whole file, if its owner gave it
  chunk_bytes   integer not null check (chunk_bytes > 0),
  chunk_stem    text not null unique,                   -- the prefix of the chunks' keys
  created_at    timestamptz not null default now(),
  expires_at    timestamptz not null,
  completed_at  timestamptz
);
create index asset_uploads_of_account on asset_uploads (account_id);
create index asset_uploads_open on asset_uploads (account_id) where completed_at is null;
create index asset_uploads_expired on asset_uploads (expires_at);

create table assets (
  id                        bigint generated always as identity primary key,
  upstream_asset_id         text not null unique check (upstream_asset_id ~ '^asset-[0-9A-Za-z]{1,40}-[0-9A-Za-z]{1,40}$'),
  account_id                uuid not null references accounts,
  type                      text not null check (type in ('IMAGE', 'AUDIO', 'VIDEO')),
  status                    text not null check (status in ('NONE', 'PROCESSING', 'ACTIVE', 'FAILED')),
  name                      text check (char_length(name) <= 64),
  url                       text not null default '',           -- as it was submitted
  upload_id                 uuid unique,                        -- where the bytes come from, if not from the url
  storage_key               text unique,                        -- of our copy, once there is one
  -- The last part of storageUrl, known before there is a copy.
  address                   text not null default left(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 40),
  content_type              text,
  size_bytes                bigint check (size_bytes > 0),
  sha256                    text,
  width                     integer check (width > 0),
  height                    integer check (height > 0),
  duration_ms               bigint check (duration_ms > 0),
  video_codec               text,                               -- some vendors accept only some; null: not a video
  fail_code                 text check (fail_code in ('unreachable', 'unusable', 'storage_limit', 'refused', 'broken')),
  fail_reason               text,
  vendor_asset_id           text,                               -- in the library of a vendor that reviews it
  -- When registering it with a vendor began, unless the vendor is proven not to have it: written before the call,
  -- so that after a lost response the asset is searched for and not registered twice.
  vendor_submit_started_at  timestamptz,
  next_step_at              timestamptz default now(),          -- while PROCESSING: when to continue if nothing happens before
  steps                     integer not null default 0,
  next_check_at             timestamptz,                        -- while PROCESSING: a status query may cause a check from then on
  created_at                timestamptz not null default now(),
  revoked_at                timestamptz,
  deleted_at                timestamptz,                        -- a tombstone: the record of its reviews stays
  constraint usable_is_measured check (
    status in ('PROCESSING', 'FAILED')
    or (size_bytes is not null and content_type is not null
        and (type = 'AUDIO' or (width is not null and height is not null))
        and (type = 'IMAGE' or duration_ms is not null)))
);
create unique index assets_address on assets (address);
create index assets_of_account on assets (account_id, id);
create index assets_listed on assets (account_id, id) where deleted_at is null;
create index assets_by_kind on assets (account_id, asset_kind(type, status), id) where deleted_at is null;
create index assets_to_do on assets (next_step_at) where status = 'PROCESSING';
create index assets_unstored on assets (account_id) where status = 'PROCESSING' and storage_key is null;

-- Who decided what about an asset, when and why. Rows are only added.
create table asset_reviews (
  asset_id  bigint not null references assets,
  number    integer not null,
  actor     text not null,                  -- a reviewer, or an operator by name
  verdict   text not null check (verdict in ('passed', 'refused', 'unsure', 'revoked')),
  unable    boolean not null default false, -- an `unsure` that says nothing about the content: the reviewer cannot judge such a file
  reason    text not null,
  at        timestamptz not null default now(),
  primary key (asset_id, number)
);

-- What an account's library holds, and the account's own limits; null is the deployment's.
create table account_libraries (
  account_id        uuid primary key references accounts,
  stored_bytes      bigint not null default 0,
  open_assets_max   integer check (open_assets_max > 0),
  open_uploads_max  integer check (open_uploads_max > 0),
  stored_bytes_max  bigint check (stored_bytes_max > 0)
);

create trigger assets_count_stored_bytes
  after insert or update of status, storage_key, size_bytes, deleted_at on assets
  for each row execute function count_stored_bytes();

grant select, insert, delete on media_objects, asset_uploads to zoetrope_service;
grant update (expires_at) on media_objects to zoetrope_service;
grant update (expires_at, completed_at) on asset_uploads to zoetrope_service;
grant select, insert on assets, asset_reviews to zoetrope_service;
grant update (status, name, url, storage_key, content_type, size_bytes, sha256, width, height, duration_ms, video_codec,
              fail_code, fail_reason, vendor_asset_id, vendor_submit_started_at, next_step_at, steps, next_check_at,
              revoked_at, deleted_at) on assets to zoetrope_service;
grant select, insert, update on account_libraries to zoetrope_service;
