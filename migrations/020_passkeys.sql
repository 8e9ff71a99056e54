-- Passkeys: keys on devices and hardware of people, with which they sign in.

-- What authenticators call the person: random, since whoever holds a device can read it. Null until the first passkey.
alter table users add column passkey_handle bytea;

create table passkeys (
  -- chosen by the authenticator; of one person only, since a sign-in without a name finds the person by it
  credential_id bytea primary key constraint passkeys_credential_id_length check (length(credential_id) between 1 and 1023),
  user_id integer not null references users on delete cascade,
  -- a JWK, with the one algorithm of its signatures
  public_key jsonb not null,
  -- of the last signature; 0 from those that are on several devices
  sign_count bigint not null,
  -- how browsers reach it
  transports text[] not null,
  -- whether it verified the person when it was made, and so is both factors at once; else it is a second factor only
  user_verified boolean not null,
  -- whether it can be on several devices
  backup_eligible boolean not null,
  -- the host for which it was made, and at which alone it works
  rp_id text not null,
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  last_used_address text,
  last_used_agent text
);
create index passkeys_by_user on passkeys (user_id, created_at);
