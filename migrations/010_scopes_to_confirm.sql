-- Kept from before, when the person decided less than that on a form with new redirection URIs: they are asked before it
-- goes there.
alter table grants add column to_confirm text[] not null default '{}';
