-- Registers a user, or updates the account. The password is plain text or a bcrypt hash; only a bcrypt hash is stored.
create or replace function register_user(
  username text,
  password text default null,
  email text default null,
  name text default null,
  is_admin boolean default null,
  email_verified boolean default true
) returns integer language plpgsql as $$
#variable_conflict use_variable
declare
  earlier text := (select u.registered_password_bcrypt from users u where u.username = register_user.username);
  hash text;
  id integer;
  problems jsonb := (
    select jsonb_agg(jsonb_build_object('field', field, 'rule', problem[1], 'value', value, 'sentence', problem[2]))
    from (values
      ('username', username, case
        when coalesce(btrim(username), '') = '' then array['missing', 'username is missing']
        when length(username) > 200 or has_control_character(username)
          then array['malformed', 'username is longer than 200 characters or contains a control character'] end),
      ('password', null, case
        when password is null then array['missing', 'password is missing']
        when password ~ '^\$2[aby]\$(0[4-9]|1[0-2])\$[./A-Za-z0-9]{53}$' then null
        -- comparing a hash of a higher cost takes longer, which would reveal that the username exists; a hash that was
        -- registered before changes nothing
        when password ~ '^\$2[aby]\$(1[3-9]|2\d|3[01])\$[./A-Za-z0-9]{53}$' then case
          when regexp_replace(password, '^\$2y', '$2b') is distinct from earlier
          then array['cost_too_high', format('the bcrypt hash has cost %s; the highest that is accepted is 12', substr(password, 5, 2))] end
        when length(password) < 8 then array['too_short', 'the password has fewer than 8 characters']
        when octet_length(password) > 72
          then array['too_long', format('the password has %s bytes; bcrypt ignores what comes after the 72nd, so it is refused', octet_length(password))] end),
      ('email', email, case
        when email !~ '^[^\s@]+@[^\s@]+$' or has_control_character(email)
          then array['malformed', format('email %L is not an e-mail address', email)]
        when length(email) > 254 then array['too_long', 'email is longer than 254 characters'] end),
      ('name', name, case
        when length(name) > 200 or has_control_character(name)
          then array['malformed', 'name is longer than 200 characters or contains a control character'] end)
    ) checked (field, value, problem)
    where problem is not null);
begin
  if problems is not null then
    perform refuse_values(format('register_user(%L)', username), problems);
  end if;
  hash := case
    -- $2y$ is PHP's name of $2b$
    when password ~ '^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$' then regexp_replace(password, '^\$2y', '$2b')
    -- in a repeated seed, whose passwords are compared all at once at its end (src/postgres/seeds.ts)
    when earlier is not null and current_setting('latchkey.passwords_are_known', true) = 'yes' then earlier
    when crypt(password, earlier) = earlier then earlier
    else crypt(password, gen_salt('bf', 12)) end;
  if password !~ '^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$' then
    -- kept only for this transaction
    perform set_config('latchkey.passwords_digest', encode(sha256(convert_to(
      format('%s %L %L %L', current_setting('latchkey.passwords_digest', true), username, password, hash), 'UTF8')), 'hex'), true);
  end if;
  insert into users as registered (username, password_bcrypt, registered_password_bcrypt, email, email_verified, name, is_admin)
  values (username, hash, hash, email, email is not null and coalesce(email_verified, true), name, coalesce(is_admin, false))
  on conflict on constraint users_username_unique do update
  set password_bcrypt = case when hash = earlier then registered.password_bcrypt else hash end,
      registered_password_bcrypt = hash, email = excluded.email,
      email_verified = excluded.email_verified, name = excluded.name,
      is_admin = coalesce(is_admin, registered.is_admin)
  returning user_id into id;
  return id;
end $$;
