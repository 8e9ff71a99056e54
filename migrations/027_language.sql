-- The language that the person chose for the pages, on any browser; null: none. The column language is that of the last sign-in, which may be
-- the browser's, for mails. No check of the values, which would read the table.
alter table users
  add column chosen_language text;
