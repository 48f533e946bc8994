-- functions: refuse_rewrite, refuse_lot, id_floor, history_key, create_partition
-- Where credits come from. A lot is credits that came in together; a use says which transfer took how many of them.
-- post_transfer alone writes both, under the account's lock.
create table lots (
  id            uuid primary key,          -- of the transfer that made it
  account_id    uuid not null,
  number        bigint not null,           -- of that transfer; of the balance from before there were lots: the last before it
  source        text not null,             -- purchase, promotion, goodwill, adjustment, migration or test
  credits       bigint not null,
  credits_left  bigint not null,
  is_open       boolean not null default true, -- indexes are by this: a use that leaves credits changes no index
  net_minor     bigint not null default 0, -- paid, without tax; 0: free
  currency      text,
  expires_at    timestamptz,
  cause_id      uuid not null,             -- the grant or other cause; the account's balance is its own
  created_at    timestamptz not null default now(),
  constraint lots_left check (credits_left between 0 and credits and is_open = (credits_left > 0))
) with (fillfactor = 70);
-- Not constraints, which every use would evaluate again for a tenth of a millisecond: this does not change.
create trigger lots_checked before insert on lots for each row when ((
    new.source in ('purchase', 'promotion', 'goodwill', 'adjustment', 'migration', 'test') and new.credits > 0
    and new.net_minor >= 0 and case when new.currency is null then new.net_minor = 0 else new.currency ~ '^[A-Z]{3}$' end
    and (new.source <> 'test' or (new.net_minor = 0 and new.expires_at is null))
  ) is not true) execute function refuse_lot();
-- The order of use: what expires, soonest first; then free ones; then paid ones, oldest first.
create index lots_in_order on lots (account_id, expires_at, (net_minor > 0), id) where is_open;
create index lots_expiring on lots (expires_at, id) where is_open and expires_at is not null;
create index lots_of_account on lots (account_id, id);

create table lot_uses (
  cause_id    uuid not null,   -- of the transfer, and its kind
  kind        text not null check (kind in ('capture', 'adjust', 'expiry')),
  lot_id      uuid not null,
  account_id  uuid not null,
  credits     bigint not null check (credits > 0),
  net_minor   bigint not null check (net_minor >= 0), -- the part of what was paid for the lot
  primary key (cause_id, kind, lot_id)
) partition by range (cause_id);

create trigger lots_kept before delete on lots for each row execute function refuse_rewrite();
-- A move writes all columns of a lot that it has copied before.
create trigger lots_unchanged
  before update of id, account_id, number, source, credits, net_minor, currency, expires_at, cause_id, created_at on lots
  for each row when (
    (old.id, old.account_id, old.number, old.source, old.credits, old.net_minor, old.currency, old.expires_at,
     old.cause_id, old.created_at) is distinct from
    (new.id, new.account_id, new.number, new.source, new.credits, new.net_minor, new.currency, new.expires_at,
     new.cause_id, new.created_at))
  execute function refuse_rewrite();
create trigger lot_uses_append_only before update or delete on lot_uses
  for each row execute function refuse_rewrite();

grant select, insert on lots, lot_uses to zoetrope_service;
grant update (credits_left, is_open) on lots to zoetrope_service;

do $$
begin
  create table lot_uses_default partition of lot_uses default;
  for months_ahead in 0..2 loop
    perform create_partition(p_parent => 'lot_uses', p_month => now() + months_ahead * interval '1 month', p_rows_max => 1);
  end loop;
end
$$;

-- When the credits of a grant expire; expires_at is the end of a pending one.
alter table grants add column credits_expire_at timestamptz check (credits_expire_at is null or kind = 'grant');

-- Last, since it locks the ledger: an expiry takes what is left of lots whose time is over.
alter table transfers
  drop constraint transfers_kind_check,
  add constraint transfers_kind_check
    check (kind in ('grant', 'hold', 'raise', 'capture', 'release', 'adjust', 'expiry')) not valid;
