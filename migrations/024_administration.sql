-- Each statement by itself.
-- Who did it, if that is somebody else than the person of the event: an administrator at a page, or a user of the system at the command
-- line, which sets latchkey.system_user for its connections.
alter table audit_events
  add column if not exists by_user_id integer,
  add column if not exists by_system_user text;
-- apart from the column: events of before keep none
alter table audit_events alter column by_system_user set default nullif(current_setting('latchkey.system_user', true), '');
create or replace view audit_trail as
select happened_at, event, user_id, client_id, code_id, request_id, address, detail, by_user_id, by_system_user from audit_events
union all
select happened_at, event, user_id, client_id, code_id, request_id, address, null, null, null from routine_events;

-- For those who look for what happened: by an expression, as audit_events_by_time, so that the planner cannot choose one of them for the
-- page of a person. First in the partitions of past months, where nobody writes; the statements after it then have little left to do.
do $$ declare partition text; kind record; begin for partition in select name from audit_partitions where ends_at <= now() loop for kind in select * from (values ('user', '(user_id, ((happened_at at time zone ''UTC''))) where user_id is not null'), ('client', '(client_id, ((happened_at at time zone ''UTC''))) where client_id is not null'), ('event', '(event, ((happened_at at time zone ''UTC'')))'), ('address', '(address, ((happened_at at time zone ''UTC''))) where address is not null'), ('request', '(request_id, ((happened_at at time zone ''UTC'')))')) kinds (name, columns) loop execute format('create index if not exists %I on %I %s', partition || '_of_' || kind.name, partition, kind.columns); end loop; end loop; end $$;
create index if not exists audit_events_of_user on audit_events (user_id, (happened_at at time zone 'UTC')) where user_id is not null;
create index if not exists audit_events_of_client on audit_events (client_id, (happened_at at time zone 'UTC')) where client_id is not null;
create index if not exists audit_events_of_event on audit_events (event, (happened_at at time zone 'UTC'));
create index if not exists audit_events_of_address on audit_events (address, (happened_at at time zone 'UTC')) where address is not null;
create index if not exists audit_events_of_request on audit_events (request_id, (happened_at at time zone 'UTC'));

-- Whose wrong passwords and codes were counted, so that an administrator can forget them; null: nobody's, or an address.
alter table attempts add column if not exists user_id integer;
drop index concurrently if exists attempts_by_user;
create index concurrently attempts_by_user on attempts (user_id) where user_id is not null;

-- Every three characters of a name in turn: what contains a part contains all threes of the part. Nothing but functions of Postgres, since
-- a restored index is filled before the functions of this schema can be found.
create or replace function threes_of(name text) returns text[] language sql immutable strict parallel safe as $$
  select array(select substr(name, at, 3) from generate_series(1, length(name) - 2) at)
$$;
drop index concurrently if exists sign_in_names_by_part;
create index concurrently sign_in_names_by_part on sign_in_names using gin (threes_of(name)) with (gin_pending_list_limit = 512);
drop index concurrently if exists sign_in_names_by_beginning;
create index concurrently sign_in_names_by_beginning on sign_in_names (name text_pattern_ops);
-- addresses by which nobody signs in, because nobody has confirmed them
drop index concurrently if exists users_by_unconfirmed_address;
create index concurrently users_by_unconfirmed_address on users (lower(email collate "C") text_pattern_ops) where not email_verified and email is not null;
drop index concurrently if exists users_by_pending_address;
create index concurrently users_by_pending_address on users (lower(pending_email collate "C") text_pattern_ops) where pending_email is not null;

-- The grants of an application, newest first; by an expression, and with those that ended, so that nothing but their list is planned with it.
drop index concurrently if exists grants_by_client_and_age;
create index concurrently grants_by_client_and_age on grants (client_id, revoked_at, (-grant_id));
