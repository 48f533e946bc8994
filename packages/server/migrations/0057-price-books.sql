-- functions: refuse_price_rewrite, refuse_moved
-- What customers pay. A book has versions, which never change once they are published; the one in force is the last
-- whose time has come. In the first shard. The documents are checked by the service before they are written here.
create table price_books (
  name         text primary key check (name ~ '^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$'),
  description  text not null default '' check (char_length(description) <= 500),
  created_at   timestamptz not null default now()
);
create table price_versions (
  book            text not null references price_books,
  version         integer not null check (version > 0),
  document        jsonb not null,           -- by model: its rates by their keys, in credits
  valid_from      timestamptz not null,     -- of a higher version always later
  published_at    timestamptz not null default now(),
  published_kind  text not null check (published_kind in ('person', 'command', 'migration')),
  published_by    text not null,            -- the id, the user of a command, or the name of the migration
  reason          text check (char_length(reason) between 1 and 500),
  primary key (book, version)
);
create unique index price_versions_in_order on price_versions (book, valid_from);
grant select, insert, update (description) on price_books to zoetrope_service;
grant select, insert on price_versions to zoetrope_service;
create trigger price_versions_are_kept before update or delete on price_versions
  for each row execute function refuse_price_rewrite();

insert into price_books (name, description) values
  ('A', 'Published with the service'),
  ('B', 'Published with the service');
insert into price_versions (book, version, document, valid_from, published_kind, published_by) values
('A', 1, $${
  "sd2": {
    "720p": 6, "720p.withVideo": 4, "1080p": 15, "1080p.withVideo": 11,
    "upscale.1080p": 3, "upscale.2k": 5, "upscale.4k": 7
  },
  "sd2-fast": {
    "720p": 5, "720p.withVideo": 4,
    "upscale.1080p": 3, "upscale.2k": 5, "upscale.4k": 7
  },
  "happyhorse": {
    "720p": 5, "1080p": 9,
    "upscale.1080p": 3, "upscale.2k": 5, "upscale.4k": 7
  },
  "image-pro-2": {
    "1k.medium": 3, "1k.high": 13, "2k.medium": 6, "2k.high": 22, "4k.medium": 11, "4k.high": 40
  },
  "image-plus-2": { "1k": 3, "2k": 6, "4k": 11 },
  "upscale": { "1080p": 3, "2k": 5, "4k": 7 }
}$$, '2000-01-01Z', 'migration', '0057-price-books'),
('B', 1, $${
  "sd2": {
    "720p": 40, "720p.withVideo": 30, "1080p": 100, "1080p.withVideo": 75,
    "upscale.1080p": 20, "upscale.2k": 30, "upscale.4k": 40
  },
  "sd2-fast": {
    "720p": 32, "720p.withVideo": 24,
    "upscale.1080p": 20, "upscale.2k": 30, "upscale.4k": 40
  },
  "happyhorse": {
    "720p": 32, "1080p": 60,
    "upscale.1080p": 20, "upscale.2k": 30, "upscale.4k": 40
  },
  "image-pro-2": {
    "1k.medium": 15, "1k.high": 70, "2k.medium": 35, "2k.high": 125, "4k.medium": 60, "4k.high": 230
  },
  "image-plus-2": { "1k": 15, "2k": 35, "4k": 60 },
  "upscale": { "1080p": 25, "2k": 38, "4k": 50 }
}$$, '2000-01-01Z', 'migration', '0057-price-books');

-- The book of an account is in price_schedule: its name is from when there were two. A discount ends.
alter table accounts
  drop constraint accounts_price_schedule_check,
  add column discount smallint,             -- in hundredths of a per cent
  add column discount_until timestamptz,
  -- Not valid: every row is null, and the table is not read under this lock to see it.
  add constraint discount_in_range check (discount between 1 and 9999) not valid,
  add constraint discount_ends check ((discount is null) = (discount_until is null)) not valid;
grant update (discount, discount_until) on accounts to zoetrope_service;
drop trigger accounts_moved on accounts;
create trigger accounts_moved before update of credits, held, transfers, price_schedule, discount, discount_until,
    open_tasks_max, webhook_secret, webhook_secret_before, webhook_secret_before_until, webhook_tail_hours,
    suspended_at, suspended_reason, credits_low
  on accounts for each row when (old.moved_to is not null and new.moved_to is not distinct from old.moved_to)
  execute function refuse_moved();

-- What a task was priced with. Null in tasks of the release before: version 1, without a discount.
alter table tasks
  drop constraint tasks_price_schedule_check,
  add column price_version integer,
  add column discount smallint,
  add column price_lines jsonb;             -- what was priced: rate key, quantity as a fraction, rate
grant update (price_lines) on tasks to zoetrope_service;
