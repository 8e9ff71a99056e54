-- Ends all sessions and all access of a person whose provider asks for it [draft-parecki-oauth-global-token-revocation]: sessions,
-- sign-ins under way, links in mails, codes and families. What the person has allowed stays. Of an account that has disconnected the
-- identity, only what came from there ends. The request counts once: its digest is kept until it has expired.
create or replace function revoke_subject(
  provider text,
  issuer text,
  sub text,
  issued_at timestamptz,
  expires_at timestamptz,
  jti text,
  token_sha256 bytea,
  request_id text,
  address text
) returns table (outcome text, user_id integer, detail text) language plpgsql as $$
#variable_conflict use_variable
declare
  person integer;
  from_there bigint[];
  people integer[];
begin
  -- clocks may differ by 30 seconds
  if expires_at <= now() - interval '30 seconds' or expires_at > now() + interval '330 seconds' or issued_at > now() + interval '30 seconds' then
    return query select 'untimely', null::integer, null::text;
    return;
  end if;
  if not exists (
    select from providers p
    where p.name = provider and p.issuer = revoke_subject.issuer and p.disabled_at is null and p.global_token_revocation) then
    return query select 'not_allowed', null::integer, null::text;
    return;
  end if;
  insert into used_proofs (proof_sha256, expires_at)
  values (token_sha256, expires_at + interval '1 minute')
  on conflict do nothing;
  if not found then
    return query select 'repeated', null::integer, null::text;
    return;
  end if;
  perform pg_advisory_xact_lock(hashtextextended(format('sub at provider %s %s', issuer, sub), 0));
  -- for somebody whose first sign-in is under way
  insert into ended_at_providers (issuer, sub, ended_at, expires_at)
  values (issuer, sub, issued_at, now() + interval '20 minutes');
  update identities i
  set authenticated_after = greatest(i.authenticated_after, issued_at)
  where i.issuer = revoke_subject.issuer and i.subject = sub
  returning i.user_id into person;
  update provider_sessions s
  set ended_at = now()
  where s.ended_at is null
    and (s.user_id = person or s.issuer = revoke_subject.issuer and s.sub = revoke_subject.sub);
  -- a session that begins waits for this lock of the row to which it refers: until the commit it would get codes
  perform from users u where u.user_id = person for update;
  update users u
  set sessions_ended_at = clock_timestamp()
  where u.user_id = person;
  select array_agg(s.provider_session_id), array_agg(distinct s.user_id) into from_there, people
  from provider_sessions s
  where s.issuer = revoke_subject.issuer and s.sub = revoke_subject.sub and s.user_id is distinct from person;
  delete from sessions s where s.user_id = person;
  delete from sessions s
  where s.user_id = any (people)
    and (s.data ->> 'provider_session_id')::bigint = any (from_there);
  delete from mailed_links l where l.user_id = person;
  update authorization_codes c
  set revoked_at = now()
  from grants g
  where g.user_id = person and c.grant_id = g.grant_id and c.revoked_at is null;
  update authorization_codes c
  set revoked_at = now()
  where c.provider_session_id = any (from_there) and c.revoked_at is null;
  people := array_remove(array_append(people, person), null);
  if people = '{}' then
    return query select 'unknown', null::integer, null::text;
    return;
  end if;
  detail := format('provider:%s revocation %s', provider, jti);
  insert into audit_events (event, user_id, detail, request_id, address)
  select 'session_ended', one.user_id, detail, request_id, address
  from unnest(people) one (user_id);
  return query select 'revoked', one.user_id, detail from unnest(people) one (user_id);
end $$;
