-- When a vendor was asked to register an asset, unless it is proven that it did not: written before
-- the call, so that a lost answer is looked for and not asked for again.
alter table assets add column vendor_asked_at timestamptz;
grant update (vendor_asked_at) on assets to zoetrope_service;
