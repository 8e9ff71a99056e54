-- Each statement by itself.
drop index concurrently if exists users_of_view;
create index concurrently users_of_view on users (user_id) where source = 'view';
