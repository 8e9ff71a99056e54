-- What a client states about itself, without the links that lead to another site: people would take them for links of its own
-- site [7591 §5].
create or replace function without_foreign_links(stated jsonb) returns jsonb language sql immutable as $$
  select stated || jsonb_object_agg(link, case when check_site_uri(stated ->> link, stated ->> 'site_domain') is null then stated ->> link end)
  from unnest('{homepage_uri,logo_uri,policy_uri,tos_uri}'::text[]) link
$$;
