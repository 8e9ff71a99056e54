-- Registers a user, or updates the account: by `subject` if it is stated, else by the username. The password is plain text or a
-- bcrypt hash, of which only a bcrypt hash is stored; or `password_hash` is a hash of any kind that check_password_hash knows. Without
-- either, a password that there is stays.
create or replace function register_user(
  username text default null,
  password text default null,
  email text default null,
  name text default null,
  is_admin boolean default null,
  email_verified boolean default true,
  subject text default null,
  password_hash text default null
) returns integer language plpgsql as $$
#variable_conflict use_variable
declare
  title constant text := format('register_user(%L)', coalesce(username, email));
  earlier users;
  known text;
  bare text;
  digest text;
  hash text;
  is_bcrypt boolean;
  id integer;
  problems jsonb;
begin
  -- where nobody can sign in with a password, a seed leaves none (src/postgres/seeds.ts)
  if current_setting('latchkey.passwords', true) = 'off' then
    password := null;
    password_hash := null;
  end if;
  -- an address that is not verified may be somebody else's, who must be able to get it
  username := coalesce(username, case when email is not null then case when coalesce(email_verified, true) then email else subject end end);
  select u.* into earlier from users u
  where case when subject is null then u.username = register_user.username else coalesce(u.subject, u.user_id::text) = subject end;
  -- whoever adds a new person changes no account, not even one that somebody else has added at this moment (src/identity/users.sql.ts)
  if earlier.user_id is not null and current_setting('latchkey.adds_new', true) = 'yes' then
    return null;
  end if;
  if is_admin is false and earlier.is_admin then
    -- of two who lose the rights at once, the second finds itself the last
    perform from users u where u.is_admin and u.disabled_at is null order by u.user_id for no key update;
  end if;
  problems := (
    select jsonb_agg(jsonb_build_object('field', field, 'rule', problem[1], 'value', value, 'sentence', problem[2])
      order by array_position(array['subject', 'username', 'password', 'password_hash', 'email', 'name', 'is_admin'], field))
    from (
      select field, value, array[rule, sentence] as problem
      from check_user(username, email, name, subject, password_hash)
      union all
      select *
      from (values
        ('subject', subject, case
          when exists (select from ended_numbers e where e.number = subject and e.is_of_row)
            then array['taken', format('subject %L is the number of a person who was deleted', subject)]
          when subject is not null and earlier.source <> 'here'
            then array['of_another_source', format('subject %L belongs to an account of the source %L; select move_account(%L, ''here'') moves it', subject, earlier.source, subject)]
          -- the number of somebody registered without a subject, who is hardly meant
          when subject is not null and earlier.subject is null and folded_name(earlier.username) <> folded_name(username)
            then array['taken', format('subject %L is the number of the user %L, and the username is %L', subject, earlier.username, username)] end),
        ('username', username, case
          when subject is null and earlier.source <> 'here'
            then array['of_another_source', format('username %L belongs to an account of the source %L; select move_account(%L, ''here'') moves it', username, earlier.source, coalesce(earlier.subject, earlier.user_id::text))] end),
        ('is_admin', null, case
          when is_admin is false and earlier.is_admin and earlier.disabled_at is null
            and not exists (select from users u where u.is_admin and u.disabled_at is null and u.user_id <> earlier.user_id)
            then array['last', format('%L is the last administrator: make somebody else one first', earlier.username)] end),
        ('password', null, case
          when password is null or password ~ '^\$2[aby]\$(0[4-9]|1[0-2])\$[./A-Za-z0-9]{53}$' then null
          -- a hash that was registered before changes nothing
          when password ~ '^\$2[aby]\$(1[3-9]|2\d|3[01])\$[./A-Za-z0-9]{53}$' then case
            when regexp_replace(password, '^\$2y', '$2b') is distinct from earlier.registered_password_bcrypt
            then array['cost_too_high', format('the bcrypt hash has cost %s; the highest that is accepted is 12', substr(password, 5, 2))] end
          -- with a slip in it, the text itself would be the password
          when password ~ '^\$2[abxy]?\$' then array['malformed', 'the password begins like a bcrypt hash and is none']
          when length(password) < 8 then array['too_short', 'the password has fewer than 8 characters']
          when octet_length(password) > 72
            then array['too_long', format('the password has %s bytes; bcrypt ignores what comes after the 72nd, so it is refused', octet_length(password))] end),
        ('password_hash', null, case
          when password is not null and password_hash is not null then array['twice', 'password and password_hash are both given'] end)
      ) checked (field, value, problem)) all_problems
    where problem is not null);
  if problems is not null then
    perform refuse_values(title, problems);
  end if;
  -- a plain hash of 72 bytes is one of whatever begins with them, so it stays only where the person has another password by now
  known := case when octet_length(password) < 72 or earlier.registered_password_bcrypt is distinct from earlier.password_bcrypt
    then substring(earlier.registered_password_bcrypt from '^(?:bcrypt_sha256\$)?\$2[ab]\$.*') end;
  bare := regexp_replace(known, '^bcrypt_sha256\$', '');
  digest := encode(sha256(convert_to(password, 'UTF8')), 'hex');
  hash := case
    when password is null then regexp_replace(password_hash, '^\$2y', '$2b')
    -- $2y$ is PHP's name of $2b$
    when password ~ '^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$' then regexp_replace(password, '^\$2y', '$2b')
    -- in a repeated seed, whose passwords are compared all at once at its end (src/postgres/seeds.ts)
    when known is not null and current_setting('latchkey.passwords_are_known', true) = 'yes' then known
    when known is not null and crypt(case when known = bare then password else digest end, bare) = bare then known
    when octet_length(password) = 72 then 'bcrypt_sha256$' || crypt(digest, gen_salt('bf', 12))
    else crypt(password, gen_salt('bf', 12)) end;
  if password !~ '^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$' then
    -- kept only for this transaction
    perform set_config('latchkey.passwords_digest', encode(sha256(convert_to(
      format('%s %L %L %L', current_setting('latchkey.passwords_digest', true), username, password, hash), 'UTF8')), 'hex'), true);
  end if;
  -- for the digest of a plan (src/postgres/seeds.ts)
  perform set_config('latchkey.stated_passwords', encode(sha256(convert_to(
    format('%s %L %L %L', current_setting('latchkey.stated_passwords', true), username, password, password_hash), 'UTF8')), 'hex'), true);
  email_verified := email is not null and coalesce(email_verified, true);
  if earlier.user_id is not null then
    update users u
    set username = register_user.username,
        email = register_user.email,
        email_verified = register_user.email_verified,
        name = register_user.name,
        is_admin = coalesce(register_user.is_admin, u.is_admin)
    where u.user_id = earlier.user_id;
    if current_setting('latchkey.seed', true) <> '' then
      -- its trigger sees an update, and not whether this file names the person
      update pg_temp.seeding s set is_named = true where s.kind = 'user' and s.key = earlier.user_id::text;
    end if;
    -- one that the person has changed meanwhile stays
    if hash is distinct from earlier.registered_password_bcrypt and hash is not null then
      is_bcrypt := hash ~ '^\$2[ab]\$';
      update users u
      set password_bcrypt = case when is_bcrypt then hash end,
          password_hash = case when not is_bcrypt then hash end,
          registered_password_bcrypt = hash
      where u.user_id = earlier.user_id;
    end if;
    return earlier.user_id;
  end if;
  is_bcrypt := hash ~ '^\$2[ab]\$';
  -- a plan is rolled back, and a sequence would go on
  id := case when current_setting('latchkey.plan', true) = 'on' then (select least(min(u.user_id), 0) - 1 from users u)
        else nextval(pg_get_serial_sequence('users', 'user_id')) end;
  insert into users (user_id, username, subject, password_bcrypt, password_hash, registered_password_bcrypt, email, email_verified, name, is_admin)
  overriding system value
  values (id, username, coalesce(subject, subject_of_number(id)), case when is_bcrypt then hash end, case when not is_bcrypt then hash end, hash,
    email, email_verified, name, coalesce(is_admin, false))
  on conflict on constraint users_username_unique do nothing;
  if found then
    return id;
  end if;
  if subject is not null then
    perform refuse_values(title, jsonb_build_array(jsonb_build_object('field', 'username', 'rule', 'taken', 'value', username,
      'sentence', format('username %L is the name of a user with another subject than %L', username, subject))));
  end if;
  -- somebody has registered that name at the same moment
  return register_user(username, password, email, name, is_admin, email_verified, subject, password_hash);
end $$;
