-- functions: refuse_moved
-- Agreements that free an account from the visible label of its outputs. One is live at a time; it is ended, never
-- deleted while its account exists: it is the reason why outputs were delivered without the label.
create table label_agreements (
  id             uuid primary key,
  account_id     uuid not null references accounts,
  agreed_by      text not null check (char_length(agreed_by) between 1 and 200),  -- who agreed for the customer
  agreed_at      timestamptz not null,
  text           text not null check (char_length(text) between 1 and 50000),
  recorded_kind  text not null check (recorded_kind in ('person', 'command')),
  recorded_by    text not null,      -- the id, or the user of a command
  created_at     timestamptz not null default now(),
  ended_at       timestamptz,
  ended_kind     text check (ended_kind in ('person', 'command')),
  ended_by       text,
  end_reason     text check (char_length(end_reason) between 1 and 500),
  constraint ended_by_somebody check (num_nonnulls(ended_at, ended_kind, ended_by, end_reason) in (0, 4))
);
create index label_agreements_of_account on label_agreements (account_id, id);
create unique index label_agreements_live on label_agreements (account_id) where ended_at is null;
grant select, insert on label_agreements to zoetrope_service;
grant update (ended_at, ended_kind, ended_by, end_reason) on label_agreements to zoetrope_service;
create trigger label_agreements_moved before insert or update on label_agreements
  for each row execute function refuse_moved();
