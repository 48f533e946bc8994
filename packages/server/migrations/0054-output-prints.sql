-- What an output of this service is recognised by: one row per output, without its account. Written by finish_task, and
-- kept when the task's record, its file or its account are gone: a file that has left is still one that was made here.
-- Outputs of earlier releases have no row: reading all tasks would take an upgrade as long as there are tasks.
create table output_prints (
  task_id  uuid not null,
  number   smallint not null,             -- the place of the output in its task, from 0
  sha256   bytea not null check (length(sha256) = 32),
  print    bigint check (print >= 0),     -- media/image/print.ts; null: too little structure, or no poster
  kind     text not null check (kind in ('video', 'image', 'upscale')),
  made_at  timestamptz not null,
  primary key (task_id, number)
);
create index output_prints_sha256 on output_prints using hash (sha256);
-- Prints that differ in at most 5 of their 63 bits differ in at most one bit of one of three parts of 21 bits: 22 probes
-- of each index find all of them.
create index output_prints_low on output_prints ((print & 2097151)) include (print, task_id, number) where print is not null;
create index output_prints_middle on output_prints (((print >> 21) & 2097151)) include (print, task_id, number) where print is not null;
create index output_prints_high on output_prints ((print >> 42)) include (print, task_id, number) where print is not null;
grant select, insert on output_prints to zoetrope_service;
