-- The banned site to which a host belongs: its own, or one above it.
create or replace function banned_site_of(host text) returns text language sql stable as $$
  select site_domain
  from banned_sites
  where site_domain in (
    select array_to_string(labels[place:], '.')
    from string_to_array(left(host, 253), '.') labels, generate_series(1, cardinality(labels)) place)
  limit 1
$$;
