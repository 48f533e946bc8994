-- The bytes that an asset takes of its account's storage: its copy, and the form of its declaration.
create or replace function stored_bytes_of(asset assets) returns bigint language sql immutable as $$
  select case when asset.storage_key is not null and asset.status <> 'FAILED' and asset.deleted_at is null
    then coalesce(asset.size_bytes, 0) + asset.form_bytes else 0 end
$$;
