-- The format of access tokens for a resource of another server.
create or replace function token_format_at(resource text) returns text
language sql stable parallel safe as $$
  select token_format
  from resources r
  where r.resource = token_format_at.resource
    and r.disabled_at is null
$$;
