-- Records a sign-in at a provider; null if the provider has ended it already, or all of that person: then it begins no session here.
-- What ends sign-ins takes the same locks, so that an end at the same moment comes before or after.
create or replace function begin_provider_session(person integer, issuer text, sub text, sid text, began_at timestamptz)
returns bigint language plpgsql as $$
#variable_conflict use_variable
declare
  begun bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended(format('sub at provider %s %s', issuer, sub), 0));
  perform pg_advisory_xact_lock(hashtextextended(format('sid at provider %s %s', issuer, sid), 0))
  where sid is not null;
  insert into provider_sessions (user_id, issuer, sub, sid, began_at)
  select person, issuer, sub, sid, began_at
  where not exists (
      select from ended_at_providers e
      where e.issuer = begin_provider_session.issuer and e.sub = begin_provider_session.sub
        and coalesce(e.sid = begin_provider_session.sid, true)
        and e.ended_at >= began_at and e.expires_at > now())
    and not exists (
      select from ended_at_providers e
      where e.issuer = begin_provider_session.issuer and e.sub is null and e.sid = begin_provider_session.sid
        and e.ended_at >= began_at and e.expires_at > now())
    and not exists (
      select from identities i
      where i.issuer = begin_provider_session.issuer and i.subject = begin_provider_session.sub and i.authenticated_after >= began_at)
  returning provider_session_id into begun;
  return begun;
end $$;
