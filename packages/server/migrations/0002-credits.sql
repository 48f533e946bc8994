-- functions: refuse_rewrite
-- The ledger. A transfer moves credits between two books; its entries sum to zero.

-- raise: a hold that grows or shrinks once its real price is known. adjust: an operator's correction, either way.
create table transfers (
  cause_id       uuid not null,   -- the task; for grant and adjust the transfer itself
  kind           text not null check (kind in ('grant', 'hold', 'raise', 'capture', 'release', 'adjust')),
  id             uuid not null,
  account_id     uuid not null,
  number         bigint not null, -- 1, 2, 3 … within the account, in the order of commit
  amount         bigint not null,
  credits_after  bigint not null, -- the account's balance and holds once this was posted
  held_after     bigint not null,
  note           text,
  created_at     timestamptz not null default now(),
  primary key (cause_id, kind),
  constraint transfers_amount_check check (amount > 0 or (kind in ('adjust', 'raise') and amount <> 0))
) partition by range (cause_id);
-- A hold ends once: as a capture or as a release.
create unique index transfers_one_settlement on transfers (cause_id) where kind in ('capture', 'release');
create index transfers_in_order on transfers (account_id, number);

create table entries (
  cause_id    uuid not null,
  kind        text not null,
  account_id  uuid not null,
  book        text not null check (book in ('available', 'held', 'issued', 'revenue')),
  amount      bigint not null check (amount <> 0),
  primary key (cause_id, kind, book)
) partition by range (cause_id);

create trigger transfers_append_only before update or delete on transfers
  for each row execute function refuse_rewrite();
create trigger entries_append_only before update or delete on entries
  for each row execute function refuse_rewrite();

grant select, insert on transfers, entries to zoetrope_service;
