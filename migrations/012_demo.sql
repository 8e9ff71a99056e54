-- What the demo has registered, so that a start without the demo can end it and leaves namesakes alone.

alter table users add column is_demo boolean not null default false;
alter table clients add column is_demo boolean not null default false;

-- that of a demo in earlier times
update users
set is_demo = true
where username = 'alice'
  and crypt('wonderland', registered_password_bcrypt) = registered_password_bcrypt;

update clients
set is_demo = true
where client_id = 'playground'
  and name = 'Playground'
  and redirect_uris[1] like '%/playground/callback';
