-- An address that a person with a verified one has entered: the verified one stays theirs until this one is proved.
alter table users add column pending_email text;
