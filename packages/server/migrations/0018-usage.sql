-- functions: id_floor, history_key, create_partition
-- Usage: what the ended tasks of an account came to, by the hour and by the day (UTC). finish_task adds to both under
-- the account's lock, at the moment of the capture or release. Hours of one day sum to the day; months are sums of days.

create table usage_hours (
  start_id    uuid not null,     -- the smallest id of the hour: partitions are made by ids
  account_id  uuid not null,
  kind        text not null check (kind in ('generation', 'upscale')),
  model       text not null,
  key_id      uuid,              -- null: no key, or no longer known
  status      text not null check (status in ('COMPLETED', 'FAILED')),
  tasks       bigint not null check (tasks > 0),
  credits     bigint not null check (credits >= 0), -- captured
  video_ms    bigint not null check (video_ms >= 0) -- length of the results, where it is known
) partition by range (start_id);
create unique index usage_hours_row on usage_hours (account_id, start_id, kind, model, key_id, status) nulls not distinct;

create table usage_days (
  start_id    uuid not null,
  account_id  uuid not null,
  kind        text not null check (kind in ('generation', 'upscale')),
  model       text not null,
  key_id      uuid,
  status      text not null check (status in ('COMPLETED', 'FAILED')),
  tasks       bigint not null check (tasks > 0),
  credits     bigint not null check (credits >= 0),
  video_ms    bigint not null check (video_ms >= 0)
) partition by range (start_id);
create unique index usage_days_row on usage_days (account_id, start_id, kind, model, key_id, status) nulls not distinct;

-- Derived from the ledger: `usage rebuild` may replace rows.
grant select, insert, delete on usage_hours, usage_days to zoetrope_service;
grant update (tasks, credits, video_ms) on usage_hours, usage_days to zoetrope_service;

do $$
declare
  parent text;
begin
  foreach parent in array array['usage_hours', 'usage_days'] loop
    execute format('create table %I partition of %I default', parent || '_default', parent);
    for months_ahead in 0..2 loop
      perform create_partition(p_parent => parent, p_month => now() + months_ahead * interval '1 month', p_rows_max => 1);
    end loop;
  end loop;
end
$$;
