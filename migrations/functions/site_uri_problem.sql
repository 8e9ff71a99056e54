-- Why the address of a page or picture that people are shown beside the site domain cannot be registered: it would lend the
-- name of that site to another one [7591 §5]. Null when it can, or when there is none.
create or replace function site_uri_problem(uri text, site_domain text) returns text language plpgsql immutable as $$
declare
  parts text[] := regexp_match(uri, '^(https?)://([a-z0-9.-]+|\[::1\])(:\d{1,5})?([/?#][\x21-\x7e]*)?$');
  is_local boolean := site_domain = 'localhost' and coalesce(parts[2] in ('localhost', '127.0.0.1', '[::1]'), false);
begin
  if uri is null then return null; end if;
  if parts is null or (parts[1] = 'http' and not is_local) then return 'is not an https URI'; end if;
  if is_local or lies_within_site(parts[2], site_domain) then return null; end if;
  return format('lies outside the site domain %L', site_domain);
end $$;
