-- Outputs that were delivered without the visible label: what, to which account and under which agreement. finish_task
-- writes them. They have no foreign keys, so that they outlive their task, its media and what is erased of the account;
-- forget_freed_outputs alone deletes them, when their period is over.
create table freed_outputs (
  task_id       uuid not null,
  number        smallint not null,         -- the place of the output in its task, from 0
  account_id    uuid not null,
  agreement_id  uuid not null,
  sha256        bytea not null check (length(sha256) = 32),
  delivered_at  timestamptz not null,
  primary key (task_id, number)
);
create index freed_outputs_of_account on freed_outputs (account_id, task_id, number);
grant select, insert on freed_outputs to zoetrope_service;
