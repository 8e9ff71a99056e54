-- Registers a resource of another server, or updates and enables it. A row that is deleted from the table `resources` ends its tokens.
create or replace function register_resource(
  resource text,
  scopes text[],
  client_id text default null,
  token_format text default 'opaque'
) returns text language plpgsql as $$
#variable_conflict use_variable
declare
  -- of a group only the members that are registered now, as register_client does
  members text[] := expand_scopes(scopes);
  -- scheme, host in lower case and port, without userinfo and fragment, because raw strings are compared later [8707 §2]
  parts text[] := regexp_match(resource,
    '^(https?)://((?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?|\[::1\])(:([1-9]\d{0,4}))?([/?][!$-;=?-Z_a-z~\[\]]*)?$');
  problems jsonb := (
    select jsonb_agg(jsonb_build_object('field', field, 'rule', problem[1], 'value', value, 'sentence', problem[2]))
    from (
      select * from (values
        ('resource', resource, case
          when resource is null then array['missing', 'resource is missing']
          when length(resource) > 500 then array['too_long', 'resource is longer than 500 characters']
          when parts is null or parts[4]::integer > 65535
            then array['not_a_uri', format('resource %L is not of the form https://host/path, without user name and fragment', resource)]
          when parts[1] = 'http' and parts[2] not in ('localhost', '127.0.0.1', '[::1]')
            then array['not_https', format('resource %L is not https', resource)] end),
        ('scopes', null, case
          when coalesce(cardinality(scopes), 0) = 0 then array['missing', 'scopes is empty'] end),
        ('client_id', client_id, case
          when client_id is not null and not exists (
            select from clients c where c.client_id = register_resource.client_id and c.deleted_at is null)
            then array['unknown', format('client_id %L is no registered client', client_id)] end),
        ('token_format', token_format, case
          when coalesce(token_format, '') not in ('opaque', 'jwt')
            then array['unknown', format('token_format %L is neither opaque nor jwt', token_format)] end)
      ) checked
      union all
      select 'scopes', n, array['unknown', format('there is no scope %L (the table "scopes" lists all of them)', n)]
      from unnest(scopes) named (n)
      where expand_scopes(array[n]) = '{}'
    ) checked (field, value, problem)
    where problem is not null);
  -- an origin is one resource with and without its final slash: it keeps the spelling of its first registration, which tokens have in `aud`
  other_spelling text := case when resource ~ '^https?://[^/?]+/?$' then
    case when right(resource, 1) = '/' then left(resource, -1) else resource || '/' end end;
begin
  if problems is not null then
    perform refuse_values(format('register_resource(%L)', resource), problems);
  end if;
  -- of two spellings that are registered at once, the second finds the first
  perform pg_advisory_xact_lock(hashtextextended(format('resource %s', rtrim(resource, '/')), 0));
  if not exists (select from resources r where r.resource = register_resource.resource)
    and exists (select from resources r where r.resource = other_spelling) then
    resource := other_spelling;
  end if;
  insert into resources (resource, scopes, client_id, token_format)
  values (resource, members, client_id, token_format)
  on conflict on constraint resources_pkey do update
  set scopes = excluded.scopes, client_id = excluded.client_id, token_format = excluded.token_format, disabled_at = null
  -- whoever adds a new resource changes none that somebody else has added at this moment (src/catalogue/resources.sql.ts)
  where current_setting('latchkey.adds_new', true) is distinct from 'yes';
  return case when found then resource end;
end $$;
