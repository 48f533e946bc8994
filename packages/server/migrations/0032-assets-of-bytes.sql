-- no transaction
-- The asset that an account has of the same bytes.
drop index concurrently if exists assets_of_bytes;
create index concurrently assets_of_bytes on assets (account_id, sha256) where sha256 is not null;
