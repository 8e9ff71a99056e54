-- Each statement by itself.
-- For whoever looks for a person by their real name, or for an application by a word of its name or by its site: how the name begins, its second
-- and its last word. Each is a range of an index that begins with a text, whatever is common; a list of all words would be read as a whole for a
-- common one. Nothing but functions of Postgres, since a restored index is filled before the functions of this schema can be found.
drop index concurrently if exists users_by_name;
create index concurrently users_by_name on users (lower(name) text_pattern_ops);
drop index concurrently if exists users_by_second_name;
create index concurrently users_by_second_name on users (split_part(lower(name), ' ', 2) text_pattern_ops);
drop index concurrently if exists users_by_last_name;
create index concurrently users_by_last_name on users (substring(lower(name) from '^[^ ]+ [^ ]+ (?:.* )?([^ ]+)$') text_pattern_ops);
drop index concurrently if exists clients_by_second_word;
create index concurrently clients_by_second_word on clients (split_part(lower(name), ' ', 2) collate "C");
drop index concurrently if exists clients_by_last_word;
create index concurrently clients_by_last_word on clients ((substring(lower(name) from '^[^ ]+ [^ ]+ (?:.* )?([^ ]+)$')) collate "C");
drop index concurrently if exists clients_by_site;
create index concurrently clients_by_site on clients (lower(site_domain) collate "C");
