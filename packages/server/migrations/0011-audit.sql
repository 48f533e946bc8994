-- functions: refuse_rewrite, create_partition
-- Who changed what. Rows are only added: the service can neither change nor delete them.
create table audit_entries (
  id          uuid primary key,
  account_id  uuid,               -- whose data it was; null: the deployment's
  actor_kind  text not null check (actor_kind in ('key', 'person', 'command')),
  person_id   uuid,
  actor       text not null check (char_length(actor) between 1 and 200),   -- the id, or the user of a command
  action      text not null check (action ~ '^[a-z_]+\.[a-z_]+$'),          -- noun.verb, such as key.create
  object      text not null check (char_length(object) between 1 and 200),  -- the id of what was changed
  before      jsonb,              -- what changed, by field, without secrets; null: it did not exist
  after       jsonb,              -- null: it is gone
  reason      text check (char_length(reason) between 1 and 1000),
  address     inet,               -- null: a command
  request_id  uuid,
  created_at  timestamptz not null default now()
) partition by range (id);
create index audit_entries_of_account on audit_entries (account_id, id);
create index audit_entries_of_person on audit_entries (person_id, id) where person_id is not null;

create trigger audit_entries_append_only before update or delete on audit_entries
  for each row execute function refuse_rewrite();

grant select, insert on audit_entries to zoetrope_service;

create table audit_entries_default partition of audit_entries default;
do $$
begin
  for months_ahead in 0..2 loop
    perform create_partition(p_parent => 'audit_entries', p_month => now() + months_ahead * interval '1 month',
                             p_rows_max => 1);
  end loop;
end
$$;
