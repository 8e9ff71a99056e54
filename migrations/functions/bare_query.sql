-- A query without what may contain a semicolon or a parameter and means nothing: texts, quoted names, comments.
create or replace function bare_query(query text) returns text language sql immutable as $$
  select regexp_replace(query, '''(?:[^'']|'''')*''|"[^"]*"|\$(\w*)\$.*?\$\1\$|--[^\n]*|/\*.*?\*/', '', 'g')
$$;
