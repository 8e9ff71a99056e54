-- Makes the function that reads a claim. It has the rights of latchkey_reader only, whatever its query tries: a query that runs as
-- somebody else can become that one again, a function with the rights of its owner cannot.
create or replace function define_claim(name text, query text) returns void language plpgsql as $$
declare
  claim text := format('%I.%I(text)', current_schema(), 'claim ' || name);
  body text := coalesce(query, format('select value from latchkey_claims where subject = $1 and name = %L', name));
begin
  execute format('drop function if exists %s', claim);
  execute format(
    'create function %s returns jsonb language sql stable security definer set search_path from current as %L',
    claim, format(E'select (\n%s\n)', body));
  execute format('revoke all on function %s from public', claim);
  execute format('grant execute on function %s to %I', claim, current_user);
  -- it is missing after a restore
  if query is null and to_regclass('latchkey_claims') is not null then
    grant select on latchkey_claims to latchkey_reader;
  end if;
  -- who owns a function must be allowed to create it, at this moment
  execute format('grant create on schema %I to latchkey_reader', current_schema());
  execute format('alter function %s owner to latchkey_reader', claim);
  execute format('revoke create on schema %I from latchkey_reader', current_schema());
end $$;
