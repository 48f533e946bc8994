-- The asset library: what was submitted, the stored copy, and every decision about it.
alter table assets
  add column url text not null default '',           -- as it was submitted
  add column name text check (char_length(name) <= 64),
  add column storage_key text unique,                -- of our copy, once there is one
  add column sha256 text,
  add column fail_reason text,
  add column vendor_asset_id text,                   -- in the library of a vendor that reviews it
  add column next_step_at timestamptz default now(), -- while PROCESSING: when to go on if nothing happens before
  add column steps integer not null default 0,
  add column revoked_at timestamptz;
create index assets_of_account on assets (account_id, id);
create index assets_to_do on assets (next_step_at) where status = 'PROCESSING';

-- Who decided what about an asset, when and why. Only ever added to.
create table asset_reviews (
  asset_id  bigint not null references assets,
  number    smallint not null,
  actor     text not null,                            -- a reviewer, or an operator by name
  verdict   text not null check (verdict in ('passed', 'refused', 'unsure', 'revoked')),
  reason    text not null,
  at        timestamptz not null default now(),
  primary key (asset_id, number)
);

grant insert on assets, asset_reviews to zoetrope_service;
grant select on asset_reviews to zoetrope_service;
grant update (status, content_type, size_bytes, width, height, duration_ms, storage_key, sha256, fail_reason,
              vendor_asset_id, next_step_at, steps, revoked_at) on assets to zoetrope_service;

-- The copies of the external files that a task was given, pinned: what was checked is what is used.
alter table tasks add column inputs jsonb;
grant update (inputs) on tasks to zoetrope_service;
