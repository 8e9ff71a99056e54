-- Each statement by itself.
-- Beside 036: the third word of a name that has four or more, and the last but one of a name that has five or more, as in María del Carmen
-- García López. Most names have neither, and are in neither index.
drop index concurrently if exists users_by_third_name;
create index concurrently users_by_third_name on users (substring(lower(name) from '^[^ ]+ [^ ]+ ([^ ]+) ') text_pattern_ops) where substring(lower(name) from '^[^ ]+ [^ ]+ ([^ ]+) ') is not null;
drop index concurrently if exists users_by_last_but_one_name;
create index concurrently users_by_last_but_one_name on users (substring(lower(name) from '^[^ ]+ [^ ]+ [^ ]+ (?:.* )?([^ ]+) [^ ]+$') text_pattern_ops) where substring(lower(name) from '^[^ ]+ [^ ]+ [^ ]+ (?:.* )?([^ ]+) [^ ]+$') is not null;
drop index concurrently if exists clients_by_third_word;
create index concurrently clients_by_third_word on clients ((substring(lower(name) from '^[^ ]+ [^ ]+ ([^ ]+) ')) collate "C") where substring(lower(name) from '^[^ ]+ [^ ]+ ([^ ]+) ') is not null;
drop index concurrently if exists clients_by_last_but_one_word;
create index concurrently clients_by_last_but_one_word on clients ((substring(lower(name) from '^[^ ]+ [^ ]+ [^ ]+ (?:.* )?([^ ]+) [^ ]+$')) collate "C") where substring(lower(name) from '^[^ ]+ [^ ]+ [^ ]+ (?:.* )?([^ ]+) [^ ]+$') is not null;
