-- Numbers of attempts and of reviews do not overflow. Both tables are rewritten and locked meanwhile: deliveries
-- wait, tasks do not.
alter table attempts alter column number type integer;
alter table asset_reviews alter column number type integer;
