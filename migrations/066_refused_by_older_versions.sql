-- The version before this one knows none of the rules below: it would take a client that proves a key for a public one, and a
-- bound token for a bearer token. But it refuses whatever is disabled or revoked, at any date. So 'infinity' in disabled_at
-- and revoked_at makes it refuse a client or token, and means to this version that it is in force (src/store/active.ts).

create function refuse_in_older_versions() returns trigger language plpgsql as $$
declare
  has_new_rules boolean := new.token_endpoint_auth_method !~ '^(none|client_secret_.*)$' or new.profile is not null
    or new.token_binding <> 'any' or new.require_pushed_authorization_requests or new.require_signed_request_object;
begin
  -- the version before may enable such a client, but not change it into another kind
  if has_new_rules and new.disabled_at is null then
    new.disabled_at := 'infinity';
  elsif not coalesce(has_new_rules, false) and new.disabled_at = 'infinity' then
    new.disabled_at := null;
  end if;
  return new;
end $$;

create trigger clients_refused_by_older_versions
  before insert or update of disabled_at, token_endpoint_auth_method, profile, token_binding,
    require_pushed_authorization_requests, require_signed_request_object on clients
  for each row execute function refuse_in_older_versions();

-- sets what the trigger says
update clients
set disabled_at = disabled_at
where token_endpoint_auth_method is not null or profile is not null or token_binding <> 'any'
  or require_pushed_authorization_requests or require_signed_request_object;
