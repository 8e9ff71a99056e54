-- The person who comes from a provider: the one to whom the identity is linked, or a new account, where the provider makes them. An
-- address never finds an account; a verified one that somebody has only keeps a second account from being made. Of `usernames` the new
-- account gets the first that somebody who signs up could choose; `own` are the names of this server, `of_view` is as in keep_person.
create or replace function enter_by_identity(
  provider text,
  issuer text,
  subject text,
  label text,
  usernames text[],
  name text,
  email text,
  email_verified boolean,
  request_id text,
  address text,
  own text[] default '{}',
  of_view text[] default '{}'
) returns table (outcome text, user_id integer, is_new boolean) language plpgsql as $$
#variable_conflict use_variable
declare
  source constant text := 'provider:' || provider;
  entered providers;
  person users;
  is_by_operator boolean;
  kept record;
begin
  select p.* into entered from providers p where p.name = provider and p.disabled_at is null and issuer = any (p.issuers);
  if entered.name is null then
    return query select 'provider_gone', null::integer, false;
    return;
  end if;
  -- of two first sign-ins at once, the second finds what the first has made
  perform pg_advisory_xact_lock(hashtextextended(format('identity %s %s', issuer, subject), 0));
  update identities i
  set last_used_at = now(), label = coalesce(enter_by_identity.label, i.label)
  where i.issuer = enter_by_identity.issuer and i.subject = enter_by_identity.subject
  returning i.user_id, i.by_operator into person.user_id, is_by_operator;
  if found then
    select u.* into person from users u where u.user_id = person.user_id;
    if person.disabled_at is not null then
      return query select 'account_disabled', person.user_id, false;
      return;
    end if;
    -- a person who is an administrator by now was none when it was linked
    if person.is_admin and person.source <> source and not is_by_operator then
      return query select 'no_account', person.user_id, false;
      return;
    end if;
    if person.source = source then
      perform keep_person(source, coalesce(person.subject, person.user_id::text), null, name, email, email_verified, of_view);
    end if;
    return query select 'entered', person.user_id, false;
    return;
  end if;
  if entered.people = 'registered' then
    return query select 'no_account', null::integer, false;
    return;
  end if;
  email_verified := email is not null and coalesce(email_verified, false);
  if cardinality(entered.domains) > 0
    and not (email_verified and lower(regexp_replace(email, '^.*@', '')) = any (entered.domains)) then
    return query select 'foreign_domain', null::integer, false;
    return;
  end if;
  if email_verified and (
    exists (select from unnest(of_view) there where folded_name(there) = folded_name(email))
    or exists (
      select from sign_in_names n
      join users u on u.user_id = n.user_id
      where n.name = folded_name(email) and u.email_verified and folded_name(u.email) = n.name)) then
    return query select 'address_taken', null::integer, false;
    return;
  end if;
  select k.* into kept
  from keep_person(source, null, coalesce((
      select given
      from unnest(usernames) with ordinality names (given, place)
      where check_username(given, true, own) is null
      order by place
      limit 1), provider || '-' || substr(md5(random()::text), 1, 8)), name, email, email_verified, of_view) k;
  insert into identities (issuer, subject, user_id, label, last_used_at)
  values (issuer, subject, kept.user_id, label, now());
  insert into audit_events (event, user_id, detail, request_id, address)
  values ('user_registered', kept.user_id, source, request_id, address);
  return query select 'entered', kept.user_id, true;
end $$;
