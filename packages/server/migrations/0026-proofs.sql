-- A session notes when its person last proved who it is, and whether by a second factor.
alter table sessions
  add column proved_at timestamptz,                    -- null: in a session from before this was noted
  add column has_factor boolean not null default false; -- by a passkey or a code, at the sign-in or later
alter table sessions alter column proved_at set default now();
alter table oidc_visits
  add column proves boolean not null default false;    -- proves who the person of the session is; links nothing
