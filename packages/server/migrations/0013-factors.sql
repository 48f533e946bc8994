-- How people prove who they are besides a password: authenticator apps, passkeys, a company's OpenID provider.

create table totp_factors (
  person_id     uuid primary key references people on delete cascade,
  secret        text not null,               -- encrypted with the key ring
  confirmed_at  timestamptz,                 -- null: no code was entered yet, and sign-in does not ask for one
  last_step     bigint not null default 0,   -- of the newest code that was accepted; none is accepted twice
  failures      integer not null default 0 check (failures >= 0), -- wrong codes since the last right one
  locked_until  timestamptz,
  created_at    timestamptz not null default now()
);

create table recovery_codes (
  person_id  uuid not null references totp_factors on delete cascade,
  hash       bytea not null,                 -- SHA-256: a code has 80 random bits
  used_at    timestamptz,
  primary key (person_id, hash)
);

create table passkeys (
  id             uuid primary key,
  person_id      uuid not null references people on delete cascade,
  credential_id  bytea not null unique check (octet_length(credential_id) between 1 and 1023),
  public_key     bytea not null,             -- COSE
  counter        bigint not null check (counter >= 0), -- of signatures; some authenticators stay at 0
  transports     text[] not null,
  name           text not null check (char_length(name) between 1 and 100),
  created_at     timestamptz not null default now(),
  used_at        timestamptz
);
create index passkeys_of_person on passkeys (person_id, id);

-- Deleted when it is answered. Expired rows are deleted by those who add new ones.
create table passkey_challenges (
  hash        bytea primary key,             -- SHA-256 of the challenge
  person_id   uuid references people on delete cascade, -- who registers a passkey; null: a sign-in
  expires_at  timestamptz not null
);
create index passkey_challenges_expiry on passkey_challenges (expires_at);

-- A person at a company's OpenID provider. An e-mail address is no identity: addresses are given to others.
create table oidc_identities (
  id          uuid primary key,
  person_id   uuid not null references people on delete cascade,
  issuer      text not null check (char_length(issuer) between 1 and 1000),
  subject     text not null check (char_length(subject) between 1 and 255),
  email       text check (char_length(email) between 3 and 254), -- as the provider said it when they were linked
  created_at  timestamptz not null default now(),
  used_at     timestamptz,
  unique (issuer, subject)
);
create index oidc_identities_of_person on oidc_identities (person_id, id);

-- A visit to the provider that has not come back yet. Expired rows are deleted by those who add new ones.
create table oidc_visits (
  state_hash       bytea primary key,        -- SHA-256
  verifier_hash    bytea not null,           -- of the secret in the browser's cookie
  nonce            text not null,
  session_id       uuid references sessions on delete cascade, -- whose person links an identity; null: a sign-in
  invitation_hash  bytea,                    -- of the token of the invitation that is accepted
  return_to        text not null check (char_length(return_to) between 1 and 500),
  expires_at       timestamptz not null
);
create index oidc_visits_expiry on oidc_visits (expires_at);

grant select, insert, update, delete
  on totp_factors, recovery_codes, passkeys, passkey_challenges, oidc_identities, oidc_visits to zoetrope_service;
