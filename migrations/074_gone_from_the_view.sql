-- Whether the view latchkey_accounts has no row of a person any more. Only such people give their names up to others of the view.
alter table users add column gone_there boolean not null default false;
