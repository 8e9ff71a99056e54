-- What "all, also later ones" is called in a choice. Null: the text of this server.
alter table choices
  add column all_sentence text,
  add column all_sentences jsonb not null default '{}';
