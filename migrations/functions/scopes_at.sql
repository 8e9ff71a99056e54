-- Those of the granted scopes that a resource of another server knows, and on which the person decided there (decisionsIn in
-- src/oauth/consent/remembered-grant.ts); none if it is no longer registered, or disabled.
create or replace function scopes_at(named text, granted text[], decided text[]) returns text[]
language sql stable parallel safe as $$
  select array(
    select scope
    from resources, unnest(granted) scope
    where resource = named
      and disabled_at is null
      and scope = any (scopes)
      and scope || '@' || named = any (decided))
$$;
