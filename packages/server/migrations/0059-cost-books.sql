-- functions: refuse_cost_rewrite
-- What a vendor account is charged. Versions never change once they are published; for a submit the highest version
-- counts whose time is not after it, so that a corrected version can begin in the past. In the first shard. The
-- documents are checked by the service before they are written here.
create table cost_books (
  vendor_account  text primary key check (char_length(vendor_account) between 1 and 100),
  created_at      timestamptz not null default now()
);
create table cost_versions (
  vendor_account  text not null references cost_books,
  version         integer not null check (version > 0),
  document        jsonb not null,           -- by the vendor's model: rates by unit, in millionths of the smallest unit
  valid_from      timestamptz not null,
  published_at    timestamptz not null default now(),
  published_kind  text not null check (published_kind in ('person', 'command')),
  published_by    text not null,            -- the id, or the user of a command
  reason          text check (char_length(reason) between 1 and 500),
  primary key (vendor_account, version)
);
grant select, insert on cost_books, cost_versions to zoetrope_service;
create trigger cost_versions_are_kept before update or delete on cost_versions
  for each row execute function refuse_cost_rewrite();

-- What the vendor says a submit has used, and what it costs. From the claim on the cost is the estimate of unknown
-- source, which the end of the job replaces: nothing that may have been charged is left out.
alter table submissions
  add column vendor_model   text,           -- the vendor's name of the model
  add column cost_facts     jsonb,          -- of the request: rate key, seconds, seconds of input videos, images
  add column usage          jsonb,          -- as reported: units by the vendor's names, exact decimals as texts
  add column cost_units     jsonb,          -- what was charged or estimated, in the same form
  add column cost_micros    bigint,         -- millionths of the smallest unit of the currency
  add column cost_currency  text,
  add column cost_version   integer,        -- of the vendor account's cost book
  add column cost_source    text;           -- reported, estimated, free, unknown; null: no cost book, or not accepted
grant update (usage, cost_units, cost_micros, cost_currency, cost_version, cost_source)
  on submissions to zoetrope_service;
