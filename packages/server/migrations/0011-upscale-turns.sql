-- Accounts take turns at being served: a video of many pieces holds up nobody, and nobody holds it up for ever.
alter table upscales add column account_id uuid;
update upscales set account_id = (select account_id from tasks where id = task_id);
alter table upscales alter column account_id set not null;

create table upscale_turns (
  account_id uuid primary key references accounts,
  served_at  timestamptz not null -- when one of its pieces was taken last
);
drop index upscale_pieces_to_do; -- the pieces of a video are found by its key

grant select, insert on upscale_turns to zoetrope_service;
grant update (served_at) on upscale_turns to zoetrope_service;
