-- What is wrong with a username by itself, as the name of a rule and a sentence; null: nothing. An operator, and the website or view of an
-- operator, may give any name that people can see. Whoever chooses the name, here or at a provider, gets none under which they could speak
-- for this server, none with letters that only look like others, and none that looks like the number of a person. `own` are the names of
-- this server.
create or replace function check_username(username text, is_chosen boolean default false, own text[] default '{}') returns text[]
language plpgsql immutable as $$
declare
  reserved constant text[] := array[
    'admin', 'administrator', 'root', 'system', 'sysadmin', 'operator', 'moderator', 'staff', 'owner', 'superuser',
    'support', 'help', 'helpdesk', 'security', 'abuse', 'privacy', 'legal', 'billing', 'info', 'contact', 'team',
    'postmaster', 'hostmaster', 'webmaster', 'mailerdaemon', 'noreply', 'mail', 'www', 'ftp', 'api',
    'me', 'self', 'new', 'null', 'undefined', 'none', 'nil', 'true', 'false', 'nan', 'anonymous', 'guest', 'nobody',
    'everybody', 'everyone', 'all', 'user', 'users', 'account', 'accounts', 'login', 'logout', 'signup',
    'oauth', 'developer', 'playground', 'latchkey'];
  plain constant text := regexp_replace(lower(username), '[^a-z0-9]', '', 'g');
begin
  return case
    when coalesce(btrim(username), '') = '' then array['missing', 'username is missing']
    when length(username) > 200 or has_control_character(username)
      then array['malformed', 'username is longer than 200 characters or contains a control character']
    when has_invisible_character(username) then array['invisible', 'username contains an invisible character']
    when not is_chosen then null
    when length(username) > 40 or username !~ '^[A-Za-z0-9][A-Za-z0-9._-]*[A-Za-z0-9]$' or username !~ '[A-Za-z]'
      then array['malformed', 'username is not made of 2 to 40 letters, digits and the characters . _ - between them, with a letter']
    -- admin-1 and a.d.m.i.n are no better than admin
    when array[plain, regexp_replace(plain, '[0-9]+$', '')]
      && (reserved || array(select regexp_replace(lower(n), '[^a-z0-9]', '', 'g') from unnest(own) n))
      then array['reserved', 'username could speak for this server, or is a word of programs'] end;
end $$;
