-- The next version of a price book, while it is written, and while it waits for a second person. One per book.
create table price_drafts (
  book          text primary key references price_books,
  document      jsonb not null,
  based_on      integer not null,          -- the last version when it was begun
  changed_at    timestamptz not null default now(),
  changed_kind  text not null check (changed_kind in ('person', 'command')),
  changed_by    text not null,
  -- What was asked for, until another person approves or rejects it. A change of the document takes it back.
  valid_from    timestamptz,
  reason        text check (char_length(reason) between 1 and 500),
  asked_at      timestamptz,
  asked_kind    text check (asked_kind in ('person', 'command')),
  asked_by      text,
  constraint asked_as_a_whole check (num_nonnulls(valid_from, reason, asked_at, asked_kind, asked_by) in (0, 5))
);
grant select, insert, update, delete on price_drafts to zoetrope_service;
