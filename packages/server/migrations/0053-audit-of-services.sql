-- A service key is an actor of its own; person_id is who issued it.
alter table audit_entries
  drop constraint audit_entries_actor_kind_check,
  add constraint audit_entries_actor_kind_check
    check (actor_kind in ('key', 'person', 'command', 'service')) not valid;
