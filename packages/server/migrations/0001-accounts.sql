-- Accounts, their API keys and what they may do per minute.
--
-- The service logs in as a member of this role. It owns nothing and cannot rewrite the ledger.
do $$
begin
  create role zoetrope_service nologin;
exception when duplicate_object then null;
end
$$;
grant usage on schema public to zoetrope_service;

create table accounts (
  id                           uuid primary key,
  name                         text not null check (char_length(name) between 1 and 200),
  price_schedule               text check (price_schedule in ('A', 'B')), -- null: the deployment's
  open_tasks_max               integer not null default 3 check (open_tasks_max >= 0),
  credits                      bigint not null default 0, -- settled balance, cached from entries
  held                         bigint not null default 0, -- open holds, cached from entries
  transfers                    bigint not null default 0, -- how many there are
  webhook_secret               text not null,
  webhook_secret_before        text,                      -- signs as well until then
  webhook_secret_before_until  timestamptz,
  -- How long a delivery is retried after its usual attempts; 0: not at all.
  webhook_tail_hours           integer not null default 0 check (webhook_tail_hours between 0 and 72),
  -- Set on the twin of an account for its test-mode keys: credits, tasks and history of its own, none of it real.
  test_of                      uuid unique references accounts,
  created_at                   timestamptz not null default now(),
  constraint credits_cover_holds check (held >= 0 and credits >= held)
);

create table api_keys (
  id                       uuid primary key,
  account_id               uuid not null references accounts,
  name                     text not null check (char_length(name) between 1 and 100),
  hint                     text not null,         -- the visible beginning, enough to recognise a key by
  hash                     bytea not null unique, -- SHA-256 of the whole key; the key itself is not stored
  scopes                   text[]                 -- null: all
                           check (cardinality(scopes) > 0 and scopes <@ array['tasks', 'assets', 'webhooks', 'account', 'read']),
  models                   text[],                -- null: all
  requests_per_minute_max  integer check (requests_per_minute_max > 0), -- null: the deployment's
  credits_max              bigint check (credits_max >= 0), -- what its tasks may cost in all; null: no limit
  credits_used             bigint not null default 0,       -- kept only where there is a limit
  created_at               timestamptz not null default now(),
  expires_at               timestamptz,
  revoked_at               timestamptz,
  constraint used_within_max check (credits_used >= 0 and (credits_max is null or credits_used <= credits_max))
);
create index api_keys_of_account on api_keys (account_id);

-- What an account may do per minute: one leaky bucket for each kind.
create table account_allowances (
  account_id  uuid not null references accounts,
  kind        text not null,
  used        double precision not null check (used >= 0), -- at used_at
  used_at     timestamptz not null,
  primary key (account_id, kind)
);

grant select, insert on accounts, api_keys, account_allowances to zoetrope_service;
grant update (credits, held, transfers, webhook_secret, webhook_secret_before, webhook_secret_before_until,
              webhook_tail_hours) on accounts to zoetrope_service;
grant update (credits_used, revoked_at) on api_keys to zoetrope_service;
grant update (used, used_at) on account_allowances to zoetrope_service;
