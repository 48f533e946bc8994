-- Which key of the key ring encrypts, so that a process with an older key ring is refused and does not encrypt
-- with a key that others no longer have. In the first shard alone.
create table current_key (
  is_only      boolean primary key default true check (is_only),
  key_id       text,                        -- null: nobody has had a key ring yet
  earlier_ids  text[] not null default '{}', -- keys that it has replaced
  changed_at   timestamptz not null default now()
);
insert into current_key default values;
grant select on current_key to zoetrope_service;
grant update (key_id, earlier_ids, changed_at) on current_key to zoetrope_service;
