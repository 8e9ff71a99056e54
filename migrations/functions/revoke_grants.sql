-- Ends what a person allowed since a time, and what they allowed a client; returns the clients. Volatile: it sees what was committed since
-- the statement began, so a statement that has locked the row of the person also ends a grant that was made at the same moment.
create or replace function revoke_grants(person integer, since timestamptz, client text) returns setof text language sql volatile as $$
  update grants
  set revoked_at = now()
  where grants.user_id = person
    and (grants.granted_at >= since or grants.client_id = client)
    and grants.revoked_at is null
  returning grants.client_id;
$$;
