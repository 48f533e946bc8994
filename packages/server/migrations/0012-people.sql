-- People: who signs in, what they may do in accounts and in the deployment, their sessions, and mail to them.
create table people (
  id             uuid primary key,
  email          text not null check (char_length(email) between 3 and 254),
  name           text not null check (char_length(name) between 1 and 100),
  language       text not null default 'en' check (language in ('en', 'zh')),
  password_hash  text,               -- argon2id with its parameters; null: no password was set
  created_at     timestamptz not null default now()
);
create unique index people_email on people (lower(email));

create table members (
  person_id   uuid not null references people on delete cascade,
  account_id  uuid not null references accounts, -- never a test account: its people are those of its live account
  role        text not null check (role in ('owner', 'developer', 'viewer')),
  created_at  timestamptz not null default now(),
  primary key (person_id, account_id)
);
create index members_of_account on members (account_id, person_id);

create table staff (
  person_id   uuid primary key references people on delete cascade,
  role        text not null check (role in ('operator', 'support', 'reviewer')),
  created_at  timestamptz not null default now()
);

-- A session that ends is deleted.
create table sessions (
  id             uuid primary key,
  person_id      uuid not null references people on delete cascade,
  hash           bytea not null unique,        -- of the token in the cookie
  awaits_factor  boolean not null default false, -- the password was right; a second factor is still missing
  address        inet,
  user_agent     text check (char_length(user_agent) <= 200),
  created_at     timestamptz not null default now(),
  last_used_at   timestamptz not null default now(), -- to the minute
  expires_at     timestamptz not null
);
create index sessions_of_person on sessions (person_id, id);
create index sessions_by_expiry on sessions (expires_at);

-- Links that work once: taking one deletes it. A link that is mailed gets its token when the mail is sent.
create table one_time_links (
  id          uuid primary key,
  hash        bytea unique,                    -- of the token in the link; null: not mailed yet
  kind        text not null check (kind in ('member', 'staff', 'password', 'email')),
  email       text not null check (char_length(email) between 3 and 254),
  person_id   uuid references people on delete cascade, -- password, email: whose
  account_id  uuid references accounts,        -- member: of which account
  role        text,                            -- member, staff
  created_by  uuid,                            -- the person who invited; null: a command, or the person itself
  created_at  timestamptz not null default now(),
  expires_at  timestamptz not null,
  check ((kind in ('password', 'email')) = (person_id is not null)),
  check ((kind = 'member') = (account_id is not null)),
  check ((kind in ('member', 'staff')) = (role is not null))
);
create index one_time_links_of_account on one_time_links (account_id, id) where account_id is not null;
create index one_time_links_of_staff on one_time_links (id) where kind = 'staff';
create index one_time_links_of_person on one_time_links (person_id, kind) where person_id is not null;
create index one_time_links_by_expiry on one_time_links (expires_at);

-- Mail that waits for the SMTP server. A mail that was sent is deleted.
create table mails (
  id           uuid primary key,
  recipient    text not null check (char_length(recipient) between 3 and 254),
  content      jsonb not null,                 -- what to say, without secrets
  next_try_at  timestamptz not null default now(),
  expires_at   timestamptz not null,           -- not sent after that
  created_at   timestamptz not null default now()
);
create index mails_due on mails (next_try_at);

alter table api_keys add column created_by uuid; -- the person who made it; null: an operator's command

grant select, insert, update on people to zoetrope_service;
grant select, insert, update, delete on members, staff, sessions, mails to zoetrope_service;
grant select, insert, delete, update (hash) on one_time_links to zoetrope_service;
