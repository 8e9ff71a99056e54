-- The scopes at resources on which a person decided, see decisionsIn in src/grants/authorization.ts. A version that knows no resources
-- records no decisions: whatever it has added to a grant, before or beside this version, was decided for this server.
create or replace function decided_in(decided text[], scopes text[]) returns text[] language sql immutable parallel safe as $$
  select coalesce(decided, '{}') || array(
    select scope
    from unnest(scopes) scope
    where not exists (select from unnest(decided) one where split_part(one, '@', 1) = scope))
$$;
