-- Each statement by itself.
-- For whoever looks for an application by the beginning of its id or name, or the end of its site. Compared byte by byte, so that a
-- range of the index is exactly what begins with a text. Deleted ones, too: for a partial index the planner could scan it as a whole.
drop index concurrently if exists clients_by_id_text;
create index concurrently clients_by_id_text on clients (lower(client_id) collate "C");
drop index concurrently if exists clients_by_name_text;
create index concurrently clients_by_name_text on clients (lower(name) collate "C");
drop index concurrently if exists clients_by_site_text;
create index concurrently clients_by_site_text on clients (reverse(site_domain) collate "C");
-- who uses a scope that is to be deleted
drop index concurrently if exists clients_by_scope;
create index concurrently clients_by_scope on clients using gin (scopes);
