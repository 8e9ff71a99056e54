-- Why a redirection URI cannot be registered; null when it can [6749 §3.1.2; 8252 §7; 9700 §2.1].
create or replace function redirect_uri_problem(uri text, site_domain text, is_public boolean) returns text language plpgsql immutable as $$
declare
  -- scheme, host and port of an http(s) URI, without userinfo, in lower case: what is compared later is the raw string
  parts text[] := regexp_match(uri, '^(https?)://((?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?|\[::1\])(:([1-9]\d{0,4}))?([/?].*)?$');
  reversed_domain text := (select string_agg(label, '.' order by place desc)
                           from unnest(string_to_array(site_domain, '.')) with ordinality labels (label, place));
  is_local boolean := site_domain = 'localhost' and coalesce(parts[2] in ('localhost', '127.0.0.1', '[::1]'), false);
begin
  if uri is null or uri = '' then return 'is empty'; end if;
  if length(uri) > 2000 then return 'is longer than 2000 characters'; end if;
  if uri !~ '^[\x21-\x7e]+$' then return 'contains a character that does not belong into a URI'; end if;
  if position('#' in uri) > 0 then return 'has a fragment'; end if;
  if position('*' in uri) > 0 then return 'has a wildcard'; end if;
  if uri ~ '[\\"<>^`{|}]' then return 'contains a character that does not belong into a URI'; end if;
  if uri ~* '/(\.|%2e){1,2}(/|\?|$)' then return 'has a path with . or ..'; end if;
  if uri ~ '[?&](code|state|iss|error|error_description|error_uri)=' then return 'has a query parameter that the answer uses itself'; end if;
  if parts is null then
    if uri ~ '^https?:' then return 'is not of the form https://host/path'; end if;
    if uri !~ '^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:/' then return 'is neither https nor a private-use scheme such as com.example.app:/callback'; end if;
    if not is_public then return 'has a private-use scheme, which is for public clients'; end if;
    -- who has a domain has its reverse, and nobody else: otherwise a stranger's app could ask in the name of any site
    if starts_with(split_part(uri, ':', 1) || '.', reversed_domain || '.') then return null; end if;
    return format('has a private-use scheme that does not begin with %L, the site domain in reverse order', reversed_domain);
  end if;
  if parts[4]::integer > 65535 then return 'has a port above 65535'; end if;
  if is_local then return null; end if;
  if parts[1] <> 'https' then return 'is not https'; end if;
  if lies_within_site(parts[2], site_domain) then return null; end if;
  return format('lies outside the site domain %L', site_domain);
end $$;
