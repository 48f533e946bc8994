-- When reviewers were last mailed that assets wait. In the first shard alone, where people and mails are.
create table review_reminders (
  is_only  boolean primary key default true check (is_only),
  sent_at  timestamptz not null default '-infinity'
);
insert into review_reminders default values;
grant select on review_reminders to zoetrope_service;
grant update (sent_at) on review_reminders to zoetrope_service;
