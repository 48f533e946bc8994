-- The library: addresses that are known before the copy, limits per account, deletion, and checks that
-- a status query asks for.

-- The last part of storageUrl. A copy that exists keeps the address it was published under.
alter table assets
  add column address text,
  add column fail_code text check (fail_code in ('unreachable', 'unusable', 'storage_limit', 'refused', 'broken')),
  add column deleted_at timestamptz,     -- a tombstone: the record of its reviews stays
  add column next_check_at timestamptz;  -- while PROCESSING: a status query may ask for a check from then on
alter table assets alter column address
  set default left(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 40);
update assets set address = coalesce(storage_key,
  left(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 40));
alter table assets alter column address set not null;
create unique index assets_address on assets (address);
create index assets_unstored on assets (account_id) where status = 'PROCESSING' and storage_key is null;
-- Pages do not read tombstones.
create index assets_listed on assets (account_id, id) where deleted_at is null;
drop index assets_by_kind;
create index assets_by_kind on assets (account_id, asset_kind(type, status), id) where deleted_at is null;
grant update (fail_code, deleted_at, next_check_at, url, name) on assets to zoetrope_service;

-- An `unsure` that says nothing about the content: this reviewer cannot judge such a file.
alter table asset_reviews add column unable boolean not null default false;

-- Refused and revoked assets have no copy.
update media_objects set expires_at = now()
where key in (select storage_key from assets where status = 'FAILED');

alter table asset_uploads add column completed_at timestamptz;
update asset_uploads set completed_at = now()
where exists (select from assets where upload_id = asset_uploads.id);
create index asset_uploads_open on asset_uploads (account_id) where completed_at is null;

-- What an account's library holds, and the limits that are its own; null is the deployment's.
create table account_libraries (
  account_id        uuid primary key references accounts,
  stored_bytes      bigint not null default 0,
  open_assets_max   integer check (open_assets_max > 0),
  open_uploads_max  integer check (open_uploads_max > 0),
  stored_bytes_max  bigint check (stored_bytes_max > 0)
);
grant select, insert, update on account_libraries to zoetrope_service;

-- The bytes that an asset takes of its account's storage.
create function stored_bytes_of(asset assets) returns bigint language sql immutable as $$
  select case when asset.storage_key is not null and asset.status <> 'FAILED' and asset.deleted_at is null
    then coalesce(asset.size_bytes, 0) else 0 end
$$;

insert into account_libraries (account_id, stored_bytes)
select account_id, sum(stored_bytes_of(assets)) from assets group by account_id;

-- In the transaction that stores or expires a copy, whichever code does it.
create function count_stored_bytes() returns trigger language plpgsql as $$
declare
  delta bigint := stored_bytes_of(new) - (case when tg_op = 'INSERT' then 0 else stored_bytes_of(old) end);
begin
  if delta <> 0 then
    insert into account_libraries (account_id, stored_bytes) values (new.account_id, greatest(0, delta))
    on conflict (account_id) do update
      set stored_bytes = greatest(0, account_libraries.stored_bytes + delta);
  end if;
  if tg_op = 'INSERT' and new.upload_id is not null then
    update asset_uploads set completed_at = now() where id = new.upload_id;
  end if;
  return null;
end
$$;
create trigger assets_count_stored_bytes
  after insert or update of status, storage_key, size_bytes, deleted_at on assets
  for each row execute function count_stored_bytes();
grant update (completed_at) on asset_uploads to zoetrope_service;
