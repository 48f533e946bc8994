-- When each partition of the engine was last asked to run something, and when something last ran there. Workers take
-- turns by asked_at.
create table engine_partitions (
  partition    smallint primary key,
  asked_at     timestamptz not null default now(),
  answered_at  timestamptz not null default now()
);

grant select, insert, update on engine_partitions to zoetrope_service;
