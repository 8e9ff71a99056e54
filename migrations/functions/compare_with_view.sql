-- Brings people of the operator's view in line with their rows there, and says how many were disabled, enabled, left or came back, or got another
-- password, if people have passwords here. `gone` are subjects
-- without a row, `barred` have rows of which nothing else is used; both count as disabled. A row whose `disabled` is null says nothing. Of somebody else's account or an
-- administrator's nothing changes.
create or replace function compare_with_view(accounts jsonb, gone text[], passwords boolean, barred text[] default '{}') returns integer language plpgsql as $$
declare
  changed integer;
  person record;
begin
  with there as (
    select subject, password_hash, disabled, true as is_used, false as is_gone
    from jsonb_to_recordset(accounts) account (subject text, password_hash text, disabled boolean)
    union all
    select subject, null, true, false, false from unnest(barred) subject
    union all
    select subject, null, true, false, true from unnest(gone) subject
  ), changing as (
    select users.user_id, usable.hash,
      passwords and there.is_used and users.registered_password_bcrypt is distinct from usable.hash as has_other_hash,
      there.disabled is true and users.disabled_at is null as is_newly_disabled,
      there.disabled is false and users.disabled_there as is_newly_enabled,
      there.is_gone
    from there
    join users on coalesce(users.subject, users.user_id::text) = there.subject
    -- the check takes time; most are as they were
    cross join lateral (
      select case
        when users.registered_password_bcrypt = regexp_replace(there.password_hash, '^\$2y', '$2b') then users.registered_password_bcrypt
        else usable_hash(there.password_hash) end as hash
      offset 0) usable
    where users.source = 'view' and not users.is_admin and users.deleted_at is null
    order by users.user_id
    for no key update of users
  ), stored as (
    -- one that was changed here counts until the one there differs from what it was
    update users
    set password_bcrypt = case when not has_other_hash then users.password_bcrypt when hash ~ '^\$2[ab]\$' then hash end,
        password_hash = case when not has_other_hash then users.password_hash when hash !~ '^\$2[ab]\$' then hash end,
        registered_password_bcrypt = case when has_other_hash then hash else users.registered_password_bcrypt end,
        disabled_at = case when is_newly_disabled then now() when not is_newly_enabled then users.disabled_at end,
        disabled_there = (users.disabled_there or is_newly_disabled) and not is_newly_enabled,
        gone_there = is_gone
    from changing
    where users.user_id = changing.user_id
      and (has_other_hash or is_newly_disabled or is_newly_enabled or users.gone_there <> is_gone)
    returning users.user_id, is_newly_disabled, is_newly_enabled
  ), noted as (
    insert into audit_events (event, user_id, detail, request_id)
    select case when is_newly_disabled then 'user_disabled' else 'user_enabled' end, user_id, 'by latchkey_accounts', 'view'
    from stored
    where is_newly_disabled or is_newly_enabled
  )
  select count(*) into changed from stored;
  for person in
    select there.*
    from (
      select account.subject, nullif(btrim(account.name), '') as name, nullif(btrim(account.email), '') as email, account.email_verified,
        coalesce(nullif(btrim(account.username), ''), case when account.email_verified then nullif(btrim(account.email), '') end) as username
      from jsonb_to_recordset(accounts) account (subject text, username text, email text, email_verified boolean, name text)) there
    join users on coalesce(users.subject, users.user_id::text) = there.subject
    where users.source = 'view' and not users.is_admin and users.deleted_at is null
      and (coalesce(there.username, users.username), coalesce(there.name, users.name), there.email, there.email is not null and there.email_verified,
          null, there.name is not null)
        is distinct from (users.username, users.name, users.email, users.email_verified, users.pending_email, 'name' = any (users.kept_there))
      and not exists (select from check_user(coalesce(there.username, users.username), there.email, there.name, there.subject, null))
    order by users.user_id
  loop
    -- the names that are left wait for the next round, or on a slow machine they would keep people from being disabled
    exit when clock_timestamp() > statement_timestamp() + interval '500 milliseconds';
    if person.email is null then
      update users set email = null, email_verified = false
      where coalesce(users.subject, users.user_id::text) = person.subject and email is not null;
    end if;
    perform keep_person('view', person.subject, person.username, person.name, person.email, person.email_verified);
  end loop;
  return changed;
end $$;
