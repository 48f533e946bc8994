-- functions: count_stored_bytes
-- Review by people: what waits, who is judging it, and what was decided; and what owners declare about real people.

-- What waits for a person. A row is there from the moment the reviewer `manual` is asked until somebody has judged.
-- place_at is the place in the queue: a minute after the place of the account's last one, or now. So accounts take
-- turns, however many assets one of them uploads.
create table open_reviews (
  asset_id      bigint primary key references assets,
  account_id    uuid not null,
  place_at      timestamptz not null,
  asked_at      timestamptz not null default now(),
  claimed_by    text check (char_length(claimed_by) between 1 and 200),   -- a person's id, or `command NAME`
  claimed_at    timestamptz,
  claimed_until timestamptz,                                              -- a lease: it ends by itself
  constraint claimed_whole check (num_nonnulls(claimed_by, claimed_at, claimed_until) in (0, 3))
);
create index open_reviews_by_place on open_reviews (place_at, asset_id);
create index open_reviews_of_account on open_reviews (account_id, place_at);
create index open_reviews_claimed on open_reviews (claimed_by) where claimed_by is not null;

-- Per reviewer and day (UTC), written with each decision.
create table reviewer_days (
  day              timestamptz not null,
  reviewer         text not null check (char_length(reviewer) between 1 and 200),
  approved         integer not null default 0,
  refused          integer not null default 0,
  undone           integer not null default 0,
  judging_ms       bigint not null default 0,  -- from the claim, or the decision before if that is later
  last_decided_at  timestamptz not null default now(),
  primary key (day, reviewer)
);

-- How the reviews of an account's assets ended, written with each end; `recent` has the newest refusals, newest first.
create table account_reviews (
  account_id       uuid primary key,
  passed           integer not null default 0,
  refused          integer not null default 0,
  last_refused_at  timestamptz,
  recent           jsonb not null default '[]'
);

-- What an owner declares about the real people that an asset shows, with their signed form.
create table asset_declarations (
  asset_id         bigint primary key references assets,
  account_id       uuid not null,
  people           text not null check (char_length(people) <= 500),    -- who is shown; blank once the asset is deleted
  purpose          text not null check (char_length(purpose) <= 1000),  -- what they agreed to
  form_upload_id   uuid unique,          -- where the bytes of the form come from
  form_key         text unique,          -- of our copy, once there is one
  form_type        text,
  form_sha256      text,
  created_at       timestamptz not null default now()
);
create index asset_declarations_of_account on asset_declarations (account_id, asset_id);

-- A verdict of a person has the code of its reason; one of the models has their scores. A refusal by a person takes
-- effect later, so that it can be undone without anybody having seen it.
alter table asset_reviews
  add column code text check (char_length(code) <= 40),
  add column scores jsonb,
  add column takes_effect_at timestamptz,
  drop constraint asset_reviews_verdict_check,
  add constraint asset_reviews_verdict_check
    check (verdict in ('passed', 'refused', 'unsure', 'revoked', 'undone')) not valid; -- wider than the one before

alter table asset_uploads
  drop constraint asset_uploads_type_check,
  add constraint asset_uploads_type_check check (type in ('IMAGE', 'AUDIO', 'VIDEO', 'DOCUMENT')) not valid;

-- The bytes of the form count as the account's, like those of the copy.
alter table assets add column form_bytes bigint not null default 0 check (form_bytes >= 0);
drop trigger assets_count_stored_bytes on assets;
create trigger assets_count_stored_bytes
  after insert or update of status, storage_key, size_bytes, form_bytes, deleted_at on assets
  for each row execute function count_stored_bytes();

grant select, insert, update, delete on open_reviews to zoetrope_service;
grant select, insert, update on reviewer_days, account_reviews, asset_declarations to zoetrope_service;
grant update (form_bytes) on assets to zoetrope_service;
