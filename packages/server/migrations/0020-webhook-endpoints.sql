-- Webhook endpoints of an account, beside the callback of a task.
create table webhook_endpoints (
  id                   uuid primary key,
  account_id           uuid not null references accounts,
  url                  text not null check (char_length(url) between 1 and 4096),
  events               text[] check (cardinality(events) between 1 and 20), -- null: all
  description          text not null check (char_length(description) <= 200),
  secret               text not null,
  secret_before        text,                 -- signs as well until then
  secret_before_until  timestamptz,
  paused_at            timestamptz,
  pause_reason         text check (pause_reason in ('owner', 'failing')),
  created_at           timestamptz not null default now(),
  check ((paused_at is null) = (pause_reason is null))
);
create index webhook_endpoints_of_account on webhook_endpoints (account_id, id);

-- How an endpoint answered last. A row of its own: it changes with the attempts, and queueing does not need it.
create table endpoint_health (
  endpoint_id      uuid primary key,
  status           smallint,                 -- of the last response; null: there was none
  reason           text,                     -- why the last attempt failed; null: it did not
  since            timestamptz not null,     -- since when it answers like that
  failures         integer not null,         -- in a row
  failing_since    timestamptz,              -- the first of them
  last_attempt_at  timestamptz not null,
  last_success_at  timestamptz
) with (fillfactor = 80);

alter table deliveries
  add column endpoint_id uuid,               -- null: a callback
  add column event_id    uuid;               -- what it tells; null: its own id
create index deliveries_of_endpoint on deliveries (endpoint_id, id) where endpoint_id is not null;
create index deliveries_of_endpoint_failed on deliveries (endpoint_id, id)
  where endpoint_id is not null and delivered_at is null and given_up_at is not null;
create index deliveries_of_endpoint_delivered on deliveries (endpoint_id, id)
  where endpoint_id is not null and delivered_at is not null;

-- When an account or the owner of a key wants to be told.
alter table accounts add column credits_low bigint check (credits_low > 0);  -- below this balance; null: never
alter table api_keys add column budget_told smallint not null default 0;     -- the share in percent that was told last

grant select, insert, delete on webhook_endpoints, endpoint_health to zoetrope_service;
grant update (url, events, description, secret, secret_before, secret_before_until, paused_at, pause_reason)
  on webhook_endpoints to zoetrope_service;
grant update on endpoint_health to zoetrope_service;
grant update (url) on deliveries to zoetrope_service;
grant update (credits_low) on accounts to zoetrope_service;
grant update (budget_told) on api_keys to zoetrope_service;
