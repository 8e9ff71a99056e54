-- Replaced by check_redirect_uri and check_site_uri.
drop function if exists redirect_uri_problem(text, text, boolean);
drop function if exists site_uri_problem(text, text);
