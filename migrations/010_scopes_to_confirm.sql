-- Earlier scopes that were not on a form with new redirection URIs: the user must confirm them before they count for these.
alter table grants add column to_confirm text[] not null default '{}';
