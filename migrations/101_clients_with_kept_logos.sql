-- Each statement by itself.
-- The clients whose logos this server keeps: strangers register many others, and none of those is looked at.
drop index concurrently if exists clients_with_kept_logo;
create index concurrently clients_with_kept_logo on clients (client_id)
  where vouched and logo_uri is not null and origin in ('application', 'document');
