-- The people of the view latchkey_accounts, which the operator may create.

-- disabled because their row there says so or is gone, and enabled again when it is back; an operator's command is never undone so
alter table users add column disabled_there boolean not null default false;

-- How far the comparison with the view has come. One row; whoever holds it compares.
create table view_comparison (
  only_row boolean primary key default true check (only_row),
  holder uuid,
  held_until timestamptz not null default '-infinity',
  -- rows with a stamp since then are read
  stamps_since timestamptz not null default now(),
  -- after which row the next page begins: by stamp and subject, and by the number of the person
  after_stamp timestamptz,
  after_subject text not null default '',
  after_user integer not null default 0
);
insert into view_comparison default values;
