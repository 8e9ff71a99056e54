-- Makes the account of a row of the operator's view, by which somebody signs in who is unknown here; or says why not, and changes nothing.
create or replace function copy_from_view(typed text, account jsonb) returns text language plpgsql as $$
declare
  there constant text := account ->> 'subject';
  address constant text := nullif(btrim(account ->> 'email'), '');
  title constant text := coalesce(nullif(btrim(account ->> 'username'), ''), case when (account ->> 'email_verified')::boolean then address end);
  hash constant text := usable_hash(account ->> 'password_hash');
  problem text;
  kept record;
begin
  problem := case
    when there is null then 'subject is null'
    when coalesce((account ->> 'disabled')::boolean, true) then 'disabled there'
    when account ->> 'password_hash' <> '' and hash is null then 'password_hash is of no kind that this server can check'
    -- another request has just made it, or it is of somebody who has not left the view
    when exists (
      select from sign_in_names known
      join users u on u.user_id = known.user_id
      where known.name = folded_name(typed) and not (u.gone_there and coalesce(u.subject, u.user_id::text) <> there)) then 'known'
    when exists (select from users where coalesce(users.subject, users.user_id::text) = there and users.is_admin)
      then 'the subject belongs to an administrator'
    else (select format('%s is %s', field, rule) from check_user(title, address, account ->> 'name', there, null) limit 1) end;
  if problem is not null then
    return problem;
  end if;
  select * into kept
  from keep_person('view', there, title, nullif(btrim(account ->> 'name'), ''), address, (account ->> 'email_verified')::boolean);
  if kept.outcome = 'kept' then
    update users
    set password_bcrypt = case when hash ~ '^\$2[ab]\$' then hash end,
        password_hash = case when hash !~ '^\$2[ab]\$' then hash end,
        registered_password_bcrypt = hash
    where users.user_id = kept.user_id
      and registered_password_bcrypt is distinct from hash;
  end if;
  return kept.outcome;
end $$;
