-- The first rule that the URI of a homepage, logo, policy or terms breaks, as {rule, sentence}; null when it can be registered or there is
-- none. People see it next to the site domain, so it must not lead to another site [7591 §5]. Without a site domain, because
-- that one is wrong, only the URI itself is checked.
create or replace function check_site_uri(uri text, site_domain text) returns text[] language plpgsql immutable as $$
declare
  parts text[] := case when length(uri) <= 2000
    then regexp_match(uri, '^(https?)://([a-z0-9.-]+|\[::1\])(:\d{1,5})?([/?#][\x21-\x7e]*)?$') end;
  is_local boolean := site_domain = 'localhost' and coalesce(parts[2] in ('localhost', '127.0.0.1', '[::1]'), false);
begin
  return case
    when length(uri) > 2000 then array['uri_too_long', 'is longer than 2000 characters']
    when uri is null or is_local then null
    when parts is null or (parts[1] = 'http' and site_domain is not null) then array['not_https', 'is not an https URI']
    when not lies_within_site(parts[2], site_domain)
      then array['outside_domain', format('lies outside the site domain %L', site_domain)]
  end;
end $$;
