-- Whether a host is the site domain or a subdomain of it.
create or replace function lies_within_site(host text, site_domain text) returns boolean language sql immutable as $$
  select host = site_domain or right(host, length(site_domain) + 1) = '.' || site_domain
$$;
