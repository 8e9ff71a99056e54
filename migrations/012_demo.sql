-- Marks what the demo registered, so that a start without the demo disables that and not others of the same name.

alter table users add column is_demo boolean not null default false;
alter table clients add column is_demo boolean not null default false;

-- of demos before this migration
update users
set is_demo = true
where username = 'alice'
  and crypt('wonderland', registered_password_bcrypt) = registered_password_bcrypt;

update clients
set is_demo = true
where client_id = 'playground'
  and name = 'Playground'
  and redirect_uris[1] like '%/playground/callback';
