-- What one account does with its webhooks and keys costs nobody else: counters that do not overflow, limits per
-- account that hold over all processes, lists that are found by an index, and keys with scopes.

-- Counters of what is in flight. Both tables are small; 0019 widens those of the history.
alter table open_deliveries
  alter column attempts type integer,
  alter column attempts_before type integer;
alter table upscale_pieces alter column tries type integer;

-- Rounds of attempts that were asked for by hand.
alter table deliveries add column rounds integer not null default 0;
grant update (rounds) on deliveries to zoetrope_service;

-- The record by outcome. Where `deliveries` is large, build these indexes on each partition with
-- `create index concurrently` first: this then attaches them and is done at once.
create index deliveries_failed on deliveries (account_id, id) where delivered_at is null and given_up_at is not null;
create index deliveries_delivered on deliveries (account_id, id) where delivered_at is not null;
create index open_deliveries_of_account on open_deliveries (account_id, delivery_id);

-- The library by type and status. The function is declared dear, so that a kept plan takes this index also where it
-- was made on an empty table, when every index seems to cost the same: elsewhere it would have to filter by it.
create function asset_kind(type text, status text) returns text language plpgsql immutable cost 10000 as $$
begin
  return type || ' ' || status;
end
$$;
create index assets_by_kind on assets (account_id, asset_kind(type, status), id);

-- What an account may do so often a minute: a bucket that empties with time, one for each kind of thing.
create table account_allowances (
  account_id  uuid not null references accounts,
  kind        text not null,
  used        double precision not null check (used >= 0), -- at used_at
  used_at     timestamptz not null,
  primary key (account_id, kind)
);
grant select, insert on account_allowances to zoetrope_service;
grant update (used, used_at) on account_allowances to zoetrope_service;

-- Takes as many as wanted and left; fewer than 0 gives back. A refusal only reads.
create function take_allowance(
  p_account uuid, p_kind text, p_wanted integer, p_per_minute integer, out granted integer, out retry_after_ms integer
) language plpgsql as $$
declare
  a account_allowances;
  level double precision;
begin
  for is_locked in 0..1 loop
    if is_locked = 1 then
      insert into account_allowances values (p_account, p_kind, 0, clock_timestamp()) on conflict do nothing;
      select * into strict a from account_allowances where account_id = p_account and kind = p_kind for update;
    else
      select * into a from account_allowances where account_id = p_account and kind = p_kind;
      continue when not found;
    end if;
    level := greatest(a.used - p_per_minute * extract(epoch from clock_timestamp() - a.used_at) / 60, 0);
    granted := least(p_wanted, greatest(floor(p_per_minute - level), 0));
    retry_after_ms := greatest(ceil((level + 1 - p_per_minute) * 60000 / p_per_minute), 0);
    if granted = 0 then
      return;
    end if;
  end loop;
  update account_allowances set used = greatest(level + granted, 0), used_at = clock_timestamp()
  where account_id = p_account and kind = p_kind;
end
$$;

-- What a key may do; null: everything.
alter table api_keys add column scopes text[]
  check (cardinality(scopes) > 0 and scopes <@ array['tasks', 'assets', 'webhooks', 'account', 'read']);

-- A twin for test mode has a secret of its own. One that shares its account's gets another; for seven days the
-- shared one signs as well, so that receivers of test callbacks can be changed over.
update accounts t set
  webhook_secret = 'whsec_' || encode(decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'), 'base64'),
  webhook_secret_before = t.webhook_secret,
  webhook_secret_before_until = now() + interval '7 days'
from accounts a
where a.id = t.test_of and t.webhook_secret in (a.webhook_secret, a.webhook_secret_before);
