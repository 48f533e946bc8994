-- Assets: files that an account has in its library, with what was measured of them.
-- Rules and prices of a task read these facts; nothing is fetched to accept a task.
create table assets (
  id                 bigint generated always as identity primary key,
  upstream_asset_id  text not null unique check (upstream_asset_id ~ '^asset-[0-9A-Za-z]{1,40}-[0-9A-Za-z]{1,40}$'),
  account_id         uuid not null references accounts,
  type               text not null check (type in ('IMAGE', 'AUDIO', 'VIDEO')),
  status             text not null check (status in ('NONE', 'PROCESSING', 'ACTIVE', 'FAILED')),
  content_type       text,
  size_bytes         bigint check (size_bytes > 0),
  width              integer check (width > 0),
  height             integer check (height > 0),
  duration_ms        bigint check (duration_ms > 0),
  created_at         timestamptz not null default now(),
  constraint usable_is_measured check (
    status in ('PROCESSING', 'FAILED')
    or (size_bytes is not null and content_type is not null
        and (type = 'AUDIO' or (width is not null and height is not null))
        and (type = 'IMAGE' or duration_ms is not null)))
);

grant select on assets to zoetrope_service;
