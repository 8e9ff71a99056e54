-- What proves a person beside the password: codes of an app, and recovery codes for when the app is lost.

alter table users
  -- since when a sign-in needs a second factor; null: it does not
  add column second_factor_since timestamptz,
  -- changes with every factor: sign-ins that are half done and browsers that are trusted belong to one value of it
  add column factors_changed_at timestamptz,
  -- when a sign-in first found that the operator demands a factor that the person does not have
  add column second_factor_demanded_at timestamptz;

create table totp_factors (
  user_id integer primary key references users on delete cascade,
  -- sealed with a key derived from SESSION_SECRET, together with the number of the person
  secret bytea not null,
  -- of the last code that was accepted: neither it nor an older one is accepted again
  last_step bigint not null,
  created_at timestamptz not null default now()
);

create table recovery_codes (
  user_id integer not null references users on delete cascade,
  code_sha256 bytea not null,
  primary key (user_id, code_sha256)
);

-- A session of somebody who has a second factor begins with that factor. The previous release asks for none and could only begin half
-- a session: it stores nothing here, and the person is asked to sign in again.
create function refuse_half_sign_in() returns trigger language plpgsql as $$
begin
  if not new.methods && '{passkey,security_key,totp,recovery_code,trusted_browser}'
    and exists (select from users where users.user_id = new.user_id and users.second_factor_since is not null) then
    return null;
  end if;
  return new;
end $$;

create trigger sessions_begin_with_second_factor before insert on sessions
  for each row execute function refuse_half_sign_in();
