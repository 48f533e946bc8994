-- functions: needs_second_person, guard_grant, guard_grant_limit
-- How many credits one person may move in a day, alone. The newest row that is set counts; without one there is no
-- limit. Raising it needs a second person.
create table grant_limits (
  id            uuid primary key,
  credits       bigint check (credits > 0), -- null: none needs a second person
  status        text not null check (status in ('pending', 'set', 'rejected')),
  asked_kind    text not null check (asked_kind in ('person', 'command')),
  asked_by      text not null,      -- the id, or the user of a command
  created_at    timestamptz not null default now(),
  decided_kind  text check (decided_kind in ('person', 'command')),
  decided_by    text,
  set_at        timestamptz check ((set_at is not null) = (status = 'set')),
  constraint second_person check (decided_by is null or status <> 'set'
                                  or (asked_kind, asked_by) is distinct from (decided_kind, decided_by))
);
create index grant_limits_set on grant_limits (set_at) where status = 'set';
create unique index grant_limits_pending on grant_limits (status) where status = 'pending'; -- one at a time
create trigger grant_limits_guarded before insert or update on grant_limits
  for each row execute function guard_grant_limit();
grant select, insert on grant_limits to zoetrope_service;
grant update (status, decided_kind, decided_by, set_at) on grant_limits to zoetrope_service;

create index grants_of_asker on grants (asked_kind, asked_by, created_at);
create trigger grants_guarded before insert or update of status on grants
  for each row execute function guard_grant();

-- Who invited somebody to the staff; null: a command, or from before it was noted.
alter table staff add column invited_by uuid;

-- An invitation of an operator that waits for another operator: it has no token until then.
alter table one_time_links
  add column awaits_approval boolean not null default false,
  add constraint one_time_links_approved check (not awaits_approval or hash is null) not valid;
grant update (awaits_approval) on one_time_links to zoetrope_service;
