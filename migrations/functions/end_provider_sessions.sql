-- What a logout token does [OpenID Connect Back-Channel Logout 1.0 §2.7]: it ends the sessions that came from a person or a session
-- at the provider, and their codes; with on_logout 'access' also the tokens of these codes. Where both are named, both must match; a
-- session for which the provider has named no sid matches every sid of its person. The outcome 'ended' does not tell whether there
-- was anything to end. The token counts once: its digest is kept until it has expired.
create or replace function end_provider_sessions(
  provider text,
  issuer text,
  sub text,
  sid text,
  issued_at timestamptz,
  expires_at timestamptz,
  jti text,
  token_sha256 bytea,
  request_id text,
  address text
) returns table (outcome text, user_id integer, detail text) language plpgsql as $$
#variable_conflict use_variable
declare
  reach text;
  ended bigint[];
  people integer[];
begin
  -- clocks may differ by 30 seconds; a token that could be used for long would be remembered for long
  if expires_at <= now() - interval '30 seconds' or expires_at > now() + interval '1 day' or issued_at > now() + interval '30 seconds' then
    return query select 'untimely', null::integer, null::text;
    return;
  end if;
  select p.on_logout into reach
  from providers p
  where p.name = provider and p.disabled_at is null and issuer = any (p.issuers);
  if not found then
    return query select 'provider_gone', null::integer, null::text;
    return;
  end if;
  insert into used_proofs (proof_sha256, expires_at)
  values (token_sha256, expires_at + interval '1 minute')
  on conflict do nothing;
  if not found then
    return query select 'repeated', null::integer, null::text;
    return;
  end if;
  perform pg_advisory_xact_lock(hashtextextended(format('sub at provider %s %s', issuer, sub), 0))
  where sub is not null;
  perform pg_advisory_xact_lock(hashtextextended(format('sid at provider %s %s', issuer, sid), 0))
  where sid is not null;
  -- longer than somebody can stay at the provider
  insert into ended_at_providers (issuer, sub, sid, ended_at, expires_at)
  values (issuer, sub, sid, issued_at, now() + interval '20 minutes');
  with matching as (
    select s.provider_session_id
    from provider_sessions s
    where s.issuer = end_provider_sessions.issuer and s.sub = end_provider_sessions.sub and s.ended_at is null
      and coalesce(s.sid = end_provider_sessions.sid, true)
    union all
    select s.provider_session_id
    from provider_sessions s
    where end_provider_sessions.sub is null
      and s.issuer = end_provider_sessions.issuer and s.sid = end_provider_sessions.sid and s.ended_at is null
  ), now_ended as (
    update provider_sessions s
    set ended_at = now()
    from matching
    where s.provider_session_id = matching.provider_session_id
      and s.ended_at is null
      and s.began_at <= issued_at
    returning s.provider_session_id, s.user_id
  )
  select array_agg(e.provider_session_id), array_agg(distinct e.user_id) into ended, people from now_ended e;
  delete from sessions s
  where s.user_id = any (people)
    and (s.data ->> 'provider_session_id')::bigint = any (ended);
  update authorization_codes c
  set revoked_at = now()
  where c.provider_session_id = any (ended)
    and c.revoked_at is null
    and (c.redeemed_at is null or reach = 'access');
  detail := format('provider:%s %s %s', provider, case reach when 'access' then 'logout_with_access' else 'logout' end, jti);
  return query
  with told as (
    insert into audit_events (event, user_id, detail, request_id, address)
    select 'session_ended', one.person, detail, request_id, address
    from unnest(coalesce(people, array[null::integer])) one (person)
    returning audit_events.user_id
  )
  select 'ended', told.user_id, detail from told;
end $$;
