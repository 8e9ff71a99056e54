-- The first rule that a redirection URI breaks, as {rule, sentence}; null when it can be registered [6749 §3.1.2; 8252 §7;
-- 9700 §2.1]. Without a site domain, because that one is wrong, only the URI itself is checked.
create or replace function check_redirect_uri(uri text, site_domain text, is_public boolean) returns text[] language plpgsql immutable as $$
declare
  -- scheme, host and port of an http(s) URI without userinfo, in lower case, because raw strings are compared later
  host_fits boolean := length(uri) <= 2000 and fits_dns(coalesce(substring(uri from '^https?://([^/?:]*)'), substring(uri from '^[^:/?]*')));
  parts text[] := case when host_fits then regexp_match(uri,
    '^(https?)://((?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?|\[::1\])(:([1-9]\d{0,4}))?([/?].*)?$') end;
  reversed_domain text := (select string_agg(label, '.' order by position desc)
                           from unnest(string_to_array(site_domain, '.')) with ordinality labels (label, position));
  is_local boolean := site_domain = 'localhost' and coalesce(parts[2] in ('localhost', '127.0.0.1', '[::1]'), false);
begin
  return case
    when coalesce(uri, '') = '' then array['empty', 'is empty']
    when length(uri) > 2000 then array['uri_too_long', 'is longer than 2000 characters']
    when uri !~ '^[\x21-\x7e]+$' then array['bad_character', 'contains a character that is not allowed in a URI']
    when position('#' in uri) > 0 then array['has_fragment', 'has a fragment']
    when position('*' in uri) > 0 then array['has_wildcard', 'has a wildcard']
    when uri ~ '[\\"<>^`{|}]' then array['bad_character', 'contains a character that is not allowed in a URI']
    when uri ~* '/(\.|%2e){1,2}(/|\?|$)' then array['dot_segment', 'has a path with . or ..']
    when uri ~ '[?&](code|state|iss|error|error_description|error_uri)='
      then array['response_parameter', 'has a query parameter that the authorization response uses']
    when not host_fits then array['host_too_long', 'has a host name longer than 253 characters, or a part of it longer than 63']
    when parts is null and uri ~ '^https?:' then array['not_a_uri', 'is not of the form https://host/path']
    when parts is null and uri !~ '^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:/'
      then array['not_a_uri', 'is neither https nor a private-use scheme such as com.example.app:/callback']
    when parts is null and not is_public then array['private_use_scheme', 'has a private-use scheme, which is for public clients']
    when parts[4]::integer > 65535 then array['bad_port', 'has a port above 65535']
    when site_domain is null or is_local then null
    -- an app on the device receives the answer at a loopback address, whatever its site is [8252 §7.3]
    when is_public and parts[1] = 'http' and parts[2] in ('localhost', '127.0.0.1', '[::1]') then null
    -- the owner of a domain controls its reverse as a scheme [8252 §7.1]; otherwise an app could claim to be any site
    when parts is null and not starts_with(split_part(uri, ':', 1) || '.', reversed_domain || '.')
      then array['not_reversed_domain',
        format('has a private-use scheme that does not begin with %L, the site domain in reverse order', reversed_domain)]
    when parts is null then null
    when parts[1] <> 'https' then array['not_https', 'is not https']
    when not lies_within_site(parts[2], site_domain)
      then array['outside_domain', format('lies outside the site domain %L', site_domain)]
  end;
end $$;
